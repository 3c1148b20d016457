import { type TastesOptions, tastesWorld } from '$core/world/tastes.js'
import type { World } from '$core/world/world.js'

/** A shop where what is shown most is not what people like most: a better policy is there to be found. */
export const SHOP = {
  users: 200,
  items: 100,
  exposures: 30,
  popularityQuality: -0.5,
} as const satisfies TastesOptions

export const shopWorld = (seed: number): World => tastesWorld({ ...SHOP, seed })

/** The world behind the first door, and the picture on the first page. */
export const FIRST_SEED = 1
