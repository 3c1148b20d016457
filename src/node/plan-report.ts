import { type PlanPage, planPage } from '../report/plan-page.js'
import { nodePageOptions } from './page-options.js'
import { writeAtomically } from './write-atomically.js'

/** Writes the page about a plan: what is needed in words, power curves, what exploration would buy. */
export const writePlanReport = async (path: string, report: PlanPage, signal?: AbortSignal): Promise<void> =>
  writeAtomically(path, [planPage(report, nodePageOptions())], signal)
