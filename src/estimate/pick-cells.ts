import { normalTail } from '../normal-tail.js'
import type { PickCuts, PickScore, PickSide } from '../sql/item-pick-query.js'
import type { GroupedRows } from './grouped-rows.js'
import { FEWEST_OF_CELL } from './item-fit.js'
import { cutsOf, type Parting, PICK_SCORES, type SideSums } from './item-pick.js'

/** An item among the users to whom it is shown, or among the others: a score x of it, and the variance of its noise. */
interface Scored {
  readonly isShown: boolean
  readonly x: number
  readonly noise: number
}

/**
 * How sharply a target parts items by each score, where `isShown` says of each row in the order of items whether it may show
 * that item; propensities are in the order of the log.
 */
export function partingsOf(
  byItem: GroupedRows,
  propensity: Float64Array,
  isShown: (k: number) => boolean,
): Parting[] {
  const cells = cellsOf(byItem, propensity, isShown)
  return PICK_SCORES.flatMap((score) => {
    const scored = cells.map((cell) => scoredBy(score, cell))
    const side = (shown: boolean): SideSums => sumsOf(scored.filter((one) => one.isShown === shown))
    const cuts = cutsOf(side(true), side(false))
    return cuts ? [partingAt(cuts, scored)] : []
  })
}

/** Rows of a cell, the mean and variance of their rewards, Σr/b, Σ1/b and Σ1/b². */
interface Cell {
  readonly isShown: boolean
  readonly rows: number
  readonly mean: number
  readonly variance: number
  readonly weighted: number
  readonly inverse: number
  readonly inverseSquared: number
}

function cellsOf(
  { start, rows: order, reward }: GroupedRows,
  propensity: Float64Array,
  isShown: (k: number) => boolean,
): readonly Cell[] {
  const cells: Cell[] = []
  for (let item = 0; item + 1 < start.length; item++)
    for (const side of [true, false]) {
      let [rows, sum, weighted, inverse, inverseSquared] = [0, 0, 0, 0, 0]
      for (let k = start[item]!; k < start[item + 1]!; k++) {
        if (isShown(k) !== side) continue
        const b = propensity[order[k]!]!
        rows++
        sum += reward[k]!
        weighted += reward[k]! / b
        inverse += 1 / b
        inverseSquared += 1 / b ** 2
      }
      if (rows < FEWEST_OF_CELL) continue
      const mean = sum / rows
      let squares = 0
      for (let k = start[item]!; k < start[item + 1]!; k++)
        if (isShown(k) === side) squares += (reward[k]! - mean) ** 2
      cells.push({
        isShown: side,
        rows,
        mean,
        variance: squares / (rows - 1),
        weighted,
        inverse,
        inverseSquared,
      })
    }
  return cells
}

/** The noise is that of the rewards alone: who picks items for being shown often follows no rewards. */
function scoredBy(score: PickScore, cell: Cell): Scored {
  const { isShown, rows, mean, variance, weighted, inverse, inverseSquared } = cell
  switch (score) {
    case 'mean':
      return { isShown, x: mean, noise: variance / rows }
    case 'ips':
      return { isShown, x: weighted, noise: variance * inverseSquared }
    case 'snips':
      return { isShown, x: weighted / inverse, noise: (variance * inverseSquared) / inverse ** 2 }
  }
}

const sumsOf = (scored: readonly Scored[]): SideSums => ({
  items: scored.length,
  x: scored.reduce((sum, { x }) => sum + x, 0),
  xx: scored.reduce((sum, { x }) => sum + x * x, 0),
  noise: scored.reduce((sum, { noise }) => sum + noise, 0),
  least: scored.reduce((least, { x }) => Math.min(least, x), Infinity),
  most: scored.reduce((most, { x }) => Math.max(most, x), -Infinity),
})

function partingAt({ shown, others, middle, between }: PickCuts, scored: readonly Scored[]): Parting {
  let [crossed, asSeen] = [0, 0]
  const apart = new Float64Array(between.length)
  for (const { isShown, x, noise } of scored) {
    if (x >= middle !== isShown) crossed++
    if (noise <= 0) continue
    const error = Math.sqrt(noise)
    asSeen += normalTail(Math.abs(x - middle) / error)
    const truth = drawnIn(isShown ? shown : others, x, noise)
    between.forEach((cut, k) => {
      apart[k]! += normalTail((isShown ? truth - cut : cut - truth) / error)
    })
  }
  return { crossed, asSeen, apart: Math.min(...apart) }
}

/** A score drawn in to the mean of its side. */
const drawnIn = ({ mean, spread }: PickSide, x: number, noise: number): number =>
  mean + (spread / (spread + noise)) * (x - mean)
