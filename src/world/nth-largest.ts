/**
 * The n-th largest value, n from 1 to the number of values; none of them NaN. By quickselect (Hoare 1961), in time
 * proportional to their number; reorders `values`.
 */
export function nthLargest(values: Float64Array, n: number): number {
  const wanted = n - 1
  let low = 0
  let high = values.length - 1
  while (low < high) {
    const pivot = values[(low + high) >>> 1]!
    let left = low
    let right = high
    while (left <= right) {
      while (values[left]! > pivot) left++
      while (values[right]! < pivot) right--
      if (left > right) break
      const moved = values[left]!
      values[left++] = values[right]!
      values[right--] = moved
    }
    if (wanted <= right) high = right
    else if (wanted >= left) low = left
    else break
  }
  return values[wanted]!
}
