import { HindcastError } from '../error.js'
import type { Log } from '../log/log.js'
import { fixedPolicy } from '../policy/probabilities.js'
import { exp, log } from '../portable-math.js'
import { drawNormal } from '../random/distributions.js'
import { type RandomStream, randomStream } from '../random/stream.js'
import { nthLargest } from './nth-largest.js'

/** The note shown wherever simulated ratings are used. */
export const SIMULATED_RATINGS_NOTE = "simulated ratings of MovieLens' size, not the real ones"

export interface SimulatedRatingsOptions {
  seed?: number
  /** The data set whose size and curves they imitate: ml-100k (default) or ml-1m. */
  size?: 'ml-100k' | 'ml-1m'
}

/** The size of a data set, and the few numbers that describe how its ratings are spread. */
interface Shape {
  readonly users: number
  readonly items: number
  readonly ratings: number
  /** Share of ratings of 4 or more. */
  readonly clickShare: number
  /** c of (−log(1 − p))^c, the Weibull quantiles of a user's number of ratings above the minimum. */
  readonly activityStretch: number
  /** s, the standard deviation of the items' log odds of being rated. */
  readonly popularitySpread: number
  /** κ, the standard deviation of what tastes add to the log odds that a pair is rated. */
  readonly tasteSpread: number
}

/*
 * Sizes are those of the data sets. The spreads are fitted: to the quantiles and the Gini coefficient of the
 * ratings per user and per item, and, for tastes, to the leading singular values of D_u^(−1/2) R D_i^(−1/2),
 * R the matrix of who rated what and D its row and column sums (0.65, 0.49, 0.46, … and 0.49, 0.44, 0.38, …).
 */
const SHAPES: Readonly<Record<NonNullable<SimulatedRatingsOptions['size']>, Shape>> = {
  'ml-100k': {
    users: 943,
    items: 1682,
    ratings: 100_000,
    clickShare: 0.554,
    activityStretch: 1.25,
    popularitySpread: 2.6,
    tasteSpread: 2.5,
  },
  'ml-1m': {
    users: 6040,
    items: 3706,
    ratings: 1_000_209,
    clickShare: 0.575,
    activityStretch: 1.3,
    popularitySpread: 2.25,
    tasteSpread: 2.2,
  },
}

/** Both data sets hold only users with at least this many ratings. */
const LEAST_ACTIVITY = 20
const AXES = 8
/** Axis k has weight k^(−0.3): the singular values of the data sets fall off slowly. */
const AXIS_DECAY = 0.3
/** Standard deviations, in log odds of a rating of 4 or more: of items, of users, and of tastes. */
const QUALITY_SPREAD = 1.25
const LENIENCE_SPREAD = 0.85
const LIKING_SPREAD = 0.4
/** Correlation of an item's quality with its popularity. */
const POPULARITY_QUALITY = 0.6

/**
 * Ratings with the size and popularity curve of MovieLens, for when the data set is unavailable: simulated, not
 * real. As in a log read from MovieLens, reward 1 is a rating of 4 or more, there are no propensities, and
 * nobody rates an item twice.
 *
 * User u has n_u ratings: 20, and above them Weibull quantiles. With x, y, e, p, q standard normal and ε
 * logistic, they go to the n_u items of the largest s·x_i + κ·t_ui + ε_ui, so that the odds that a pair is
 * rated are a product of user, item and taste; one rating of each item goes to a user drawn in proportion to
 * n_u. A rating is a click with probability σ(a + 1.25 y_i + 0.85 e_u + 0.4 t_ui), corr(x, y) = 0.6: better
 * items are rated more often. Tastes have rank 8: t_ui = Σ_k v_k p_uk q_ik with v_k ∝ k^(−0.3) and Σ v² = 1.
 * a gives the data set's share of clicks.
 */
export function simulatedRatings(options: SimulatedRatingsOptions = {}): Log {
  const { seed = 0, size = 'ml-100k' } = options
  const shape = SHAPES[size]
  if (!shape)
    throw new HindcastError('unknown-name', `There are no simulated ratings the size of ${String(size)}.`, {
      remedy: `Choose ${Object.keys(SHAPES).join(' or ')}.`,
    })
  const { users, items, ratings } = shape
  const activity = activities(seed, shape)
  const catalogue = drawItems(seed, shape)
  const axes = axisScales()
  const quantiles = logisticQuantiles()
  const firstRaters = fixedPolicy('first ratings', activity).sample(
    0,
    randomStream(seed, 'first ratings'),
    items,
  ).items
  const user = new Uint32Array(ratings)
  const item = new Uint32Array(ratings)
  const logOdds = new Float64Array(ratings)
  const taste = new Float64Array(items)
  const utility = new Float64Array(items)
  const vector = new Float64Array(AXES)
  let row = 0
  for (let u = 0; u < users; u++) {
    const random = randomStream(seed, 'tastes of raters', u)
    const lenience = LENIENCE_SPREAD * drawNormal(random)
    for (let k = 0; k < AXES; k++) vector[k] = axes[k]! * drawNormal(random)
    const noise = logisticNoise(random, quantiles)
    for (let i = 0; i < items; i++) {
      let match = 0
      for (let k = 0; k < AXES; k++) match += vector[k]! * catalogue.tastes[i * AXES + k]!
      taste[i] = match
      utility[i] = catalogue.appeal[i]! + shape.tasteSpread * match + noise()
      if (firstRaters[i] === u) utility[i] = Infinity
    }
    const end = row + activity[u]!
    const least = nthLargest(utility.slice(), activity[u]!)
    // Values at the threshold may tie, so the count ends the search.
    for (let i = 0; i < items && row < end; i++)
      if (utility[i]! >= least) {
        user[row] = u
        item[row] = i
        logOdds[row++] = lenience + catalogue.quality[i]! + LIKING_SPREAD * taste[i]!
      }
  }
  return {
    rows: ratings,
    user,
    item,
    userIds: Array.from({ length: users }, (_, u) => String(u + 1)),
    itemIds: Array.from({ length: items }, (_, i) => String(i + 1)),
    catalogueKnown: false,
    reward: drawClicks(seed, logOdds, shape.clickShare),
    propensitySource: 'none',
  }
}

