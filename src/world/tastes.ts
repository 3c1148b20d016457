import { badOption } from '../error.js'
import { counted, formatCount } from '../number-text.js'
import { fixedPolicy } from '../policy/probabilities.js'
import { weightsOf } from '../policy/softmax-powers.js'
import { exp, log } from '../portable-math.js'
import { drawNormal } from '../random/distributions.js'
import { randomStream } from '../random/stream.js'
import { requireCount, type World, worldOf } from './world.js'

export interface TastesOptions {
  seed?: number
  users?: number
  items?: number
  /** Exposures per user, drawn with replacement. */
  exposures?: number
  /** d, the number of taste dimensions. */
  dimensions?: number
  /** g: how much tastes matter. 0: every user likes the same items. */
  tasteStrength?: number
  /** h: how much the quality of items, the same for every user, matters. */
  qualityStrength?: number
  /** The mean click-through rate that the intercept a is chosen to give. */
  clickRate?: number
  /** T of the logging policy ∝ popularity^(1/T): 1 is Zipf's law, below 1 is steeper, ∞ is uniform. */
  temperature?: number
  /** ρ: correlation of an item's popularity with its quality, from −1 to 1. */
  popularityQuality?: number
  /** m, from 0 to 1: how closely popular items match the taste of four users in five. */
  majority?: number
  /** Share of the items, chosen at random, that are shown with probability `rarePropensity`. */
  rareItems?: number
  rarePropensity?: number
}

/** The default settings. */
export const TASTES_DEFAULTS = {
  seed: 0,
  users: 1000,
  items: 500,
  exposures: 100,
  dimensions: 8,
  tasteStrength: 1.5,
  qualityStrength: 1.5,
  clickRate: 0.2,
  temperature: 1,
  popularityQuality: 0,
  majority: 0,
  rareItems: 0,
  rarePropensity: 1e-5,
} as const

/** Share of the users on the side of the first taste axis where popular items are. */
const MAJORITY_SHARE = 0.8
/** Above this many user–item pairs, click probabilities are computed on demand. */
const PAIRS_KEPT = 20_000_000

/**
 * A world whose tastes can be learned, and where what is shown is not what is liked. With p, q vectors of
 * d axes, y the quality of an item and z the normal score of its popularity, all standard normal,
 *
 *   click rate(u, i) = σ(a + g·⟨p_u, q_i⟩/√d + h·y_i),   corr(y, z) = ρ,
 *
 * and a such that E σ(a + √(g² + h²)·Z) is `clickRate`. The item of the r-th largest z has popularity 1/r;
 * the logging policy, the same for every user, is ∝ popularity^(1/T). With ρ = 0 popular items are no
 * better than others, so a model that mistakes clicks for taste learns what was shown.
 *
 * `majority` m ties popularity to taste: corr(q_i1, z_i) = m, and where m > 0 four users in five, drawn at
 * random, have p_u1 = |N(0, 1)|, the others −|N(0, 1)|. Users of the majority then like popular items better, the
 * others less. `rareItems` are shown with probability `rarePropensity` each, and the policy above distributes
 * the rest.
 */
export function tastesWorld(options: TastesOptions = {}): World {
  const settings = { ...TASTES_DEFAULTS, ...options }
  refuseBadOptions(settings)
  const { seed, users, items, dimensions } = settings
  const { terms, tastes: itemTastes, popularity } = drawItems(settings)
  const userTastes = drawUserTastes(settings)
  // Always in single precision, so that a world's rates do not depend on whether they are stored.
  const rateOf = (user: number, item: number): number => {
    let logit = terms[item]!
    for (let k = 0; k < dimensions; k++)
      logit += userTastes[user * dimensions + k]! * itemTastes[item * dimensions + k]!
    return Math.fround(1 / (1 + exp(-logit)))
  }
  return worldOf({
    name: 'tastes',
    seed,
    userIds: Array.from({ length: users }, (_, u) => String(u + 1)),
    itemIds: Array.from({ length: items }, (_, i) => String(i + 1)),
    logging: fixedPolicy('logging', exposureOf(popularity, settings)),
    exposures: settings.exposures,
    clickRate: users * items > PAIRS_KEPT ? rateOf : kept(users, items, rateOf),
  })
}

/** Of each item: a + h·y, its taste q, and the normal score z of its popularity. */
function drawItems(settings: Required<TastesOptions>): {
  terms: Float64Array
  tastes: Float64Array
  popularity: Float64Array
} {
  const { seed, items, dimensions, popularityQuality, majority, qualityStrength } = settings
  const terms = new Float64Array(items)
  const tastes = new Float64Array(items * dimensions)
  const popularity = new Float64Array(items)
  const intercept = interceptFor(settings)
  for (let i = 0; i < items; i++) {
    const random = randomStream(seed, 'items', i)
    const score = drawNormal(random)
    popularity[i] = score
    terms[i] = intercept + qualityStrength * correlated(score, popularityQuality, drawNormal(random))
    for (let k = 0; k < dimensions; k++) tastes[i * dimensions + k] = drawNormal(random)
    tastes[i * dimensions] = correlated(score, majority, tastes[i * dimensions]!)
  }
  return { terms, tastes, popularity }
}

