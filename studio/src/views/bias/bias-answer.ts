import { formatEstimate, formatFixed, valueDecimals } from '$core/words/estimate-text.js'
import { counted, formatCount, formatShare, formatTick } from '$core/number-text.js'
import type { BiasedLog } from '../../desk/bias.js'
import type { BiasTargetName } from '../../desk/bias-world.js'

/** Target policies in words, to follow "For". */
const TARGET_WORDS: Readonly<Record<BiasTargetName, string>> = {
  uniform: 'a uniform policy',
  popularity: 'a popularity policy',
  taste: 'a policy based on true taste',
}

/** The share of impressions on the most shown items: ten, or one in a small catalogue. */
export function topShare({ impressions, ids }: BiasedLog['items']): { items: number; share: number } {
  const items = ids.length > 20 ? 10 : 1
  const falling = impressions.toSorted().reverse()
  const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0)
  return { items, share: sum(falling.subarray(0, items)) / sum(falling) }
}

/**
 * What a log of this bias shows, its effective sample size for the target, and how far its estimate is from the truth.
 *
 * @param world where it was drawn, to follow "In"; only for a world other than the one that was opened
 */
export function biasAnswer(log: BiasedLog, world?: string): string {
  const { temperature, items, rows, target, ess, snips, interval, truth } = log
  const top = topShare(items)
  const catalogue = counted(items.ids.length, 'item')
  const exposure =
    top.items === 1
      ? `the most shown of ${catalogue} gets ${formatShare(top.share)}`
      : `the ten most shown of ${catalogue} get ${formatShare(top.share)}`
  const all = counted(rows, 'row')
  const effective =
    ess === null
      ? `none of ${all} counts`
      : `the effective sample size is ${formatCount(Math.round(ess))} of ${all}`
  return (
    `${world === undefined ? 'At' : `In ${world} at`} temperature ${formatTick(temperature)}, ${exposure} of impressions. For ${TARGET_WORDS[target]}, ` +
    `${effective}. ${estimateText(snips, interval, truth)}`
  )
}

function estimateText(snips: number | null, interval: BiasedLog['interval'], truth: number): string {
  if (snips === null)
    return `SNIPS has no value; the truth is ${formatFixed(truth, valueDecimals(truth, null))}.`
  const { value, interval: range } = formatEstimate(snips, interval)
  const known = formatFixed(truth, valueDecimals(snips, interval))
  if (interval === null || range === null)
    return `SNIPS estimates ${value} clicks per impression, with no confidence interval; the truth is ${known}.`
  const isInside = interval[0] <= truth && truth <= interval[1]
  return (
    `SNIPS estimates ${value} clicks per impression (95 % CI ${range}); the truth, ${known}, is ` +
    `${isInside ? 'inside' : 'outside'}.`
  )
}
