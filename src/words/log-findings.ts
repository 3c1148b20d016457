import { counted, formatCount, formatRate, formatShare } from '../number-text.js'

/** Items counted by whether their click rate lies within what chance gives. */
interface ItemCounts {
  items: number
  impressions: number
  /** The click rate of the whole log. */
  overall: number
  outside: number
  /** How many would be outside if all had the overall rate. */
  byChance: { mean: number; variance: number }
  rate: string
  interval: string
}

/** Whether more items than chance gives differ from the overall click rate. */
export function clickRateFinding({
  items,
  impressions,
  overall,
  outside,
  byChance,
  rate,
  interval,
}: ItemCounts): string {
  if (overall === 0) return `None of ${counted(impressions, 'impression')} was clicked`
  if (overall === 1) return `All ${counted(impressions, 'impression')} were clicked`
  if (items === 1) {
    return `The only item was clicked in ${rate} of its ${formatCount(impressions)} impressions (95 % CI ${interval})`
  }
  const { mean, variance } = byChance
  // Two standard deviations above what luck puts outside.
  if (outside > mean + 2 * Math.sqrt(variance)) {
    return (
      `${formatCount(outside)} of ${formatCount(items)} items differ from the overall click rate of ${rate} ` +
      `by more than chance; chance alone would give about ${formatCount(Math.max(1, Math.round(mean)))}`
    )
  }
  const inside =
    outside === 0 ? `All ${formatCount(items)}` : `${formatCount(items - outside)} of ${formatCount(items)}`
  return `${inside} items differ from the overall click rate of ${rate} by no more than chance`
}

/** The click rate of one item, to follow a colon. */
export function itemRateText(
  { id, impressions, clicks }: { readonly id: string; readonly impressions: number; readonly clicks: number },
  [lower, upper]: readonly [number, number],
): string {
  const { rate, interval } = formatRate(clicks / impressions, [lower, upper])
  return `item ${id} was clicked in ${rate} of its ${counted(impressions, 'impression')} (95 % CI ${interval})`
}

/** Impressions of each user, rising, with their median and the impressions of the whole log. */
interface Activity {
  readonly impressions: Float64Array
  readonly median: number
  readonly total: number
}

/** The median user and the most active ones; of a part, which `part` names, the share of all impressions. */
export function impressionsFinding({ impressions, median, total }: Activity, part?: string): string {
  const users = impressions.length
  const shareOf = (some: Float64Array): string =>
    formatShare(some.reduce((sum, each) => sum + each, 0) / total)
  if (part)
    return `${part} account for ${shareOf(impressions)} of all impressions; their median is ${formatCount(median)}`
  const tenth = Math.max(1, Math.round(users / 10))
  const most =
    users >= 20
      ? `the most active 10 % of users account for ${shareOf(impressions.slice(-tenth))} of all impressions`
      : `the most active user has ${formatCount(impressions.at(-1)!)}`
  return `The median user has ${counted(median, 'impression')}; ${most}`
}

/** Users who all have the same number of impressions, and the median of their clicks. */
interface EvenActivity {
  readonly users: number
  readonly impressions: number
  readonly median: number
}

/** What the median user clicked where all have the same number of impressions. */
export function clicksFinding({ users, impressions, median }: EvenActivity, part?: string): string {
  const each = counted(impressions, 'impression')
  if (part) return `${part}, by clicks: the median user clicked ${formatCount(median)} of ${each}`
  return users === 1
    ? `The only user has ${each} and ${counted(median, 'click')}`
    : `Every user has ${each}; the median user clicked ${formatCount(median)} of them`
}

/** How many of the `candidates` it takes to make up half of all impressions; `impressions` of each, most first. */
export function exposureFinding(impressions: readonly number[], total: number, candidates: number): string {
  if (candidates === 1) return `The only item took all ${counted(total, 'impression')}`
  let running = 0
  let half = 0
  while (running < total / 2) running += impressions[half++]!
  const share = half / candidates
  const words = `${formatCount(half)} of ${counted(candidates, 'item')} (${formatShare(share)})`
  if (half === 1)
    return `One of ${formatCount(candidates)} items took ${formatShare(running / total)} of all impressions`
  if (share > 0.45) return `Exposure is nearly even: half of all impressions are spread over ${words}`
  return `Half of all impressions went to ${words}`
}

/** A rank and the share of all impressions down to it. */
export interface Reached {
  readonly rank: number
  readonly share: number
}

/** How many items of a catalogue reach half of all impressions. */
export const concentrationFinding = (half: Reached, catalogue: number): string =>
  half.rank === 1
    ? `One of ${formatCount(catalogue)} items took ${formatShare(half.share)} of all impressions`
    : `Half of all impressions went to ${formatCount(half.rank)} of ${counted(catalogue, 'item')} (${formatShare(half.rank / catalogue)})`

/** A part in words, to begin a sentence with: "Ranks 101 to 200 of 1,682 items". */
export const ranksText = (
  { from, to }: { readonly from: number; readonly to: number },
  count: number,
  one: string,
): string =>
  (from === to ? `Rank ${formatCount(from)}` : `Ranks ${formatCount(from)} to ${formatCount(to)}`) +
  ` of ${counted(count, one)}`
