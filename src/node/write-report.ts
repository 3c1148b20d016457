import { tallyItems, tallyUsers } from '../describe/describe.js'
import type { Log } from '../log/log.js'
import { comparisonPage } from '../report/comparison-page.js'
import { evaluationPage } from '../report/evaluation-page.js'
import { type LogPage, logPage } from '../report/log-page.js'
import type { PageOptions } from '../report/report.js'
import { planPage } from '../report/plan-page.js'
import { trainingPage } from '../report/training-page.js'
import { tuningPage } from '../report/tuning-page.js'
import { createDocument } from './dom.js'
import { readVersion } from './version.js'
import { writeAtomically } from './write-atomically.js'

/** Writes the page about something to a file. */
type WriteReport<Page> = (path: string, page: Page, signal?: AbortSignal) => Promise<void>

const writing =
  <Page>(pageOf: (page: Page, options: PageOptions) => string): WriteReport<Page> =>
  async (path, page, signal) =>
    writeAtomically(path, [pageOf(page, nodePageOptions())], signal)

/** Writes the page about an evaluation: the verdict in words, estimates, weights, bootstrap distributions, λ curves. */
export const writeEvaluationReport = writing(evaluationPage)

/** Writes the page about a comparison: the differences drawn, and each policy's verdict. */
export const writeComparisonReport = writing(comparisonPage)

/** Writes the page about a plan: what is needed in words, power curves, what exploration would buy. */
export const writePlanReport = writing(planPage)

/**
 * Writes the page about a training: how good the model is in words, learning curves, weights, the comparison
 * with the baselines, overall and by popularity, every ranking metric, notes and settings.
 */
export const writeTrainingReport = writing(trainingPage)

/** Writes the page about a tuning: the answer, what each trial reached, all trials, the command that repeats the best. */
export const writeTuningReport = writing(tuningPage)

/** What a report about a log is made from. */
export interface LogReport extends Pick<LogPage, 'title' | 'description' | 'settings'> {
  readonly log: Log
}

/** Writes the page about a log: the summary, the numbers, the three data figures of the paper and, for estimated propensities, their calibration. */
export const writeLogReport = writing(({ log, ...report }: LogReport, options) => {
  const { catalogueKnown } = log
  return logPage({ ...report, items: tallyItems(log), users: tallyUsers(log), catalogueKnown }, options)
})

/** The document that Node draws pages in, and the program they name as their author. */
export const nodePageOptions = (): PageOptions => ({
  document: createDocument(),
  generatedBy: `hindcast ${readVersion()}`,
})
