/** How many rows of a log satisfy a condition, and the first five of them. */
export interface MatchingRows {
  readonly count: number
  readonly rows: readonly number[]
}

/** Counts the rows 0 … `length − 1` for which `matches` holds. */
export function matchingRows(length: number, matches: (row: number) => boolean): MatchingRows {
  const rows: number[] = []
  let count = 0
  for (let k = 0; k < length; k++) {
    if (!matches(k)) continue
    count++
    if (rows.length < 5) rows.push(k)
  }
  return { count, rows }
}
