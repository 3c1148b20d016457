import { studentQuantile } from '../../student.js'
import { differenceOf, fewestDegreesOfFreedom, influencesOf, spreadOf } from '../spread.js'
import { one, reward } from '../term.js'
import { isLacking, type Known } from '../source/source.js'
import { extremeOf, type Side, type Split } from './extreme.js'
import type { Splitting } from './splits.js'

const loggedMean = { ratios: [{ numerator: reward, denominator: one }] }

/**
 * By how much the interval of the difference between an extreme value and the logged mean, on the same rows, stays on
 * its side of 0. Not above 0 where it touches 0, or the difference has no spread to measure.
 */
export function marginOf(split: Split, gamma: number, side: Side, confidence: number): number {
  const extreme = extremeOf(split, { gamma, side })
  if (typeof extreme === 'string') return 0
  const { moments } = split
  const difference = extreme.value - moments.total(reward) / moments.total(one)
  const influences = differenceOf(extreme.influences, influencesOf(loggedMean, moments))
  const error = influences && spreadOf(influences)
  if (!influences || error === undefined) return 0
  // Compared with the spread of the value, the difference is nothing but rounding.
  if (!(error > 1e-12 * extreme.standardError)) return 0
  const margin =
    -side * difference - studentQuantile((1 + confidence) / 2, fewestDegreesOfFreedom(influences)) * error
  return Number.isFinite(margin) ? margin : 0
}

/** A Γ is found to this part of itself. */
const PRECISION = 1e-5
const MOST_ROUNDS = 6

/**
 * The smallest Γ at which the difference from the logged mean is no longer beyond chance, given how rows are parted at
 * each Γ of a rising grid towards the side of the logged mean; null where there is none in the grid.
 */
export async function flipsAt(
  grid: readonly { readonly gamma: number; readonly split: Split }[],
  side: Side,
  confidence: number,
  splitting: Splitting,
): Promise<Known<number | null>> {
  const last = grid.findIndex(({ gamma, split }) => !(marginOf(split, gamma, side, confidence) > 0))
  if (last === -1) return null
  if (last === 0) return grid[0]!.gamma
  let { gamma, split } = grid[last]!
  const from = grid[last - 1]!.gamma
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const before = gamma
    gamma = crossing(from, grid[last]!.gamma, (at) => marginOf(split, at, side, confidence))
    const found = await splitting([{ gamma, side }])
    if (isLacking(found)) return found
    // The same rows whatever Γ, or no other Γ: done.
    if (found[0] === split || Math.abs(gamma - before) <= PRECISION * gamma) break
    split = found[0]!
  }
  return gamma
}

/** Where a margin, above 0 at `from`, is 0: by bisection. */
function crossing(from: number, to: number, margin: (gamma: number) => number): number {
  let [low, high] = [from, to]
  while (high - low > (PRECISION / 4) * high) {
    const middle = (low + high) / 2
    if (margin(middle) > 0) low = middle
    else high = middle
  }
  return low
}
