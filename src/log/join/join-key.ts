/** Between the id of a decision and an item, where both are needed to tell rows apart. */
export const SEPARATOR = '\u001f'

/** What makes an id loose: capitals, blanks at its ends, or a fraction of zeros, as tables of floats write whole numbers. */
const LOOSE = /[A-Z]|^[ \t-\r]|[ \t-\r]$|\d\.0+$/

/**
 * An id without what files differ in: capitals, blanks at its ends, and `.0` behind a whole number. Only letters of ASCII
 * are lowered, so that every engine does the same.
 */
function looseId(id: string): string {
  if (!LOOSE.test(id)) return id
  const trimmed = id.replace(/^[ \t-\r]+/, '').replace(/[ \t-\r]+$/, '')
  return trimmed.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()).replace(/^([+-]?\d+)\.0+$/, '$1')
}

/** The key of a row from the id of its decision and, where it takes both, its item; undefined where one is missing. */
export function keyOf(
  decision: string | undefined,
  item: string | undefined,
  { withItem, isLoose }: { readonly withItem: boolean; readonly isLoose: boolean },
): string | undefined {
  if (decision === undefined || (withItem && item === undefined)) return undefined
  const id = isLoose ? looseId(decision) : decision
  return withItem ? `${id}${SEPARATOR}${isLoose ? looseId(item!) : item}` : id
}

/** The loose form of a whole key. */
export const looseKey = (key: string): string =>
  key.includes(SEPARATOR) ? key.split(SEPARATOR).map(looseId).join(SEPARATOR) : looseId(key)
