import { BLOCK, type RowArrays, vectorise } from '../sql/vectorise.js'
import {
  type Answers,
  type Batch,
  type FactorAnswer,
  type FactorCell,
  type FactorQuery,
  type Label,
  LARGEST_CELLS,
  PRIOR_SHOWINGS,
  type RowNumber,
  type Sums,
  type SumsQuery,
  userBucket,
} from './query.js'
import { Windows, type WindowRows } from './windows.js'
import { namedIn } from '../expression.js'

/** Rows in typed arrays, as queries see them. */
export interface ArrayRows extends Omit<WindowRows, 'compute' | 'ties'> {
  /** The columns of rows that are there: r, w, b, n, t, k, u, i. */
  readonly columns: RowArrays<string>
  readonly itemIds: readonly string[]
}

/** The rows of a log in memory, which answer batches; what no weight changes is computed once for all targets. */
export class ArrayAnswers {
  readonly #rows: ArrayRows
  /** Windows by what they compute, those over weights apart: they are of one target. */
  readonly #kept = new Map<string, Float64Array>()
  readonly #windows: Windows

  constructor(rows: ArrayRows) {
    this.#rows = rows
    const { r, b, i } = rows.columns
    this.#windows = new Windows({
      ...rows,
      ties: [i, r, b].filter((column) => column !== undefined),
      compute: (numbers) => this.#whole(numbers, this.#columns),
    })
  }

  #columns: RowArrays<string> = {}

  /** Answers a batch for the target with these weights. */
  answer({ windows, sums, factors }: Batch, w: Float64Array): Answers {
    const columns: Record<string, Float64Array> = { ...this.#rows.columns, w } as Record<string, Float64Array>
    const ofTarget = new Set(['w'])
    this.#columns = columns
    for (const window of windows) {
      const needs = [window.of, ...(typeof window.over === 'string' ? [] : window.over)].flatMap(namedIn)
      const isOfTarget = needs.some((name) => ofTarget.has(name))
      const key = JSON.stringify(window)
      if (isOfTarget) ofTarget.add(window.name)
      const made = (isOfTarget ? undefined : this.#kept.get(key)) ?? this.#windows.compute(window)
      if (!isOfTarget) this.#kept.set(key, made)
      columns[window.name] = made
    }
    return {
      sums: mapped(sums, (query) => this.#sum(query)),
      factors: mapped(factors, (query) => this.#factor(query, w)),
    }
  }

  /** Whole columns of numbers. */
  #whole(numbers: readonly RowNumber[], columns: RowArrays<string>): Float64Array[] {
    const out = numbers.map(() => new Float64Array(this.#rows.rows))
    this.#eachBlock(numbers, columns, (values, from, count) => {
      for (const [k, column] of values.entries()) out[k]!.set(column.subarray(0, count), from)
    })
    return out
  }

  #eachBlock(
    numbers: readonly RowNumber[],
    columns: RowArrays<string>,
    visit: (values: readonly Float64Array[], from: number, count: number) => void,
  ): void {
    const compute = vectorise(numbers, columns)
    for (let from = 0; from < this.#rows.rows; from += BLOCK) {
      const count = Math.min(BLOCK, this.#rows.rows - from)
      visit(compute(from, count), from, count)
    }
  }

  #sum({ by, sums }: SumsQuery): Sums {
    const names = Object.keys(sums)
    const cells = by.reduce((size, label) => size * label.size, 1)
    const out = names.map(() => new Float64Array(cells))
    const cell = new Int32Array(BLOCK)
    const numbers = [...by.map(({ of }) => of), ...names.map((name) => sums[name]!)]
    this.#eachBlock(numbers, this.#columns, (values, _, count) => {
      placesOf(by, values, count, cell)
      for (const [s, column] of values.slice(by.length).entries()) {
        const into = out[s]!
        for (let k = 0; k < count; k++) if (cell[k]! >= 0) into[cell[k]!]! += column[k]!
      }
    })
    return Object.fromEntries(names.map((name, s) => [name, out[s]!]))
  }

  #factor({ measure, of, by, time }: FactorQuery, w: Float64Array): FactorAnswer {
    const { rows, item: items, items: count, itemIds, columns } = this.#rows
    const [r, n] = [columns['r']!, columns['n']]
    const labels: Label[] = [by, ...(time ? [time] : []), userBucket]
    const [m, g, ...rest] = this.#whole([measure, ...labels.map((label) => label.of)], this.#columns)
    const part = time && rest[0]
    const user = rest.at(-1)!
    const [groups, parts, K] = [by.size, time?.size ?? 1, of === 'item' ? count : 1]
    const itemOf = (row: number): number => (of === 'item' ? items[row]! : 0)

    // In which parts of time each item was there.
    const first = new Int32Array(K).fill(part ? parts : -1)
    const last = new Int32Array(K).fill(part ? -1 : 1)
    const shown = new Float64Array(groups * (parts + 1))
    for (let row = 0; row < rows; row++) {
      const [k, at] = [itemOf(row), part ? part[row]! : 0]
      if (part) {
        if (at < first[k]!) first[k] = at
        if (at > last[k]!) last[k] = at
      }
      shown[g![row]! * (parts + 1) + at + 1]! += n ? n[row]! : 1
    }
    for (let group = 0; group < groups; group++)
      for (let at = 0; at < parts; at++)
        shown[group * (parts + 1) + at + 1]! += shown[group * (parts + 1) + at]!
    const isInside = (row: number, k: number): boolean =>
      !part || (part[row]! > first[k]! && part[row]! < last[k]!)

    // Sums by cell of group and item, and of the rows outside all of them.
    const cells = groups * K
    const [showings, measured, squared] = [0, 1, 2].map(() => new Float64Array(cells)) as [
      Float64Array,
      Float64Array,
      Float64Array,
    ]
    const [weight, reward] = [new Float64Array(cells), new Float64Array(cells)]
    const [totals, outside] = [
      [0, 0],
      [0, 0],
    ] as [[number, number], [number, number]]
    for (let row = 0; row < rows; row++) {
      const k = itemOf(row)
      const own = n ? n[row]! : 1
      const [x, y] = [own * w[row]!, own * w[row]! * r[row]!]
      totals[0] += x
      totals[1] += y
      if (!isInside(row, k)) {
        outside[0] += x
        outside[1] += y
        continue
      }
      const cell = g![row]! * K + k
      showings[cell]! += 1
      measured[cell]! += own * m![row]!
      squared[cell]! += (own * m![row]!) ** 2
      weight[cell]! += x
      reward[cell]! += y
    }
    const present = (cell: number): number => {
      const [group, k] = [Math.floor(cell / K), cell % K]
      const [from, to] = part ? [first[k]! + 1, last[k]!] : [0, parts]
      const base = group * (parts + 1)
      return to > from ? shown[base + to]! - shown[base + from]! : 0
    }
    const ratio = new Float64Array(cells).fill(1)
    const drawn = new Float64Array(cells)
    let [repairedWeight, repairedReward] = outside
    let [below, above, level, all] = [0, 0, 0, 0]
    for (let cell = 0; cell < cells; cell++) {
      const there = present(cell)
      if (there <= 0) continue
      all += there
      level += measured[cell]!
      if (showings[cell] === 0) continue
      const found = measured[cell]! / there
      const error = Math.sqrt(Math.max(0, squared[cell]! - measured[cell]! ** 2 / there)) / there
      if (found - 1 > 4 * error) above++
      if (found - 1 < -4 * error) below++
      drawn[cell] = showings[cell]! / (showings[cell]! + PRIOR_SHOWINGS) / there
      ratio[cell] = 1 + drawn[cell]! * (measured[cell]! - there)
      repairedWeight += weight[cell]! / ratio[cell]!
      repairedReward += reward[cell]! / ratio[cell]!
    }

    // The influence of each row, as each of them moves its ratio.
    const [before, after] = [totals[1] / totals[0], repairedReward / repairedWeight]
    const slope = new Float64Array(cells)
    const drawnBack = new Float64Array(groups * (parts + 1))
    const largest: (FactorCell & { size: number })[] = []
    for (let cell = 0; cell < cells; cell++) {
      if (drawn[cell] === 0) continue
      const moved = (reward[cell]! - after * weight[cell]!) / ratio[cell]!
      slope[cell] = (moved / ratio[cell]!) * drawn[cell]!
      const [group, k] = [Math.floor(cell / K), cell % K]
      // What a row of the group takes back, spread over the parts in which the item was there.
      const back = (slope[cell]! * measured[cell]!) / present(cell)
      const base = group * (parts + 1)
      const [from, to] = part ? [first[k]! + 1, last[k]!] : [0, parts]
      drawnBack[base + from]! += back
      drawnBack[base + to]! -= back
      const shift =
        (reward[cell]! - before * weight[cell]!) / ratio[cell]! / repairedWeight -
        (reward[cell]! - before * weight[cell]!) / totals[0]
      keepLargest(largest, { item: of === 'item' ? itemIds[k]! : null, group, ratio: ratio[cell]!, shift })
    }
    for (let group = 0; group < groups; group++)
      for (let at = 0; at < parts; at++)
        drawnBack[group * (parts + 1) + at + 1]! += drawnBack[group * (parts + 1) + at]!
    const users = new Float64Array(userBucket.size)
    for (let row = 0; row < rows; row++) {
      const k = itemOf(row)
      const own = n ? n[row]! : 1
      const cell = g![row]! * K + k
      const inside = isInside(row, k)
      const repaired = (own * w[row]!) / (inside ? ratio[cell]! : 1)
      const ofGroup = drawnBack[g![row]! * (parts + 1) + (part ? part[row]! : 0)]!
      const moved =
        repaired * (r[row]! - after) - (inside ? slope[cell]! * own * m![row]! : 0) + own * ofGroup
      users[user[row]!]! += moved / repairedWeight - (own * w[row]! * (r[row]! - before)) / totals[0]
    }
    return {
      weight: repairedWeight,
      reward: repairedReward,
      users,
      level: all > 0 ? level / all : 1,
      below,
      above,
      largest: largest.map(({ size: _, ...cell }) => cell),
    }
  }
}

/** The cell of each row of a block; −1 where it is in none. */
function placesOf(
  by: readonly Label[],
  values: readonly Float64Array[],
  count: number,
  into: Int32Array,
): void {
  into.fill(0, 0, count)
  for (const [l, { size }] of by.entries()) {
    const label = values[l]!
    for (let k = 0; k < count; k++) {
      const own = label[k]!
      into[k] = into[k]! >= 0 && own >= 0 && own < size ? into[k]! * size + own : -1
    }
  }
}

function keepLargest(largest: (FactorCell & { size: number })[], cell: FactorCell): void {
  const size = Math.abs(cell.shift)
  if (largest.length === LARGEST_CELLS && size <= largest.at(-1)!.size) return
  largest.push({ ...cell, size })
  largest.sort((a, b) => b.size - a.size)
  largest.splice(LARGEST_CELLS)
}

const mapped = <Query, Answer>(
  queries: Readonly<Record<string, Query>>,
  answer: (query: Query) => Answer,
): Record<string, Answer> =>
  Object.fromEntries(Object.entries(queries).map(([name, query]) => [name, answer(query)]))
