import { counted, formatCount, formatRate } from '../number-text.js'

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
