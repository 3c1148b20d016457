import type { Description } from '../describe/description.js'
import { formatCount, formatPercent, formatShare } from '../number-text.js'
import { summarise } from '../words/log-text.js'
import { errorText } from '../words/propensity-text.js'
import { columns, significant, wrap } from './format.js'
import type { Terminal } from './terminal.js'

const BAR = 40
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** A description for a terminal of 80 columns. */
export function descriptionText(file: string, description: Description, terminal: Terminal): string {
  const { exposure, activity, propensity, uniformTarget } = description
  const heading = (text: string): string => terminal.style('bold', text)
  const facts: [string, string][] = [
    ['rows', formatCount(description.rows)],
    ...(description.impressions === description.rows
      ? []
      : ([['impressions they stand for', formatCount(description.impressions)]] satisfies [
          string,
          string,
        ][])),
    ['users', `${formatCount(description.users)}, with ${perUser(activity)} impressions each`],
    ['items shown', `${formatCount(description.items)}${neverShown(exposure)}`],
    ['click rate', rateText(description)],
    ...(description.meanReward === description.clickRate
      ? []
      : ([
          [
            'mean reward',
            `${significant(description.meanReward, 4)} (${description.rewardRange.map((value) => significant(value)).join(' to ')})`,
          ],
        ] satisfies [string, string][])),
    [
      'exposure',
      `Gini ${exposure.gini.toFixed(2)}; the top 10 items have ${formatShare(exposure.top10Share)}`,
    ],
    ['propensities', propensityText(propensity)],
    ...estimateFacts(propensity, description.rows),
    [
      'effective sample size',
      uniformTarget.ess === null
        ? 'unknown without propensities'
        : `${formatCount(Math.round(uniformTarget.ess))} (${formatPercent(uniformTarget.essRatio!, 1)} of the rows) for a uniform target`,
    ],
  ]
  return [
    heading(file),
    wrap(summarise(description)),
    '',
    columns(facts),
    '',
    heading('Impressions by tenths of the items, from the most shown to the least'),
    ...exposureBars(exposure.shareByTenth, terminal),
  ].join('\n')
}

const perUser = ({ minImpressions, medianImpressions, maxImpressions }: Description['activity']): string =>
  minImpressions === maxImpressions
    ? formatCount(minImpressions)
    : `${formatCount(minImpressions)} to ${formatCount(maxImpressions)} (median ${significant(medianImpressions)})`

const neverShown = ({ catalogue, neverShown: never }: Description['exposure']): string =>
  catalogue === null || never === null ? '' : ` of ${formatCount(catalogue)}; ${formatCount(never)} never`

function rateText({ clickRate, clickRateInterval }: Description): string {
  if (!clickRateInterval) return `${clickRate.toFixed(4)} (one user: no interval)`
  const [low, high] = clickRateInterval
  return `${clickRate.toFixed(4)} (95 % interval ${low.toFixed(4)}–${high.toFixed(4)})`
}

function propensityText({ source, min, max, floorShare }: Description['propensity']): string {
  if (min === null || max === null || floorShare === null) return 'none'
  const range =
    min === max ? `${significant(min)} on every row` : `${significant(min)} to ${significant(max)}`
  const floor = min === max ? '' : `; ${formatShare(floorShare)} of rows at the lowest`
  return `${range}, ${source}${floor}`
}

function estimateFacts({ estimate }: Description['propensity'], rows: number): [string, string][] {
  if (!estimate) return []
  const { method, folds, floor, rowsAtFloor, calibration, parameters } = estimate
  const unseen = parameters['unseenRows'] ?? 0
  return [
    ['estimated by', `${method}, in ${folds} folds of users, each from the others`],
    [
      'calibration',
      `off by ${errorText(calibration.error)} on average, ${errorText(calibration.errorByChance)} by chance alone; ${calibration.bins.length} bins`,
    ],
    [
      'floor',
      floor === undefined
        ? 'none'
        : `${significant(floor)}, on ${formatCount(rowsAtFloor)} rows (${formatShare(rowsAtFloor / rows)})`,
    ],
    ...(unseen === 0
      ? []
      : ([
          ['unseen by others', `items of ${formatCount(unseen)} rows (${formatShare(unseen / rows)})`],
        ] satisfies [string, string][])),
  ]
}

function exposureBars(shares: readonly number[], terminal: Terminal): string[] {
  const largest = Math.max(...shares)
  return shares.map((share, tenth) => {
    const eighths = Math.round((share / largest) * BAR * 8)
    const bar = '█'.repeat(eighths >> 3) + EIGHTHS[eighths & 7]!
    const label = `${tenth * 10}–${(tenth + 1) * 10} %`.padStart(9)
    return `  ${label}  ${terminal.style('blue', bar)} ${formatPercent(share, 1)}`
  })
}
