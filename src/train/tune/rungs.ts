/** A stage of successive halving (Karnin et al. 2013; Jamieson & Talwalkar 2016): so many trials, trained until they have so many steps. */
export interface Rung {
  readonly trials: number
  /** Steps of each since its beginning, not since the rung before. */
  readonly steps: number
}

/** One in this many trials reaches the next rung, and is trained that many times as long. */
const FACTOR = 3

/** The factor to a whole power, by multiplication: the same bits everywhere. */
const factorTo = (power: number): number => (power === 0 ? 1 : FACTOR * factorTo(power - 1))

/** Trials of each rung: a third of those before, as long as two or more are left to choose from. */
export function rungSizes(trials: number): number[] {
  const sizes = [trials]
  for (let next = Math.floor(trials / FACTOR); next >= 2; next = Math.floor(next / FACTOR)) sizes.push(next)
  return sizes
}

/** The rungs of so many trials, the last of which trains for `most` steps. */
export function rungsOf(trials: number, most: number): Rung[] {
  const sizes = rungSizes(trials)
  return sizes.map((size, k) => ({
    trials: size,
    steps: Math.max(1, Math.round(most / factorTo(sizes.length - 1 - k))),
  }))
}

/** Steps of all drawn trials together: each rung adds what its trials do not have yet. */
export const stepsOf = (rungs: readonly Rung[]): number =>
  rungs.reduce((sum, { trials, steps }, k) => sum + trials * (steps - (rungs[k - 1]?.steps ?? 0)), 0)

/** What trials may take. */
interface Budget {
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
