import { badOption } from '../error.js'
import type { Log } from '../log/log.js'
import { drawNormal } from '../random/distributions.js'
import { randomStream } from '../random/stream.js'
import { requireCount } from './world.js'

export interface RatingsOptions {
  seed?: number
  users?: number
  items?: number
  /** Share of all pairs that users choose to rate, on average. */
  density?: number
  /** α: a pair whose rating is one lower is this many times as likely to be rated, below a rating of 4. 1: at random. */
  choosiness?: number
  /** Items that each user rates where they are drawn at random. */
  exposures?: number
  /** Axes of taste, and how far they move a rating: the standard deviation of their sum. */
  dimensions?: number
  tasteSpread?: number
}

/** The default settings. */
const RATINGS_DEFAULTS = {
  seed: 0,
  users: 1000,
  items: 300,
  density: 0.05,
  choosiness: 0.25,
  exposures: 20,
  dimensions: 4,
  tasteSpread: 0.8,
} as const

/** Standard deviations of what users and items add to a rating, and the mean of all. */
const USER_SPREAD = 0.5
const ITEM_SPREAD = 0.6
const MEAN = 2.6
/** Ratings go from 1 to 5. From this one on, all are equally likely to be given. */
const [LOWEST, HIGHEST, LIKED] = [1, 5, 4]

/** Users whose every rating is known, of whom logs hold some: those that users chose to give, or some drawn at random. */
export interface RatingsWorld {
  readonly seed: number
  readonly userIds: readonly string[]
  readonly itemIds: readonly string[]
  /** The rating of every pair, from 1 to 5, row after row of a user's items. */
  readonly ratings: Float64Array
  /** The probability that a user chooses to rate an item. */
  propensity(user: number, item: number): number
  /**
   * A log: `chosen` by users (missing not at random), or `random`, some of each user's items drawn with equal
   * probabilities (missing at random). Replicates are independent.
   */
  draw(part: 'chosen' | 'random', replicate?: number): Log
  /** The mean squared error of predictions over all pairs. */
  squaredError(predict: (user: number, item: number) => number): number
}

/**
 * A world of ratings with known truth, after the semi-synthetic one of Schnabel et al. (2016). Of each pair the rating is
 * 2.6 + 0.5·x_u + 0.6·y_i + g·⟨p_u, q_i⟩/√d, rounded and cut to 1 … 5, everything standard normal. Users choose what
 * they rate: a pair is in a log with probability c·α^max(0, 4 − rating), c such that the share of rated pairs is `density`.
 * So ratings that are given are higher than those that are not.
 */
export function ratingsWorld(options: RatingsOptions = {}): RatingsWorld {
  const settings = { ...RATINGS_DEFAULTS, ...options }
  refuseBadOptions(settings)
  const { seed, users, items } = settings
  const ratings = allRatings(settings)
  const odds = Array.from({ length: HIGHEST + 1 }, (_, rating) =>
    power(settings.choosiness, Math.max(0, LIKED - rating)),
  )
  const total = ratings.reduce((sum, rating) => sum + odds[rating]!, 0)
  const scale = (settings.density * ratings.length) / total
  if (scale > 1)
    throw badOption(
      `With a choosiness of ${settings.choosiness}, users cannot rate a share of ${settings.density} of all pairs.`,
      `Use a density of at most ${(settings.density / scale).toPrecision(2)}.`,
    )
  const propensity = (user: number, item: number): number => scale * odds[ratings[user * items + item]!]!
  const world = {
    seed,
    userIds: Array.from({ length: users }, (_, u) => String(u + 1)),
    itemIds: Array.from({ length: items }, (_, i) => String(i + 1)),
    ratings,
    propensity,
  }
  return {
    ...world,
    draw: (part, replicate = 0) =>
      logOf(
        world,
        part === 'chosen' ? chosenPairs(world, replicate) : randomPairs(world, settings, replicate),
      ),
    squaredError: (predict) =>
      ratings.reduce(
        (sum, rating, pair) => sum + (predict(Math.floor(pair / items), pair % items) - rating) ** 2,
        0,
      ) / ratings.length,
  }
}

