const WHOLE_NUMBER = /^(0|-?[1-9]\d{0,14})$/

/** True when every id is a whole number that a JavaScript number holds exactly. */
export const areWholeNumbers = (ids: readonly string[]): boolean => ids.every((id) => WHOLE_NUMBER.test(id))

/**
 * The positions of ids in the order a person expects: by number when all are whole numbers (2 before 10),
 * else as text. The order depends on the ids alone, not on where they appear in a file.
 */
export function orderOfIds(ids: readonly string[]): Uint32Array {
  const places = Uint32Array.from(ids, (_, k) => k)
  const keys: readonly (number | string)[] = areWholeNumbers(ids) ? ids.map(Number) : ids
  // Ids often arrive in order, and checking is far cheaper than sorting.
  if (keys.every((key, k) => k === 0 || keys[k - 1]! < key)) return places
  return places.sort((a, b) => (keys[a]! < keys[b]! ? -1 : keys[a]! > keys[b]! ? 1 : 0))
}
