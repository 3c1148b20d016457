import { counted, formatCount, formatShare } from '../number-text.js'

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
