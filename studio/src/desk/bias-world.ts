import type { Log } from '$core/log/log.js'
import type { Policy } from '$core/policy/policy.js'
import { softmaxPolicy } from '$core/policy/ruled-policy.js'
import { uniformPolicy } from '$core/policy/probabilities.js'
import { log } from '$core/portable-math.js'
import { tastePolicy } from '$study/experiments/toy.js'
import { movielensWorld } from '$core/world/movielens.js'
import { simulatedRatings } from '$core/world/simulated-ratings.js'
import { tastesWorld } from '$core/world/tastes.js'
import { toyWorld } from '$core/world/toy.js'
import { type World, worldOf } from '$core/world/world.js'
import { SHOP } from './shop-world.js'
import { type ShownItems, worldLikeLog } from './world-like-log.js'

/** A world whose exposure bias can be chosen. */
export type BiasWorld =
  | { readonly kind: 'toy' }
  | { readonly kind: 'shop' }
  /** Clicks are flipped with probability `noise`. */
  | { readonly kind: 'movielens'; readonly noise: number }
  | { readonly kind: 'log'; readonly items: ShownItems; readonly users: number }

/** Target policies that are the same at every temperature. */
export const BIAS_TARGETS = ['uniform', 'popularity', 'taste'] as const
export type BiasTargetName = (typeof BIAS_TARGETS)[number]

/** A target policy with its true value. */
export interface KnownTarget {
  readonly policy: Policy
  /** In words. */
  readonly label: string
  readonly truth: number
}

/** A world in which whatever does not depend on the temperature is made only once. */
export interface PreparedWorld {
  worldAt(setting: { seed: number; exposures: number; temperature: number }): World
  target(name: BiasTargetName): KnownTarget
}

/** The world of a seed; a repeated call returns it at once. A worker serves one log, so at most one world is modelled on a log. */
export function preparedWorld(world: BiasWorld, seed: number): PreparedWorld {
  // Ratings, and what a log holds, are the same for every seed.
  const own = world.kind === 'log' ? '' : world.kind === 'movielens' ? world.noise : seed
  const key = `${world.kind} ${own}`
  if (kept?.key !== key) kept = { key, prepared: prepare(world, seed) }
  return kept.prepared
}

let kept: { readonly key: string; readonly prepared: PreparedWorld } | undefined
let ratings: Log | undefined

function prepare(world: BiasWorld, seed: number): PreparedWorld {
  switch (world.kind) {
    case 'toy':
      return withTargets(toyWorldAt(seed), 0.2)
    case 'shop':
      return withTargets((setting) => tastesWorld({ ...SHOP, ...setting, seed }), 0.2)
    case 'movielens': {
      const { noise } = world
      // A liked film is ten times as likely as another.
      return withTargets(
        (setting) => movielensWorld((ratings ??= simulatedRatings()), { ...setting, noise }),
        0.4343,
      )
    }
    case 'log': {
      const { items, users } = world
      const worldAt: PreparedWorld['worldAt'] = (setting) => worldLikeLog(items, { ...setting, users })
      return withTargets(worldAt, deviationOf(worldAt({ seed, exposures: 1, temperature: 1 })))
    }
  }
}

/** The toy world with its logging policy at a temperature, b^(1/T): click rates are the same at every temperature. */
function toyWorldAt(seed: number): PreparedWorld['worldAt'] {
  const base = toyWorld({ seed })
  const scores = base.logging.probabilities(0).map((b) => log(b))
  return ({ exposures, temperature }) =>
    worldOf({ ...base, exposures, logging: softmaxPolicy('logging', scores, temperature) })
}

function withTargets(worldAt: PreparedWorld['worldAt'], tasteTemperature: number): PreparedWorld {
  // Targets and true values depend only on click rates and popularity, which no seed or number of exposures changes.
  const popular = worldAt({ seed: 0, exposures: 1, temperature: 1 })
  const made = new Map<BiasTargetName, KnownTarget>()
  return {
    worldAt,
    target(name) {
      const known = made.get(name)
      if (known) return known
      const named = targetNamed(name, popular, tasteTemperature)
      const target = { ...named, truth: popular.value(named.policy) }
      made.set(name, target)
      return target
    },
  }
}

function targetNamed(
  name: BiasTargetName,
  popular: World,
  tasteTemperature: number,
): Omit<KnownTarget, 'truth'> {
  switch (name) {
    case 'uniform':
      return { policy: uniformPolicy(popular.itemIds.length), label: 'uniform' }
    case 'popularity':
      return {
        policy: { ...popular.logging, name },
        label: 'by popularity: the logging policy at temperature 1',
      }
    case 'taste':
      return {
        policy: tastePolicy(popular, tasteTemperature),
        label: `by true taste, softmax(click rate / ${tasteTemperature})`,
      }
  }
}

/** Standard deviation of the click rates of a world whose users are alike: an item that far above another is e times as likely. */
function deviationOf({ itemIds, clickRate }: World): number {
  const rates = itemIds.map((_, item) => clickRate(0, item))
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length
  const deviation = Math.sqrt(rates.reduce((sum, rate) => sum + (rate - mean) ** 2, 0) / rates.length)
  // Where all rates are equal, any temperature is the same.
  return Number(deviation.toPrecision(2)) || 1
}