/** A standard normal number with this correlation to `score`, made from one that is independent of it. */
const correlated = (score: number, correlation: number, other: number): number =>
  correlation * score + Math.sqrt(1 - correlation * correlation) * other

/** g·p/√d of each user. */
function drawUserTastes(settings: Required<TastesOptions>): Float64Array {
  const { seed, users, dimensions, majority, tasteStrength } = settings
  const scale = tasteStrength / Math.sqrt(dimensions)
  const tastes = new Float64Array(users * dimensions)
  for (let u = 0; u < users; u++) {
    const random = randomStream(seed, 'users', u)
    const first = u * dimensions
    const side = random.uniform() < MAJORITY_SHARE ? 1 : -1
    for (let k = 0; k < dimensions; k++) tastes[first + k] = scale * drawNormal(random)
    if (majority > 0) tastes[first] = side * Math.abs(tastes[first]!)
  }
  return tastes
}

/** a with E σ(a + √(g² + h²)·Z) = clickRate, Z standard normal: by bisection, the mean by the trapezium rule. */
function interceptFor({ tasteStrength, qualityStrength, clickRate }: Required<TastesOptions>): number {
  const spread = Math.sqrt(tasteStrength * tasteStrength + qualityStrength * qualityStrength)
  const meanRate = (intercept: number): number => {
    let total = 0
    let mass = 0
    for (let z = -8; z <= 8; z += 1 / 16) {
      const density = exp((-z * z) / 2)
      total += density / (1 + exp(-intercept - spread * z))
      mass += density
    }
    return total / mass
  }
  // |a| ≤ |logit of the rate| + 8 spreads brackets the root: beyond, σ is on one side of it for every z.
  const reach = Math.abs(log(clickRate / (1 - clickRate))) + 8 * spread
  let [low, high] = [-reach, reach]
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2
    if (meanRate(middle) < clickRate) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** b(i): rarePropensity for rare items; the others share the rest in proportion to rank^(−1/T). */
function exposureOf(popularity: Float64Array, settings: Required<TastesOptions>): Float64Array {
  const { seed, temperature, rarePropensity } = settings
  const items = popularity.length
  const logPopularity = new Float64Array(items)
  rankedDown(popularity).forEach((item, place) => (logPopularity[item] = -log(place + 1)))
  const weights = weightsOf(logPopularity, temperature)
  const lot = Float64Array.from({ length: items }, (_, i) => randomStream(seed, 'rare items', i).uniform())
  const rare = rankedDown(lot).subarray(0, rareCount(settings))
  for (const item of rare) weights[item] = 0
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const left = 1 - rare.length * rarePropensity
  const exposure = weights.map((weight) => (left * weight) / total)
  for (const item of rare) exposure[item] = rarePropensity
  return exposure
}

const rareCount = ({ items, rareItems }: Required<TastesOptions>): number => Math.round(rareItems * items)

/** The indices of the values from the largest to the smallest. */
const rankedDown = (values: Float64Array): Uint32Array =>
  Uint32Array.from(values, (_, place) => place).sort((a, b) => values[b]! - values[a]! || a - b)

function kept(
  users: number,
  items: number,
  rateOf: (user: number, item: number) => number,
): (user: number, item: number) => number {
  const rates = new Float32Array(users * items)
  for (let u = 0; u < users; u++) for (let i = 0; i < items; i++) rates[u * items + i] = rateOf(u, i)
  return (user, item) => rates[user * items + item]!
}

function refuseBadOptions(settings: Required<TastesOptions>): void {
  for (const name of ['users', 'items', 'exposures', 'dimensions'] as const)
    requireCount(name, settings[name])
  const rules: readonly (readonly [
    name: keyof TastesOptions,
    what: string,
    holds: boolean,
    range: string,
  ])[] = [
    ['tasteStrength', 'taste strength', isAmount(settings.tasteStrength), 'of 0 or more'],
    ['qualityStrength', 'quality strength', isAmount(settings.qualityStrength), 'of 0 or more'],
    [
      'clickRate',
      'mean click-through rate',
      settings.clickRate > 0 && settings.clickRate < 1,
      'between 0 and 1',
    ],
    ['temperature', 'temperature', settings.temperature > 0, 'above 0; larger is closer to uniform'],
    [
      'popularityQuality',
      'correlation of popularity with quality',
      Math.abs(settings.popularityQuality) <= 1,
      'from -1 to 1',
    ],
    ['majority', 'majority', settings.majority >= 0 && settings.majority <= 1, 'from 0 to 1'],
    ['rareItems', 'share of rare items', settings.rareItems >= 0 && settings.rareItems <= 1, 'from 0 to 1'],
    [
      'rarePropensity',
      'propensity of rare items',
      settings.rarePropensity > 0 && settings.rarePropensity < 1,
      'between 0 and 1',
    ],
  ]
  for (const [name, what, holds, range] of rules)
    if (!holds) throw badOption(`A ${what} of ${settings[name]} is not possible.`, `Use a number ${range}.`)
  const rare = rareCount(settings)
  if (rare === settings.items || rare * settings.rarePropensity >= 1)
    throw badOption(
      `${counted(rare, 'rare item')} of ${formatCount(settings.items)}, each shown with probability ${settings.rarePropensity}, leave no probability for the others.`,
      'Make fewer items rare, or show them less often.',
    )
}

const isAmount = (value: number): boolean => value >= 0 && value < Infinity
