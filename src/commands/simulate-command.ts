import { given } from '../given.js'
import { movielens } from '../log/formats/movielens.js'
import { MOVIELENS_DEFAULTS, type MovielensOptions } from '../world/movielens.js'
import { TASTES_DEFAULTS, type TastesOptions } from '../world/tastes.js'
import { TOY_DEFAULTS, type ToyOptions } from '../world/toy.js'
import { commandWords, optionNamed } from './command-line.js'

/** The choices that `hindcast simulate` repeats. */
export type SimulateChoices = {
  /** Where to write the log. */
  readonly out: string
  /** Which independent log of the seed; default 0. */
  readonly replicate?: number
  /** Where to write all item ids, including items never shown. */
  readonly catalogue?: string
  /** The policy that chooses what is shown; default logging. */
  readonly policy?: 'logging' | 'uniform'
} & (
  | { readonly world: 'toy'; readonly options?: ToyOptions }
  | { readonly world: 'tastes'; readonly options?: TastesOptions }
  | {
      readonly world: 'movielens'
      readonly options?: MovielensOptions
      /** `ml-100k` (default), `ml-1m`, `ml-latest-small`, `simulated-100k`, `simulated-1m`. */
      readonly dataset?: string
      /** A rating of at least this counts as a click; default 4. */
      readonly clickFrom?: number
    }
)

const DEFAULTS = { toy: TOY_DEFAULTS, tastes: TASTES_DEFAULTS, movielens: MOVIELENS_DEFAULTS }

/** The words after `hindcast` that draw a log again, without defaults. */
export function simulateCommandOf(choices: SimulateChoices): string[] {
  const { world, out, options = {}, replicate, policy, catalogue } = choices
  const usual: Readonly<Record<string, Value>> = DEFAULTS[world]
  const chosen = Object.entries(options as Readonly<Record<string, Value>>).map(([name, value]) => [
    optionNamed(name),
    unless(usual[name], value),
  ])
  return commandWords('simulate', world, {
    out,
    ...given({
      ...Object.fromEntries(chosen),
      replicate: unless(0, replicate),
      policy: unless('logging', policy),
      catalogue,
      ...(choices.world === 'movielens' && {
        dataset: unless('ml-100k', choices.dataset),
        'click-from': unless(movielens.clickFrom, choices.clickFrom),
      }),
    }),
  })
}

const unless = (usual: Value | undefined, value: Value | undefined): string | undefined =>
  value === undefined || String(value) === String(usual) ? undefined : String(value)

type Value = string | number | readonly number[]
