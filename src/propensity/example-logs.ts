import type { Log } from '../log/log.js'
import { randomStream } from '../random/stream.js'

/** A simulated log and the truth behind it. */
export interface DrawnLog {
  readonly log: Log
  /** b(·|user). */
  truth(user: number): Float64Array
}

export interface DrawOptions {
  readonly seed?: number
  readonly users?: number
  readonly items?: number
  /** Impressions per user. */
  readonly activity?: (user: number) => number
  /** b ∝ exp(skew · (1 − relative rank of the item)), with the user's skew. */
  readonly skew?: (user: number) => number
  readonly clickRate?: (user: number, item: number) => number
  /** A user sees an item at most once. */
  readonly once?: boolean
}

/** Items drawn for each user by a softmax, with its propensities kept separate from the log. */
export function drawLog(options: DrawOptions = {}): DrawnLog {
  const { seed = 1, users = 1000, items = 100, once = false } = options
  const { activity = () => 8, skew = () => 4, clickRate = () => 0.2 } = options
  const truth = (user: number): Float64Array => {
    const weights = Float64Array.from({ length: items }, (_, item) => Math.exp(-skew(user) * (item / items)))
    const total = weights.reduce((sum, weight) => sum + weight)
    return weights.map((weight) => weight / total)
  }
  const rows: { user: number; item: number; reward: number }[] = []
  for (let user = 0; user < users; user++) {
    const random = randomStream(seed, 'example impressions', user)
    const left = truth(user)
    for (let k = 0; k < activity(user); k++) {
      const item = draw(left, random.uniform())
      if (once) left[item] = 0
      rows.push({ user, item, reward: random.uniform() < clickRate(user, item) ? 1 : 0 })
    }
  }
  return { log: logOf(rows, { users, items }), truth }
}

function draw(weights: Float64Array, uniform: number): number {
  let left = uniform * weights.reduce((sum, weight) => sum + weight)
  for (let item = 0; item < weights.length; item++) {
    left -= weights[item]!
    if (left < 0) return item
  }
  return weights.findLastIndex((weight) => weight > 0)
}

/** A log without propensities, built from rows; users and items are called 0, 1, 2, … */
export function logOf(
  rows: readonly { user: number; item: number; reward?: number; position?: number }[],
  { users, items }: { users?: number; items?: number } = {},
): Log {
  const ids = (count: number): string[] => Array.from({ length: count }, (_, k) => String(k))
  return {
    rows: rows.length,
    user: Uint32Array.from(rows, ({ user }) => user),
    item: Uint32Array.from(rows, ({ item }) => item),
    userIds: ids(users ?? Math.max(...rows.map(({ user }) => user)) + 1),
    itemIds: ids(items ?? Math.max(...rows.map(({ item }) => item)) + 1),
    catalogueKnown: false,
    reward: Float64Array.from(rows, ({ reward = 0 }) => reward),
    propensitySource: 'none',
    ...(rows[0]?.position !== undefined && {
      position: Float64Array.from(rows, ({ position }) => position!),
    }),
  }
}

export interface PagesOptions {
  readonly seed?: number
  readonly pages?: number
  readonly items?: number
  /** θ of positions 1, 2, 3, … */
  readonly examination: readonly number[]
}

/** Pages of a position-based world: popular items tend to the top, and clicks have probability θ_k · γ_a. */
export function drawPages({ seed = 1, pages = 4000, items = 30, examination }: PagesOptions): Log {
  const rows: { user: number; item: number; reward: number; position: number }[] = []
  for (let user = 0; user < pages; user++) {
    const random = randomStream(seed, 'example pages', user)
    const score = Array.from({ length: items }, (_, item) => ({
      item,
      score: attraction(item, items) + random.uniform(),
    }))
    const shown = score.toSorted((a, b) => b.score - a.score).slice(0, examination.length)
    shown.forEach(({ item }, k) => {
      const reward = random.uniform() < examination[k]! * attraction(item, items) ? 1 : 0
      rows.push({ user, item, reward, position: k + 1 })
    })
  }
  return logOf(rows, { items })
}

/** γ from 0.1 to 0.7. */
const attraction = (item: number, items: number): number => 0.1 + (0.6 * item) / (items - 1)
