/** The place of a number in an ascending stretch `from … to − 1`: of the first that is not below it; `to` when all are. */
export function placeIn(ascending: Uint32Array, number: number, from = 0, to = ascending.length): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ascending[middle]! < number) low = middle + 1
    else high = middle
  }
  return low
}
