import { type FactorAnswer, type FactorQuery, LARGEST_CELLS, PRIOR_SHOWINGS, USER_BUCKETS } from './query.js'
import type { ArrayRows } from './sorted-rows.js'

/** Groups, parts of time and items, of which rows show some. A cell is a group and an item: `group * items + item`. */
interface Grid {
  readonly groups: number
  readonly items: number
  /** An item counts in the parts from this one on, and before that one. */
  readonly from: Int32Array
  readonly to: Int32Array
  /** By group, at `group * stride + part`: the impressions before each part. */
  readonly shownBefore: Float64Array
  readonly stride: number
}

/** Sums by cell: of its rows, of the measure m and of its square, of w and of w r, each as often as rows count. */
interface CellSums {
  readonly showings: Float64Array
  readonly measured: Float64Array
  readonly squared: Float64Array
  readonly weight: Float64Array
  readonly reward: Float64Array
  readonly all: Pair
  /** Of the rows that are in no cell. */
  readonly outside: Pair
}

/** Σ w and Σ w r. */
interface Pair {
  weight: number
  reward: number
}

/** Cells with their ratios. */
interface Repaired extends Pair {
  readonly ratio: Float64Array
  /** By how much a ratio moves with each unit measured; 0 where it is not measured. */
  readonly drawn: Float64Array
  readonly level: number
  readonly below: number
  readonly above: number
}

/** Outside of all groups, or parts. */
export const NOWHERE = 0xffff

/** A repair, with what its numbers are in each row. */
export interface FactorColumns {
  readonly query: FactorQuery
  readonly w: Float64Array
  readonly measure: Float64Array
  readonly group: Uint16Array
  readonly part: Uint16Array | undefined
}

/** The answer to a repair by groups of rows in typed arrays. */
export function factorAnswer(rows: ArrayRows, columns: FactorColumns): FactorAnswer {
  const grid = gridOf(rows, columns)
  const sums = sumCells(rows, columns, grid)
  const repaired = repair(grid, sums)
  const { slope, back, largest } = influence(grid, sums, repaired)
  const { weight, reward, level, below, above, ratio } = repaired
  return {
    weight,
    reward,
    users: influenceByUser(rows, columns, grid, sums, repaired, slope, back),
    level,
    below,
    above,
    largest: largest.map(({ cell, shift }) => ({
      item: columns.query.of === 'item' ? rows.itemIds[cell % grid.items]! : null,
      group: Math.floor(cell / grid.items),
      ratio: ratio[cell]!,
      shift,
    })),
  }
}

/** The impressions of each group by part of time, and in which parts each item was there. */
function gridOf(
  { rows, item, itemIds, columns: { n } }: ArrayRows,
  { query, group, part }: FactorColumns,
): Grid {
  const isByItem = query.of === 'item'
  const [groups, parts, items] = [query.by.size, query.time?.size ?? 1, isByItem ? itemIds.length : 1]
  const stride = parts + 1
  const shownBefore = new Float64Array(groups * stride)
  const [first, last] = [new Int32Array(items).fill(parts), new Int32Array(items).fill(-1)]
  for (let row = 0; row < rows; row++) {
    const [g, p] = [group[row]!, part ? part[row]! : 0]
    if (g === NOWHERE || p === NOWHERE) continue
    shownBefore[g * stride + p + 1]! += n ? n[row]! : 1
    const own = isByItem ? item[row]! : 0
    if (p < first[own]!) first[own] = p
    if (p > last[own]!) last[own] = p
  }
  for (let place = 1; place < shownBefore.length; place++)
    if (place % stride > 0) shownBefore[place]! += shownBefore[place - 1]!
  // Before an item was first shown and after it was last, it may not have been there.
  return {
    groups,
    items,
    from: part ? first.map((p) => p + 1) : first.fill(0),
    to: part ? last : last.map((p) => p + 1),
    shownBefore,
    stride,
  }
}

function sumCells(
  { rows, item, columns: { r, n } }: ArrayRows,
  { w, measure, group, part }: FactorColumns,
  { groups, items, from, to }: Grid,
): CellSums {
  const column = (): Float64Array => new Float64Array(groups * items)
  const [showings, measured, squared, weight, reward] = [column(), column(), column(), column(), column()]
  const pair = (): Pair => ({ weight: 0, reward: 0 })
  const [all, outside] = [pair(), pair()]
  for (let row = 0; row < rows; row++) {
    const [g, p, own] = [group[row]!, part ? part[row]! : 0, items === 1 ? 0 : item[row]!]
    const count = n ? n[row]! : 1
    const x = count * w[row]!
    const y = x * r[row]!
    all.weight += x
    all.reward += y
    if (g === NOWHERE || p < from[own]! || p >= to[own]!) {
      outside.weight += x
      outside.reward += y
      continue
    }
    const cell = g * items + own
    const m = count * measure[row]!
    showings[cell]! += 1
    measured[cell]! += m
    squared[cell]! += m * m
    weight[cell]! += x
    reward[cell]! += y
  }
  return { showings, measured, squared, weight, reward, all, outside }
}