/** Ratings per user: the minimum, and a share of the rest by Weibull quantiles in random order. */
function activities(seed: number, { users, ratings, activityStretch }: Shape): Uint32Array {
  const random = randomStream(seed, 'activity')
  const above = Float64Array.from({ length: users }, (_, place) =>
    exp(activityStretch * log(-log(1 - (place + 0.5) / users))),
  )
  for (let last = users - 1; last > 0; last--) {
    const other = Math.floor(random.uniform() * (last + 1))
    const moved = above[last]!
    above[last] = above[other]!
    above[other] = moved
  }
  const scale = (ratings - LEAST_ACTIVITY * users) / above.reduce((sum, amount) => sum + amount, 0)
  // Rounding the running total, not each amount, makes the whole exact.
  let total = 0
  let given = 0
  return above.reduce((counts, amount, u) => {
    total += amount * scale
    counts[u] = LEAST_ACTIVITY + Math.round(total) - given
    given = Math.round(total)
    return counts
  }, new Uint32Array(users))
}

/** Properties of items: log odds of being rated, log odds of being liked, and position on each taste axis. */
function drawItems(
  seed: number,
  { items, popularitySpread }: Shape,
): { appeal: Float64Array; quality: Float64Array; tastes: Float64Array } {
  const appeal = new Float64Array(items)
  const quality = new Float64Array(items)
  const tastes = new Float64Array(items * AXES)
  const own = Math.sqrt(1 - POPULARITY_QUALITY * POPULARITY_QUALITY)
  for (let i = 0; i < items; i++) {
    const random = randomStream(seed, 'rated items', i)
    const popularity = drawNormal(random)
    appeal[i] = popularitySpread * popularity
    quality[i] = QUALITY_SPREAD * (POPULARITY_QUALITY * popularity + own * drawNormal(random))
    for (let k = 0; k < AXES; k++) tastes[i * AXES + k] = drawNormal(random)
  }
  return { appeal, quality, tastes }
}

/** v_k ∝ k^(−0.3), with Σ v² = 1. */
function axisScales(): Float64Array {
  const scales = Float64Array.from({ length: AXES }, (_, k) => exp(-AXIS_DECAY * log(k + 1)))
  const norm = Math.sqrt(scales.reduce((sum, scale) => sum + scale * scale, 0))
  return scales.map((scale) => scale / norm)
}

/** The logarithms of the odds of 2¹⁶ evenly spaced probabilities. */
const logisticQuantiles = (): Float32Array =>
  Float32Array.from({ length: 0x10000 }, (_, k) => log((k + 0.5) / (0x10000 - k - 0.5)))

/** Logistic draws from a table of quantiles, two per random word, since millions are needed. */
function logisticNoise(random: RandomStream, quantiles: Float32Array): () => number {
  let word = 0
  let isHalfLeft = false
  return () => {
    word = isHalfLeft ? word >>> 16 : random.word()
    isHalfLeft = !isHalfLeft
    return quantiles[word & 0xffff]!
  }
}

/** Clicks with probability σ(a + log odds), a such that their expected share is the given one. */
function drawClicks(seed: number, logOdds: Float64Array, share: number): Float64Array {
  let intercept = 0
  // Newton's method: the mean of σ(a + ·) rises with a, and six steps from 0 are more than enough here.
  for (let step = 0; step < 6; step++) {
    let clicks = 0
    let slope = 0
    for (const odds of logOdds) {
      const rate = 1 / (1 + exp(-intercept - odds))
      clicks += rate
      slope += rate * (1 - rate)
    }
    intercept += (share * logOdds.length - clicks) / slope
  }
  const random = randomStream(seed, 'ratings of 4 and more')
  return logOdds.map((odds) => (random.uniform() < 1 / (1 + exp(-intercept - odds)) ? 1 : 0))
}
