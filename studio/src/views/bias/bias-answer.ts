import { formatEstimate, formatFixed, valueDecimals } from '$core/words/estimate-text.js'
import { counted, formatCount, formatShare, formatTick } from '$core/number-text.js'
import type { BiasedLog } from '../../desk/bias.js'
import type { BiasTargetName } from '../../desk/bias-world.js'

/** Target policies in words, to stand after "about". */
const TARGET_WORDS: Readonly<Record<BiasTargetName, string>> = {
  uniform: 'a uniform policy',
  popularity: 'a policy by popularity',
  taste: 'a policy by true taste',
}

/** The share of impressions on the items shown most: ten, or one where there are hardly more. */
export function topShare({ impressions, ids }: BiasedLog['items']): { items: number; share: number } {
  const items = ids.length > 20 ? 10 : 1
  const falling = impressions.toSorted().reverse()
  const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0)
  return { items, share: sum(falling.subarray(0, items)) / sum(falling) }
}

/**
 * What a log of this bias shows, how much of it counts for the target, and how far its estimate is from the truth.
 *
 * @param world where it was drawn, to stand after "in"; for a world that is not the one a person opened
 */
export function biasAnswer(log: BiasedLog, world?: string): string {
  const { temperature, items, rows, target, ess, snips, interval, truth } = log
  const top = topShare(items)
  const catalogue = counted(items.ids.length, 'item')
  const exposure =
    top.items === 1
      ? `the most shown of ${catalogue} takes ${formatShare(top.share)}`
      : `the ten most shown of ${catalogue} take ${formatShare(top.share)}`
  const effective = ess === null ? 'none' : formatCount(Math.round(ess))
  return (
    `${world === undefined ? 'At' : `In ${world} at`} temperature ${formatTick(temperature)} ${exposure} of impressions. About ${TARGET_WORDS[target]}, of ` +
    `${counted(rows, 'row')} ${effective} count (the effective sample). ${estimateText(snips, interval, truth)}`
  )
}

function estimateText(snips: number | null, interval: BiasedLog['interval'], truth: number): string {
  if (snips === null)
    return `SNIPS has no value; the truth is ${formatFixed(truth, valueDecimals(truth, null))}.`
  const { value, interval: range } = formatEstimate(snips, interval)
  const known = formatFixed(truth, valueDecimals(snips, interval))
  if (interval === null || range === null)
    return `SNIPS says ${value} clicks an impression, without an interval; the truth is ${known}.`
  const isInside = interval[0] <= truth && truth <= interval[1]
  return (
    `SNIPS says ${value} clicks an impression (95 % interval ${range}); the truth, ${known}, is ` +
    `${isInside ? 'inside' : 'outside'}.`
  )
}
