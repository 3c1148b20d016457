import type { Complaint } from './verdict.js'

/**
 * Products of what is left of rewards in two rows of a user, summed: rewards less the mean of their item and less the common slope
 * on p, where p is the logarithm of the target's probability less its mean for the item. And the variance of the sum by chance.
 */
export interface PairSum {
  readonly sum: number
  readonly variance: number
}

/** What two rows of a user have in common beyond what the target explains. */
export interface UserPairs {
  /** In the direction in which the target sets rows of a user apart: Σ (N − 1) c², c² the square of the covariance of what is left with p, without bias. */
  readonly slopes: PairSum
  /** In rows of the same item, compared with the user's others. */
  readonly repeats: PairSum
  /** The same of rewards less the mean of their item alone, whatever the target. */
  readonly unaided: PairSum
  /** By how many standard errors an item is shown to a user more often where it earned more; null where that is not known. */
  readonly feedback: number | null
}

/** Rows of whole users that are looked at, about: more would tell nothing new. */
export const MOST_PAIRED_ROWS = 100_000
/** Rows of a user from which covariances can be squared without bias. */
export const FEWEST_OF_USER = 4
/** Probabilities count as this part of their mean more than they are, lest those near 0 outweigh all others. */
export const FLOOR_SHARE = 0.1
/** Standard errors below 0; honest policies stayed above −4.2 in simulations. */
const FAR = 4.5
/** Beyond so many standard errors what was shown again depends on what it had earned, and rows of an item are no independent draws. */
const MOST_FEEDBACK = 2.5
/** The same where rows of an item are less alike than by chance whatever the target, as where an item goes away when it is clicked. */
const MOST_UNLIKE = 2

/**
 * What speaks against a target that explains the clicks of single users better than anything can that does not know them.
 *
 * Two rows of a user are drawn independently. Whatever a target that was made elsewhere knows or fails to know, what it leaves
 * unexplained is therefore of the same sign in two rows at least as often as not: the mean of the products is a square. A model
 * that was fitted to the rows has used up some of their chance, and what it leaves adds up to less than chance makes it.
 */
export function fittedToRows(target: string, pairs: UserPairs): Complaint[] {
  const shortfall = shortfallOf(pairs)
  if (shortfall < FAR) return []
  return [
    {
      level: 'caution',
      code: 'fitted-to-log',
      message: `What ${target} leaves unexplained of the clicks of a user adds up to less than chance makes it, by ${shortfall.toFixed(0)} standard errors: it seems to have been computed from these rewards, and then the estimate is too high. Evaluate it on rows it has not seen, such as later days.`,
      value: shortfall,
    },
  ]
}

/** By how many standard errors the products of two rows of a user are below 0; −∞ where that cannot be known. */
export function shortfallOf({ slopes, repeats, unaided, feedback }: UserPairs): number {
  const ofSlopes = below(slopes)
  const areDrawn = feedback !== null && Math.abs(feedback) <= MOST_FEEDBACK && below(unaided) <= MOST_UNLIKE
  const ofRepeats = areDrawn ? below(repeats) : -Infinity
  return Math.max(ofSlopes, ofRepeats, (ofSlopes + ofRepeats) / Math.SQRT2)
}

const below = ({ sum, variance }: PairSum): number => (variance > 0 ? -sum / Math.sqrt(variance) : -Infinity)
