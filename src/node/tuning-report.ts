import { type TuningPage, tuningPage } from '../report/tuning-page.js'
import { nodePageOptions } from './page-options.js'
import { writeAtomically } from './write-atomically.js'

/** Writes the page about a tuning: the answer, what each trial reached, all trials, the command that repeats the best. */
export const writeTuningReport = async (
  path: string,
  report: TuningPage,
  signal?: AbortSignal,
): Promise<void> => writeAtomically(path, [tuningPage(report, nodePageOptions())], signal)