type Truth = Omit<RatingsWorld, 'draw' | 'squaredError'>

/** αⁿ for a small whole n. */
const power = (base: number, exponent: number): number =>
  Array.from({ length: exponent }, () => base).reduce((product, factor) => product * factor, 1)

function allRatings({ seed, users, items, dimensions, tasteSpread }: Required<RatingsOptions>): Float64Array {
  const drawn = (what: string, rows: number): { bias: Float64Array; tastes: Float64Array } => {
    const bias = new Float64Array(rows)
    const tastes = new Float64Array(rows * dimensions)
    for (let row = 0; row < rows; row++) {
      const random = randomStream(seed, `${what} of ratings`, row)
      bias[row] = drawNormal(random)
      for (let d = 0; d < dimensions; d++) tastes[row * dimensions + d] = drawNormal(random)
    }
    return { bias, tastes }
  }
  const [user, item] = [drawn('users', users), drawn('items', items)]
  const ratings = new Float64Array(users * items)
  for (let u = 0; u < users; u++)
    for (let i = 0; i < items; i++) {
      let match = 0
      for (let d = 0; d < dimensions; d++)
        match += user.tastes[u * dimensions + d]! * item.tastes[i * dimensions + d]!
      const liking =
        MEAN +
        USER_SPREAD * user.bias[u]! +
        ITEM_SPREAD * item.bias[i]! +
        (tasteSpread * match) / Math.sqrt(dimensions)
      ratings[u * items + i] = Math.min(HIGHEST, Math.max(LOWEST, Math.round(liking)))
    }
  return ratings
}

/** Pairs are numbered row after row of a user's items. */
function chosenPairs({ seed, userIds, itemIds, propensity }: Truth, replicate: number): number[] {
  return userIds.flatMap((_, user) => {
    const random = randomStream(seed, 'chosen ratings', user, replicate)
    return itemIds.flatMap((__, item) =>
      random.uniform() < propensity(user, item) ? [user * itemIds.length + item] : [],
    )
  })
}

function randomPairs(
  { seed, userIds, itemIds }: Truth,
  { exposures }: Required<RatingsOptions>,
  replicate: number,
): number[] {
  return userIds.flatMap((_, user) => {
    const random = randomStream(seed, 'random ratings', user, replicate)
    const left = itemIds.map((__, item) => user * itemIds.length + item)
    return Array.from(
      { length: exposures },
      () => left.splice(Math.floor(random.uniform() * left.length), 1)[0]!,
    )
  })
}

function logOf({ userIds, itemIds, ratings }: Truth, pairs: readonly number[]): Log {
  return {
    rows: pairs.length,
    user: Uint32Array.from(pairs, (pair) => Math.floor(pair / itemIds.length)),
    item: Uint32Array.from(pairs, (pair) => pair % itemIds.length),
    userIds,
    itemIds,
    catalogueKnown: true,
    reward: Float64Array.from(pairs, (pair) => ratings[pair]!),
    propensitySource: 'none',
  }
}

function refuseBadOptions(settings: Required<RatingsOptions>): void {
  for (const name of ['users', 'items', 'exposures', 'dimensions'] as const)
    requireCount(name, settings[name])
  const { density, choosiness, tasteSpread, exposures, items } = settings
  const refuse = (message: string, remedy: string): never => {
    throw badOption(message, remedy)
  }
  if (!(density > 0 && density <= 1))
    refuse(`A density of ${density} is not possible.`, 'Use a number above 0 and at most 1.')
  if (!(choosiness > 0 && choosiness <= 1))
    refuse(`A choosiness of ${choosiness} is not possible.`, 'Use a number above 0 and at most 1.')
  if (!(tasteSpread >= 0 && tasteSpread < Infinity))
    refuse(`A taste spread of ${tasteSpread} is not possible.`, 'Use a number of 0 or more.')
  if (exposures > items)
    refuse(`Nobody can rate ${exposures} of ${items} items.`, 'Use at most as many exposures as items.')
}
