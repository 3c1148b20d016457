import type { Description } from '../describe/describe.js'
import type { Evaluation, LoggerValue } from '../estimate/evaluation.js'
import { counted, formatCount, formatPercent, formatRate, formatShare } from '../number-text.js'
import { formatFixed, valueDecimals } from './estimate-text.js'
import { estimateText } from './propensity-text.js'

/** What a log holds, in a sentence or two for people. */
export function summarise(description: Description): string {
  const { impressions, items, users, exposure, propensity, uniformTarget, rows } = description
  const shown = `${counted(Math.round(impressions), 'impression')} of ${counted(items, 'item')} to ${counted(users, 'user')}`
  const sentences = [`${shown}; ${clickSentence(description)}.`]
  if (items > 10)
    sentences.push(`The ten most shown items took ${formatShare(exposure.top10Share)} of all impressions.`)
  if (uniformTarget.ess !== null && uniformTarget.essRatio !== null)
    sentences.push(
      `For a uniform policy, the log is worth ${formatCount(Math.round(uniformTarget.ess))} uniformly random impressions ` +
        `(effective sample size ${formatPercent(uniformTarget.essRatio, 1)} of ${counted(rows, 'row')}).`,
    )
  if (propensity.estimate) sentences.push(estimateText(propensity.estimate))
  return sentences.join(' ')
}

/** Whether rewards are amounts or ratings, which nobody would call clicks. */
export const hasAmounts = ({ rewardRange: [least, most] }: Pick<Description, 'rewardRange'>): boolean =>
  least < 0 || most > 1

function clickSentence(description: Description): string {
  const { clickRate, clickRateInterval, meanReward } = description
  const [verb, mean] = hasAmounts(description)
    ? ['earned more than 0', `, ${Number(meanReward.toPrecision(3))} per impression on average`]
    : ['were clicked', '']
  if (!clickRateInterval) return `${formatShare(clickRate)} ${verb}${mean}`
  const { rate, interval } = formatRate(clickRate, clickRateInterval)
  return `${rate} ${verb} (95 % CI ${interval})${mean}`
}

/** How the rows of several loggers count, in a sentence; null where the log does not mark them. */
export function loggersText({ loggers, loggersCounted }: Evaluation): string | null {
  if (!loggers) return null
  if (loggers.length === 1) return 'All rows were drawn by one logger.'
  const all = `${loggers.length} loggers`
  switch (loggersCounted) {
    case 'balanced':
      return `Weights are balanced: the target’s probability over the mean probability under the ${all}.`
    case 'strata':
      return `The answer is a mean over the ${all}, each counted by how precisely it answers.`
    default:
      return `Every row counts alike, whichever of the ${all} drew it.`
  }
}

/** What the columns of `loggerCells` hold. */
export const LOGGER_COLUMNS = ['logger', 'rows', 'share', 'reward', 'SE', 'ESS'] as const

/** What a logger's rows say by themselves, as cells: its name, rows, share of the answer, reward under the target, standard error, effective sample size. */
export function loggerCells({ name, rows, share, value, se, ess }: LoggerValue): string[] {
  const decimals = value === null ? 0 : valueDecimals(value, se === null ? null : [value - se, value + se])
  return [
    loggerLabel(name),
    formatCount(Math.round(rows)),
    formatShare(share),
    value === null ? '–' : formatFixed(value, decimals),
    se === null ? '–' : formatFixed(se, decimals),
    ess === null ? '–' : formatCount(Math.round(ess)),
  ]
}

/** A logger as people read it. */
const loggerLabel = (name: string): string => (name === '' ? '(none)' : name)
