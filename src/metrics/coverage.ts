/** Share of the catalogue that is recommended at all, from how often each item is recommended. */
export function coverage(recommended: Float64Array): number {
  let items = 0
  for (const times of recommended) if (times > 0) items++
  return items / recommended.length
}
