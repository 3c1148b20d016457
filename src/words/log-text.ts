import type { Description } from '../describe/describe.js'
import { counted, formatCount, formatPercent, formatRate, formatShare } from '../number-text.js'
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
