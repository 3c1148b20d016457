import type { Description } from '../describe/description.js'
import type { Tally } from '../describe/tally.js'
import type { Chart, FigureOptions } from '../figures/chart.js'
import {
  clickRatePerItem,
  exposurePerItem,
  interactionsPerUser,
  propensityCalibration,
} from '../figures/index.js'
import { summarise } from '../words/log-text.js'
import { errorText } from '../words/propensity-text.js'
import type { Fact } from './facts.js'
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
    facts: factsOf(page.description),
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

function factsOf(description: Description): Fact[] {
  const { rows, users, items, clickRate, exposure, propensity, uniformTarget } = description
  const whole = (value: number): string => Math.round(value).toLocaleString('en-US')
  const percent = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 2 : 1)} %`
  return [
    { label: 'Impressions', value: whole(rows) },
    { label: 'Users', value: whole(users) },
    {
      label: 'Items shown',
      value: whole(items),
      ...(exposure.neverShown !== null && {
        note: `${whole(exposure.neverShown)} of ${whole(exposure.catalogue!)} never shown`,
      }),
    },
    { label: 'Click rate', value: percent(clickRate) },
    { label: 'Gini index of exposure', value: exposure.gini.toFixed(2), note: '0: even; 1: all on one item' },
    {
      label: 'Propensities',
      value:
        propensity.min === null
          ? 'none'
          : `${propensity.min.toPrecision(2)}–${propensity.max!.toPrecision(2)}`,
      note: propensity.source,
    },
    ...(propensity.estimate
      ? [
          {
            label: 'Calibration',
            value: `off by ${errorText(propensity.estimate.calibration.error)}`,
            note: `${errorText(propensity.estimate.calibration.errorByChance)} by chance; ${whole(propensity.estimate.rowsAtFloor)} rows at the floor`,
          },
        ]
      : []),
    {
      label: 'Effective sample size',
      value: uniformTarget.ess === null ? 'unknown' : whole(uniformTarget.ess),
      note:
        uniformTarget.essRatio === null
          ? 'needs propensities'
          : `${percent(uniformTarget.essRatio)} of rows, uniform target`,
    },
  ]
}
