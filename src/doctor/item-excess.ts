import type { Log } from '../log/log.js'
import { log as naturalLog } from '../portable-math.js'
import { logEvidenceOfExcess, mostEvidenceOfExcess } from './excess-evidence.js'
import { NO_PART, type RowParts } from './row-parts.js'

/** An item whose propensities do not fit how often it was shown, in the whole log or in a part of it. */
export interface Excess {
  readonly item: number
  readonly part: number
  /** Rows of the part, n. */
  readonly rows: number
  /** How many of them show the item. */
  readonly shown: number
  /** Σ 1/b over those: n, on average, if the item was always available and the propensities are right. */
  readonly sum: number
  /** Natural logarithm of the evidence; above ln(tests/α), chance is excluded at the level α. */
  readonly evidence: number
}

/** How many items are looked at row by row; a log in which more than these stand out has one cause for all. */
const CLOSER_LOOKS = 40
/** Items shown less often than this are left out. */
const SHOWN = 5

/**
 * Items that were shown more often than their propensities allow, the strongest evidence first. For each item,
 * Σ 1/b over the rows that show it has the mean n, or less where the item was not always available: new items,
 * items that left, candidates by user. So only more than n is evidence, at the level `alpha` over all items and
 * parts, and only an excess above `ratio` is reported. O(rows).
 */
export function excessOf(
  log: Log,
  propensity: Float64Array,
  parts: RowParts,
  { ratio, alpha = 1e-4 }: { ratio: number; alpha?: number },
): Excess[] {
  const count = parts.sizes.length
  const shownInAll = new Uint32Array(log.itemIds.length)
  for (let k = 0; k < log.rows; k++) shownInAll[log.item[k]!]!++
  const place = new Int32Array(log.itemIds.length).fill(-1)
  let items = 0
  for (let a = 0; a < place.length; a++) if (shownInAll[a]! >= SHOWN) place[a] = items++
  const shown = new Uint32Array(items * count)
  const sums = new Float64Array(items * count)
  for (let k = 0; k < log.rows; k++) {
    const at = place[log.item[k]!]!
    const part = parts.index[k]!
    if (at < 0 || part === NO_PART) continue
    shown[at * count + part]!++
    sums[at * count + part]! += 1 / propensity[k]!
  }
  const limit = naturalLog(Math.max(1, items * count) / alpha)
  const suspects: { cell: number; most: number }[] = []
  for (let cell = 0; cell < shown.length; cell++) {
    const rows = parts.sizes[cell % count]!
    if (shown[cell]! < SHOWN || sums[cell]! <= ratio * rows) continue
    const most = mostEvidenceOfExcess(rows, shown[cell]!, sums[cell]!)
    if (most > limit) suspects.push({ cell, most })
  }
  if (suspects.length === 0) return []
  suspects.sort((a, b) => b.most - a.most)
  const cells = suspects.slice(0, CLOSER_LOOKS).map(({ cell }) => cell)
  const inverses = inversesOf(log, propensity, parts, place, cells, shown)
  const itemAt = new Int32Array(items)
  for (let a = 0; a < place.length; a++) if (place[a]! >= 0) itemAt[place[a]!] = a
  return cells
    .map((cell, k) => ({
      item: itemAt[Math.floor(cell / count)]!,
      part: cell % count,
      rows: parts.sizes[cell % count]!,
      shown: shown[cell]!,
      sum: sums[cell]!,
      evidence: logEvidenceOfExcess(parts.sizes[cell % count]!, inverses[k]!),
    }))
    .filter(({ evidence }) => evidence > limit)
    .toSorted((a, b) => b.evidence - a.evidence)
}

/** The 1/b of the rows of some cells (item × part). */
function inversesOf(
  log: Log,
  propensity: Float64Array,
  parts: RowParts,
  place: Int32Array,
  cells: readonly number[],
  shown: Uint32Array,
): Float64Array[] {
  const count = parts.sizes.length
  const slot = new Map(cells.map((cell, k) => [cell, k]))
  const slotOf = new Int16Array(shown.length).fill(-1)
  for (const [cell, k] of slot) slotOf[cell] = k
  const inverses = cells.map((cell) => new Float64Array(shown[cell]!))
  const filled = new Uint32Array(cells.length)
  for (let k = 0; k < log.rows; k++) {
    const at = place[log.item[k]!]!
    if (at < 0 || parts.index[k] === NO_PART) continue
    const found = slotOf[at * count + parts.index[k]!]!
    if (found >= 0) inverses[found]![filled[found]!++] = 1 / propensity[k]!
  }
  return inverses
}
