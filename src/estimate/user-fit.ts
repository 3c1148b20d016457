import type { Complaint } from './verdict.js'

/**
 * Sums over cells, each the rows of a user for which the target has about the same probability, where there are at least two, as
 * often as it has rows (n times) and compared with the user's others: t is the mean of that probability or its logarithm, m the
 * mean of the rewards, v their variance; t̄ and m̄ are the means of the N rows of a user in such cells.
 */
export interface WithinUsers {
  readonly cells: number
  readonly rows: number
  readonly users: number
  /** Σ n (t − t̄)², and Σ n t². */
  readonly t: number
  readonly tt: number
  /** Σ n (t − t̄)(m − m̄). */
  readonly tm: number
  /** Σ n (m − m̄)², and what chance adds to it, Σ v (1 − n/N). */
  readonly m: number
  readonly noise: number
  /** Σ n (t − t̄)² v. */
  readonly spread: number
}

/** How the probabilities of a target go with the rewards of each user, among all rows of a user and by logarithms among those it may show. */
export interface UserFit {
  readonly plain: WithinUsers
  readonly logarithm: WithinUsers
}

/** The names of `WithinUsers`, in the order in which a query gives them. */
export const WITHIN_USERS = ['cells', 'rows', 'users', 't', 'tt', 'tm', 'm', 'noise', 'spread'] as const

/** Rows of a cell of a user from which its noise can be taken off. */
export const FEWEST_OF_USER_CELL = 2
const FEWEST_COMPARED = 10
/** Rows beyond the first of each cell, from which the noise of all is known. */
const FEWEST_REPEATS = 200
/** Standard errors beyond what a target can reach that did not see these rewards; honest ones stayed below 3.8 in simulations. */
const FAR = 4

/**
 * What speaks against a target that follows what each user clicked in this log more closely than anything can that does not know it.
 *
 * For a target made elsewhere Cov(t, m) among the cells of a user is Cov(t, q) on average, q their true means, and so at most
 * sd(t) sd(q). A user has few rows, so m is mostly chance, and a target that was computed from m goes far beyond that.
 */
export function fittedToUsers(target: string, { plain, logarithm }: UserFit): Complaint[] {
  const excess = Math.max(excessWithin(plain), excessWithin(logarithm))
  if (excess < FAR) return []
  return [
    {
      level: 'caution',
      code: 'fitted-to-log',
      message: `${target} follows what each user earned in this log more closely than knowing their tastes could explain, by ${excess.toFixed(0)} standard errors: it seems to have been computed from these rewards. If so, the estimate is too high. Evaluate it on rows it has not seen, such as later days.`,
      value: excess,
    },
  ]
}

/** By how many standard errors Cov(t, m) within users exceeds sd(t) sd(q); −∞ where that cannot be known. */
export function excessWithin({ cells, rows, users, t, tt, tm, m, noise, spread }: WithinUsers): number {
  const compared = cells - users
  if (compared < FEWEST_COMPARED || rows - cells < FEWEST_REPEATS) return -Infinity
  if (!(t > 1e-12 * tt && spread > 0)) return -Infinity
  const truth = Math.max(0, m - noise)
  // The variance of the true means is known with an error, and may be larger by that.
  const error = Math.sqrt((2 * noise ** 2 + 4 * noise * truth) / compared)
  return (tm - Math.sqrt(t * (truth + error))) / Math.sqrt(spread)
}
