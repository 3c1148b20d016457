import type { Description, Tally } from '../describe/describe.js'
import type { Chart, FigureOptions } from '../figures/chart.js'
import {
  clickRatePerItem,
  exposurePerItem,
  interactionsPerUser,
  propensityCalibration,
} from '../figures/index.js'
import { summarise } from '../words/log-text.js'
import { logFacts } from './log-facts.js'
import type { PageOptions } from './page-options.js'
import { reportHtml } from './report.js'

/** What a page about a log is made from: not the log, but what was counted in it. */
export interface LogPage {
  readonly title: string
  readonly description: Description
  /** By `tallyItems` and `tallyUsers`. */
  readonly items: Tally
  readonly users: Tally
  /** Whether items never shown are among those of the log. */
  readonly catalogueKnown: boolean
  readonly settings: Readonly<Record<string, unknown>>
}

/** The page about a log, as HTML: the summary, the numbers and the figures of `logCharts`. */
export const logPage = (page: LogPage, { document, generatedBy, notes = {} }: PageOptions): string =>
  reportHtml({
    title: page.title,
    answer: summarise(page.description),
    facts: logFacts(page.description),
    charts: logCharts(page, { document }),
    settings: page.settings,
    notes,
    generatedBy,
  })

/** The three data figures of the paper and, for estimated propensities, their calibration. */
export function logCharts(
  { description, items, users, catalogueKnown }: Omit<LogPage, 'title' | 'settings'>,
  { document }: FigureOptions,
): Chart[] {
  const { estimate } = description.propensity
  return [
    clickRatePerItem(items, { document }),
    exposurePerItem(items, { document, catalogueKnown }),
    interactionsPerUser(users, { document }),
    ...(estimate ? [propensityCalibration(estimate, { document })] : []),
  ]
}
