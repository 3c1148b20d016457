import { factorTo, type Rung, rungSizes, rungsOf } from './rungs.js'

/** What trials may take. */
export interface Budget {
  /** Seconds for all trials. */
  readonly seconds: number
  /** Seconds per step of each drawn trial, in order. */
  readonly drawn: readonly number[]
  /** Trials to draw; left out, as many as there is time for. */
  readonly trials?: number
  /** Steps below which the first rung tells little. */
  readonly least: number
  /** Steps of the last rung at most. */
  readonly most: number
}

/** Trials that are considered, where their number is free. */
export const SIZES = [81, 27, 9, 3] as const

/**
 * The rungs that fit into a budget: as many trials as can have `least` steps each in the first rung, the last rung as
 * long as the time allows. Who is promoted is not known yet, so that later rungs are taken to cost what an average trial
 * does.
 */
export function rungsWithin(budget: Budget): Rung[] {
  const sizes = budget.trials === undefined ? SIZES : [budget.trials]
  const possible = sizes.filter((size) => size <= budget.drawn.length || size === sizes.at(-1))
  for (const size of possible) {
    const trials = Math.min(size, budget.drawn.length)
    const steps = budget.seconds / secondsAt(trials, budget)
    const first = steps / factorTo(rungSizes(trials).length - 1)
    if (first >= budget.least || size === possible.at(-1))
      return rungsOf(trials, Math.max(1, Math.min(budget.most, steps)))
  }
  throw new Error('No number of trials was considered.')
}

/** Seconds that one step in the last rung costs, with what the rungs before it then cost. */
function secondsAt(trials: number, { drawn }: Pick<Budget, 'drawn'>): number {
  const own = drawn.slice(0, trials)
  const mean = own.reduce((a, b) => a + b, 0) / trials
  const shares = rungSizes(trials).map((size, k, { length }) => ({
    size,
    until: 1 / factorTo(length - 1 - k),
    from: k === 0 ? 0 : 1 / factorTo(length - k),
  }))
  return shares.reduce((sum, { size, until, from }) => sum + size * mean * (until - from), 0)
}

/** Seconds that rungs take by the same account. */
export const secondsOf = (rungs: readonly Rung[], budget: Pick<Budget, 'drawn'>): number =>
  rungs.at(-1)!.steps * secondsAt(rungs[0]!.trials, budget)