/** The influence of each row, as each of them moves its ratio, by bucket of users. */
function influenceByUser(
  { rows, item, columns: { r, n, u } }: ArrayRows,
  { w, measure, group, part }: FactorColumns,
  { items, from, to, stride }: Grid,
  { all }: CellSums,
  { ratio, weight, reward }: Repaired,
  slope: Float64Array,
  back: Float64Array,
): Float64Array {
  const [before, after] = [all.reward / all.weight, reward / weight]
  const users = new Float64Array(USER_BUCKETS)
  for (let row = 0; row < rows; row++) {
    const [g, p, own] = [group[row]!, part ? part[row]! : 0, items === 1 ? 0 : item[row]!]
    const isThere = g !== NOWHERE && p !== NOWHERE
    const cell = g * items + own
    let moved = isThere ? back[g * stride + p]! : 0
    if (isThere && p >= from[own]! && p < to[own]!)
      moved += (w[row]! * (r[row]! - after)) / ratio[cell]! - slope[cell]! * measure[row]!
    else moved += w[row]! * (r[row]! - after)
    // There are as many buckets as a power of two.
    users[u[row]! & (USER_BUCKETS - 1)]! +=
      (n ? n[row]! : 1) * (moved / weight - (w[row]! * (r[row]! - before)) / all.weight)
  }
  return users
}

/** The impressions of a group among which an item could have been shown. */
function present({ items, from, to, shownBefore, stride }: Grid, cell: number): number {
  const item = cell % items
  const base = ((cell - item) / items) * stride
  return to[item]! > from[item]! ? shownBefore[base + to[item]!]! - shownBefore[base + from[item]!]! : 0
}

/** The ratio of each cell, and Σ w and Σ w r with weights divided by it. */
function repair(grid: Grid, { showings, measured, squared, weight, reward, outside }: CellSums): Repaired {
  const ratio = new Float64Array(showings.length).fill(1)
  const drawn = new Float64Array(showings.length)
  const repaired = { ...outside }
  let [below, above, level, all] = [0, 0, 0, 0]
  for (let cell = 0; cell < ratio.length; cell++) {
    const there = present(grid, cell)
    if (there <= 0) continue
    all += there
    level += measured[cell]!
    if (showings[cell] === 0) continue
    const off = measured[cell]! / there - 1
    const error = Math.sqrt(Math.max(0, squared[cell]! - measured[cell]! ** 2 / there)) / there
    if (off > 4 * error) above++
    if (off < -4 * error) below++
    drawn[cell] = showings[cell]! / (showings[cell]! + PRIOR_SHOWINGS) / there
    ratio[cell] = 1 + drawn[cell]! * (measured[cell]! - there)
    repaired.weight += weight[cell]! / ratio[cell]!
    repaired.reward += reward[cell]! / ratio[cell]!
  }
  return { ...repaired, ratio, drawn, level: all > 0 ? level / all : 1, below, above }
}

/** How the repaired mean moves with what is measured: by cell for a row in it, and by group and part of time for each row there; and the cells that move it most. */
function influence(
  grid: Grid,
  { measured, weight, reward, all }: CellSums,
  repaired: Repaired,
): { slope: Float64Array; back: Float64Array; largest: { cell: number; shift: number }[] } {
  const { items, from, to, stride } = grid
  const { ratio, drawn } = repaired
  const [before, after] = [all.reward / all.weight, repaired.reward / repaired.weight]
  const slope = new Float64Array(ratio.length)
  const back = new Float64Array(grid.groups * stride)
  const largest: { cell: number; shift: number }[] = []
  for (let cell = 0; cell < ratio.length; cell++) {
    if (drawn[cell] === 0) continue
    slope[cell] = ((reward[cell]! - after * weight[cell]!) / ratio[cell]! ** 2) * drawn[cell]!
    // What a row of the group takes back, spread over the parts in which the item was there.
    const taken = (slope[cell]! * measured[cell]!) / present(grid, cell)
    const item = cell % items
    const base = ((cell - item) / items) * stride
    back[base + from[item]!]! += taken
    back[base + to[item]!]! -= taken
    const own = reward[cell]! - before * weight[cell]!
    keepLargest(largest, { cell, shift: own / ratio[cell]! / repaired.weight - own / all.weight })
  }
  for (let place = 1; place < back.length; place++) if (place % stride > 0) back[place]! += back[place - 1]!
  return { slope, back, largest }
}

function keepLargest<Cell extends { shift: number }>(largest: Cell[], cell: Cell): void {
  const size = Math.abs(cell.shift)
  if (!(size > (largest.length < LARGEST_CELLS ? -1 : Math.abs(largest.at(-1)!.shift)))) return
  largest.push(cell)
  largest.sort((a, b) => Math.abs(b.shift) - Math.abs(a.shift))
  largest.splice(LARGEST_CELLS)
}
