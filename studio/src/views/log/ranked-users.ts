import type { Tally } from '$core/describe/describe.js'

/** What users are ranked by, and it from the most to the least: clicks where all have as many impressions. */
export function rankedUsers({ impressions, clicks }: Tally): {
  by: 'impressions' | 'clicks'
  values: Float64Array
} {
  const active = impressions.filter((count) => count > 0)
  const isEven = active.every((count) => count === active[0])
  const values = isEven ? clicks.filter((_, user) => impressions[user]! > 0) : active
  return { by: isEven ? 'clicks' : 'impressions', values: values.sort().reverse() }
}
