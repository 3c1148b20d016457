import { type TrainingPage, trainingPage } from '../report/training-page.js'
import { nodePageOptions } from './page-options.js'
import { writeAtomically } from './write-atomically.js'

/**
 * Writes the page about a training: how good the model is in words, learning curves, weights, the comparison
 * with the baselines, overall and by popularity, every ranking metric, notes and settings.
 */
export const writeTrainingReport = async (
  path: string,
  report: TrainingPage,
  signal?: AbortSignal,
): Promise<void> => writeAtomically(path, [trainingPage(report, nodePageOptions())], signal)
