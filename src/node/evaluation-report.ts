import { type ComparisonPage, comparisonPage } from '../report/comparison-page.js'
import { type EvaluationPage, evaluationPage } from '../report/evaluation-page.js'
import { nodePageOptions } from './page-options.js'
import { writeAtomically } from './write-atomically.js'

/** Writes the page about an evaluation: the verdict in words, estimates, weights, bootstrap distributions, λ curves. */
export const writeEvaluationReport = async (
  path: string,
  report: EvaluationPage,
  signal?: AbortSignal,
): Promise<void> => writeAtomically(path, [evaluationPage(report, nodePageOptions())], signal)

/** Writes the page about a comparison: the differences drawn, and each policy's verdict. */
export const writeComparisonReport = async (
  path: string,
  report: ComparisonPage,
  signal?: AbortSignal,
): Promise<void> => writeAtomically(path, [comparisonPage(report, nodePageOptions())], signal)
