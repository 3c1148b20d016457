import { counted, formatCount } from '$core/number-text.js'
import { MOVIELENS_DEFAULTS } from '$core/world/movielens.js'
import { SIMULATED_RATINGS_NOTE } from '$core/world/simulated-ratings.js'
import { TOY_DEFAULTS } from '$core/world/toy.js'
import type { BiasWorld } from '../../desk/bias-world.js'
import type { OpenedLog } from '../../desk/open-log.js'
import { SHOP } from '../../desk/shop-world.js'
import { isInRange, type NumberRange } from '../../parts/number-range.js'
import { mostShown } from '../../desk/world-like-log.js'

/** A world to explore, and its defaults. */
export interface WorldChoice {
  readonly world: BiasWorld
  /** Of the first log; the others follow it. */
  readonly seed: number
  readonly users: number
  /** Exposures per user. */
  readonly exposures: number
  readonly temperature: number
  /** What it is, for a subtitle. */
  readonly label: string
  /** To follow "In"; none for the world that is open. */
  readonly place?: string
  /** What else must be said about it. */
  readonly note?: string
}

/** The worlds offered for a log of one's own. */
export const WORLDS = [
  ['log', 'modelled on this log'],
  ['movielens', 'MovieLens-like'],
  ['toy', 'toy'],
] as const

/** The ends of the slider. */
export const TEMPERATURES = { lowest: 0.2, highest: 5 } as const

/** The most that can be asked for: more would take the page too long to draw. */
const MOST_ROWS = 500_000

/** What the numbers of the view may be, at its controls and in links. */
export const RANGES = {
  noise: { min: 0, max: 0.5 },
  seeds: { min: 1, max: 100, isWhole: true },
} as const satisfies Record<string, NumberRange>

/** How many exposures each user of a world may have. */
export const exposuresIn = ({ users }: Pick<WorldChoice, 'users'>): NumberRange => ({
  min: 1,
  max: Math.floor(MOST_ROWS / users),
  isWhole: true,
})

/** A world modelled on a log has no more items, users and rows than these, so that the slider responds at once. */
const MOST = { items: 2000, users: 1000, rows: 100_000 } as const
/** Users of MovieLens 100K and of the ratings that are simulated for it. */
const MOVIELENS_USERS = 943

type Source = Pick<OpenedLog, 'name' | 'source' | 'items' | 'users' | 'description'>

/** The world of the log that is open; for a file, the one that was chosen by its name, else the one modelled on it. */
export function worldChoice(
  log: Source,
  { world: name, noise }: { world: string; noise: number },
): WorldChoice {
  const { source } = log
  switch (source.kind === 'file' ? name : source.kind) {
    case 'toy':
      return {
        world: { kind: 'toy' },
        seed: source.kind === 'file' ? 0 : source.seed,
        users: TOY_DEFAULTS.users,
        exposures: TOY_DEFAULTS.exposures,
        temperature: 1,
        label: 'Toy world, item weights w^(1/T)',
        ...(source.kind === 'file' && { place: 'the toy world' }),
      }
    case 'shop':
      return {
        world: { kind: 'shop' },
        seed: source.kind === 'file' ? 0 : source.seed,
        users: SHOP.users,
        exposures: SHOP.exposures,
        temperature: 1,
        label: 'Shop world',
      }
    case 'movielens':
      return {
        world: { kind: 'movielens', noise: isInRange(RANGES.noise, noise) ? noise : 0 },
        seed: source.kind === 'file' ? 0 : source.seed,
        users: MOVIELENS_USERS,
        exposures: MOVIELENS_DEFAULTS.exposures,
        temperature:
          source.kind === 'movielens'
            ? Math.min(TEMPERATURES.highest, Math.max(TEMPERATURES.lowest, source.temperature))
            : 1,
        label: `MovieLens-like world (${SIMULATED_RATINGS_NOTE})`,
        ...(source.kind === 'file' && { place: 'the MovieLens-like world' }),
      }
    default:
      return likeLog(log)
  }
}

function likeLog({ name, items, users, description }: Source): WorldChoice {
  const shown = mostShown(items, MOST.items)
  const own = Math.min(MOST.users, users.ids.length)
  const each = Math.round(description.impressions / users.ids.length)
  return {
    world: { kind: 'log', items: shown, users: own },
    seed: 0,
    users: own,
    exposures: Math.max(1, Math.min(each, Math.floor(MOST.rows / own))),
    temperature: 1,
    label: `A world modelled on ${name}`,
    place: `a world modelled on ${name}`,
    note:
      `No log can show what other exposure would have brought, or what a policy truly earns. So this is a world modelled ` +
      `on yours: ${
        shown.ids.length < description.items
          ? `its ${formatCount(shown.ids.length)} most shown items of ${formatCount(description.items)}`
          : `its ${counted(shown.ids.length, 'item')}`
      }, shown in proportion to (impressions in your log)^(1/T). They are clicked at the rates in your log, ` +
      `shrunk towards the mean where impressions are few. Its ${counted(own, 'user')} are all alike. It shows what exposure ` +
      `like yours does to an estimate; its values are not those of your users.`,
  }
}
