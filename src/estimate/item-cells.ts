import { log as ln } from '../portable-math.js'
import type { GroupedRows } from './grouped-rows.js'
import {
  FEWEST_OF_CELL,
  FEWEST_OF_FINE_CELL,
  FIT_SUMS,
  type FitSums,
  isPick,
  type ItemFit,
  type StepSpread,
} from './item-fit.js'
import { partingsOf } from './pick-cells.js'
import { ProbabilityCells } from './probability-cells.js'
import { NEVER, NEVER_WIDE, SAME_STEP, WIDE_STEP } from './probability-steps.js'
import type { ShownRows } from './shown-rows.js'

/** Sums an `ItemFit` from rows in the order of their items, as the target would have shown them. */
export function itemFitOf(byItem: GroupedRows, shown: ShownRows): ItemFit {
  const { start, rows, isClick } = byItem
  const [plain, logarithm, spread] = [noFit(), noFit(), new StepSpreads()]
  const [fine, wide] = [new ProbabilityCells(NEVER, isClick), new ProbabilityCells(NEVER_WIDE, isClick)]
  for (let item = 0; item + 1 < start.length; item++) {
    fine.fill(byItem, item, shown, SAME_STEP)
    wide.gather(fine)
    fine.empty(FEWEST_OF_FINE_CELL, (step, rows, _t, m, v) => spread.add(WIDE_STEP[step]!, rows, m, v))
    wide.empty(FEWEST_OF_CELL, (step, rows, t, m, v) => {
      addCell(plain, rows, t, m, v)
      if (step !== NEVER_WIDE) addCell(logarithm, rows, ln(t), m, v)
    })
  }
  const { total } = spread
  const picked = isPick(total) ? NEVER_WIDE - 1 - total.first : undefined
  const isPicked = (k: number): boolean => WIDE_STEP[shown.step[rows[k]!]!] === picked
  const partings = picked === undefined ? [] : partingsOf(byItem, shown.propensity, isPicked)
  return { plain, logarithm, spread: total, partings }
}

type Summed = Record<keyof FitSums, number>

const noFit = (): Summed => Object.fromEntries(FIT_SUMS.map((name) => [name, 0])) as Summed

/** Adds a cell of so many rows. */
function addCell(sum: Summed, rows: number, t: number, m: number, v: number): void {
  sum.cells++
  sum.rows += rows
  sum.m += rows * m
  sum.mm += rows * m * m
  sum.noise += v
  sum.v += rows * v
  sum.t += rows * t
  sum.tt += rows * t * t
  sum.tm += rows * t * m
  sum.tv += rows * t * v
  sum.ttv += rows * t * t * v
}

/** Small cells, gathered by the wide steps of the target's probability in which they lie. */
class StepSpreads {
  /** For every step: how many cells, their rows, Σ n m, Σ n m², Σ v and Σ n v. */
  readonly #sums = new Float64Array(6 * (NEVER_WIDE + 1))

  add(step: number, n: number, m: number, v: number): void {
    const [sums, at] = [this.#sums, 6 * step]
    sums[at]!++
    sums[at + 1]! += n
    sums[at + 2]! += n * m
    sums[at + 3]! += n * m * m
    sums[at + 4]! += v
    sums[at + 5]! += n * v
  }

  get total(): StepSpread {
    let [excess, variance, steps] = [0, 0, 0]
    let first: number | null = null
    for (let at = 0; at < this.#sums.length; at += 6) {
      if (this.#sums[at] === 0) continue
      const [cells, n, nm, nmm, v, nv] = this.#sums.subarray(at, at + 6) as unknown as StepSums
      steps++
      if (at < 6 * NEVER_WIDE) first = NEVER_WIDE - 1 - at / 6
      excess += nmm - (nm * nm) / n - (v - nv / n)
      variance += 2 * (cells - 1) * ((nv - v) / (n - cells)) ** 2
    }
    return { excess, variance, steps, first }
  }
}

type StepSums = [cells: number, n: number, nm: number, nmm: number, v: number, nv: number]
