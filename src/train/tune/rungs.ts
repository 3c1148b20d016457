/** A stage of successive halving (Karnin et al. 2013; Jamieson & Talwalkar 2016): so many trials, trained until they have so many steps. */
export interface Rung {
  readonly trials: number
  /** Steps of each since its beginning, not since the rung before. */
  readonly steps: number
}

/** One in this many trials reaches the next rung, and is trained that many times as long. */
const FACTOR = 3

/** The factor to a whole power, by multiplication: the same bits everywhere. */
export const factorTo = (power: number): number => (power === 0 ? 1 : FACTOR * factorTo(power - 1))

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
