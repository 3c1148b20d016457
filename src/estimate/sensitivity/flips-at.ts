import { studentQuantile } from '../../student.js'
import { isLacking, type Known } from '../source/source.js'
import { one, reward } from '../term.js'
import { spreadOfCombination } from './combination.js'
import { extremeOf, type Side, type Split } from './extreme.js'
import type { Splitting } from './splits.js'

/**
 * By how much the interval of the difference between an extreme value and the logged mean, on the same rows, stays on
 * its side of 0. Not above 0 where it touches 0, or the difference has no spread to measure.
 */
function marginOf(split: Split, gamma: number, side: Side, confidence: number): number {
  const extreme = extremeOf(split, { gamma, side })
  if (!extreme) return 0
  const { moments } = split
  const rows = moments.total(one)
  const mean = moments.total(reward) / rows
  const difference = extreme.value - mean
  const spread = spreadOfCombination(moments, extreme.influences.add(reward, -1 / rows).add(one, mean / rows))
  // Compared with the values, the difference is nothing but rounding.
  if (!spread || !(spread.standardError > 1e-12 * Math.max(Math.abs(mean), Math.abs(extreme.value)))) return 0
  const quantile = studentQuantile((1 + confidence) / 2, spread.degreesOfFreedom)
  return -side * difference - quantile * spread.standardError
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
  const margin = (split: Split, gamma: number): number => marginOf(split, gamma, side, confidence)
  const last = grid.findIndex(({ gamma, split }) => !(margin(split, gamma) > 0))
  if (last === -1) return null
  if (last === 0) return grid[0]!.gamma
  const [from, to] = [grid[last - 1]!.gamma, grid[last]!.gamma]
  let { gamma, split } = grid[last]!
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const before = gamma
    const parted = split
    gamma = crossing(from, to, (at) => margin(parted, at))
    const found = await splitting([{ gamma, side }])
    if (isLacking(found)) return found
    // The same rows whatever Γ, or no other Γ: done.
    if (found[0] === split || Math.abs(gamma - before) <= PRECISION * gamma) break
    split = found[0]!
  }
  return gamma
}

/**
 * Where a margin, above 0 at `from` and not at `to`, is 0: by straight lines between the ends, the end that stays counting
 * half each time (the Illinois rule), a few evaluations where bisection takes a dozen.
 */
function crossing(from: number, to: number, margin: (gamma: number) => number): number {
  let [low, high] = [from, to]
  let [atLow, atHigh] = [margin(low), margin(high)]
  if (!(atLow > 0)) return low
  if (atHigh > 0) return high
  let stayed = 0
  while (high - low > PRECISION * high) {
    const step = (high - low) * (atLow / (atLow - atHigh))
    // Not on top of an end, where rounding alone would decide.
    const middle = Math.min(high - (PRECISION / 4) * high, Math.max(low + (PRECISION / 4) * high, low + step))
    const found = margin(middle)
    if (found > 0) {
      ;[low, atLow] = [middle, found]
      if (stayed === 1) atHigh /= 2
      stayed = 1
    } else {
      ;[high, atHigh] = [middle, found]
      if (stayed === -1) atLow /= 2
      stayed = -1
    }
  }
  return low
}
