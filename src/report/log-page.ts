import type { Description, Tally } from '../describe/describe.js'
import type { Chart, FigureOptions } from '../figures/chart.js'
import {
  clickRatePerItem,
  exposurePerItem,
  interactionsPerUser,
  propensityCalibration,
} from '../figures/index.js'
import { counted, formatCount, formatPercent, formatRate, formatShare } from '../number-text.js'
import { hasAmounts, summarise } from '../words/log-text.js'
import { errorText } from '../words/propensity-text.js'
import { type Fact, type PageOptions, reportHtml } from './report.js'

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

/** The numbers of a log, each with its uncertainty or what it means; `skipped` rows were left out when it was read. */
export function logFacts(description: Description, skipped = 0): Fact[] {
  const { rows, impressions, clickRate, clickRateInterval, exposure, activity, propensity, uniformTarget } =
    description
  const { rate, interval } = clickRateInterval
    ? formatRate(clickRate, clickRateInterval)
    : { rate: formatShare(clickRate), interval: undefined }
  return [
    {
      label: 'Impressions',
      value: formatCount(Math.round(impressions)),
      ...(impressions !== rows && { note: `in ${counted(rows, 'row')}` }),
      ...(skipped > 0 && { note: `${counted(skipped, 'row')} left out: they break a rule` }),
    },
    {
      label: 'Users',
      value: formatCount(description.users),
      note: `median ${counted(activity.medianImpressions, 'impression')} per user`,
    },
    {
      label: 'Items shown',
      value: formatCount(description.items),
      note:
        exposure.neverShown === null
          ? 'items never shown are unknown'
          : `${formatCount(exposure.neverShown)} of ${formatCount(exposure.catalogue!)} never shown`,
    },
    ...(hasAmounts(description)
      ? [
          {
            label: 'Mean reward',
            value: String(Number(description.meanReward.toPrecision(3))),
            note: `from ${description.rewardRange.map((end) => Number(end.toPrecision(3))).join(' to ')}`,
          },
        ]
      : []),
    {
      label: hasAmounts(description) ? 'Rewards above 0' : 'Click-through rate',
      value: rate,
      note: interval ? `95 % CI ${interval}` : 'no confidence interval from one user',
    },
    { label: 'Gini of exposure', value: exposure.gini.toFixed(2), note: '0: even; 1: all on one item' },
    {
      label: 'Propensities',
      value:
        propensity.min === null
          ? 'none'
          : [propensity.min, propensity.max!].map((value) => String(Number(value.toPrecision(2)))).join('–'),
      note: propensity.source === 'none' ? 'only counts, no estimates' : propensity.source,
    },
    ...(propensity.estimate
      ? [
          {
            label: 'Calibration',
            value: `off by ${errorText(propensity.estimate.calibration.error)}`,
            note: `${errorText(propensity.estimate.calibration.errorByChance)} expected by chance; ${counted(propensity.estimate.rowsAtFloor, 'row')} at the floor`,
          },
        ]
      : []),
    {
      label: 'Effective sample size',
      value: uniformTarget.ess === null ? 'unknown' : formatCount(Math.round(uniformTarget.ess)),
      note:
        uniformTarget.essRatio === null
          ? 'needs propensities'
          : `${formatPercent(uniformTarget.essRatio, uniformTarget.essRatio < 0.1 ? 2 : 1)} of the rows, for a uniform target`,
    },
  ]
}
