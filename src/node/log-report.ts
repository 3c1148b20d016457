import { tallyItems, tallyUsers } from '../describe/describe.js'
import type { Log } from '../log/log.js'
import { type LogPage, logPage } from '../report/log-page.js'
import { nodePageOptions } from './page-options.js'
import { writeAtomically } from './write-atomically.js'

/** What a report about a log is made from. */
export interface LogReport extends Pick<LogPage, 'title' | 'description' | 'settings'> {
  readonly log: Log
}

/** Writes the page about a log: the summary, the numbers, the three data figures of the paper and, for estimated propensities, their calibration. */
export async function writeLogReport(
  path: string,
  { log, ...report }: LogReport,
  signal?: AbortSignal,
): Promise<void> {
  const { catalogueKnown } = log
  const page: LogPage = { ...report, items: tallyItems(log), users: tallyUsers(log), catalogueKnown }
  await writeAtomically(path, [logPage(page, nodePageOptions())], signal)
}
