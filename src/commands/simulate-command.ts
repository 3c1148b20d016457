import { movielens } from '../log/formats/movielens.js'
import { MOVIELENS_DEFAULTS, type MovielensOptions } from '../world/movielens.js'
import { TASTES_DEFAULTS, type TastesOptions } from '../world/tastes.js'
import { TOY_DEFAULTS, type ToyOptions } from '../world/toy.js'
import { commandWords, typedOptions } from './command-line.js'

/** What is repeated by `hindcast simulate`. */
export type SimulateChoices = {
  /** Where the log goes. */
  readonly out: string
  /** Which of the independent logs of the seed; default 0. */
  readonly replicate?: number
  /** Where the ids of all items go, those never shown too. */
  readonly catalogue?: string
  /** Who chooses what is shown; default logging. */
  readonly policy?: 'logging' | 'uniform'
} & (
  | { readonly world: 'toy'; readonly options?: ToyOptions }
  | { readonly world: 'tastes'; readonly options?: TastesOptions }
  | {
      readonly world: 'movielens'
      readonly options?: MovielensOptions
      /** `ml-100k` (default), `ml-1m`, `ml-latest-small`, `simulated-100k`, `simulated-1m`. */
      readonly dataset?: string
      /** A rating of at least so much is a click; default 4. */
      readonly clickFrom?: number
    }
)

const DEFAULTS = { toy: TOY_DEFAULTS, tastes: TASTES_DEFAULTS, movielens: MOVIELENS_DEFAULTS }

/** The words after `hindcast` that draw a log again; what is the default is left out. */
export function simulateCommandOf(choices: SimulateChoices): string[] {
  const { world, out, options = {}, replicate, policy, catalogue } = choices
  const usual: Readonly<Record<string, Value>> = DEFAULTS[world]
  const chosen = Object.entries(options as Readonly<Record<string, Value>>).map(([name, value]) => [
    optionNamed(name),
    unless(usual[name], value),
  ])
  return commandWords('simulate', world, {
    out,
    ...typedOptions({
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

/** `tasteStrength` is typed as `taste-strength`. */
const optionNamed = (setting: string): string =>
  setting.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
