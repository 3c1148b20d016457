import type { Metric } from '../metrics/user-mean.js'
import { formatEstimate } from './estimate-text.js'

/** Whether a lead is beyond noise, and for whom. Without an interval, as with a single user, nobody can say. */
export function outcomeOf({ interval }: Metric): 'ahead' | 'behind' | 'open' {
  if (!interval) return 'open'
  const [low, high] = interval
  return low > 0 ? 'ahead' : high < 0 ? 'behind' : 'open'
}

/** A lead and its interval, of the sign that is asked for. */
export function signedLead({ value, interval }: Metric, sign: 1 | -1): Metric {
  return { value: sign * value, interval: interval && orderedPair(sign * interval[0], sign * interval[1]) }
}

const orderedPair = (a: number, b: number): readonly [number, number] => (a < b ? [a, b] : [b, a])

/** A lead with its sign, the measure and the interval: "+0.031 NDCG@10 (95 % CI 0.022–0.040)". */
export function leadText(lead: Metric, measure: string, sign: 1 | -1 = 1): string {
  const { value, interval } = signedLead(lead, sign)
  const written = formatEstimate(value, interval)
  const range = written.interval === null ? 'no interval' : `95 % CI ${written.interval}`
  return `${value > 0 ? '+' : ''}${written.value} ${measure} (${range})`
}
