/** The first index of an ascending array whose value is above the threshold; the last index if none is. */
export function firstAbove(ascending: Float64Array, threshold: number): number {
  let low = 0
  let high = ascending.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ascending[middle]! > threshold) high = middle
    else low = middle + 1
  }
  return low
}

/** The first index in the ascending range `from … to − 1` whose value is not below the threshold; `to` if all are. */
export function firstNotBelow(
  ascending: Uint32Array | Float64Array,
  threshold: number,
  from = 0,
  to = ascending.length,
): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ascending[middle]! < threshold) low = middle + 1
    else high = middle
  }
  return low
}
