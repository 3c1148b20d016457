import { TUNED_BY } from '../train/tune/tuning.js'
import { type Alternative, type DimensionName, DIMENSIONS } from '../train/tune/dimensions.js'
import type { TuneChoices } from '../train/tune/plan-tuning.js'
import { HindcastError } from '../error.js'
import { given } from '../given.js'
import { isSolved } from '../model/trained-models.js'
import type { Arguments, Option } from './command.js'
import { number, oneOf, text, wholeNumber } from './parse.js'
import { TRAIN_OPTIONS, trainChoicesOf } from './train-options.js'

/** An option of training that takes several values, separated by commas: what it tries, and its help. */
interface Listed {
  readonly dimension: DimensionName
  readonly help: string
}

/** The usual values of a setting, as help texts list them. */
const usualOf = (name: DimensionName, setting: keyof Alternative): string => {
  const ground = { by: 'unbiased', hasPropensities: true, items: Infinity } as const
  const values = DIMENSIONS.find((one) => one.name === name)!.usual({}, ground)
  return values.map((value) => String(value[setting])).join(', ')
}

const LISTED: Readonly<Record<string, Listed>> = {
  model: {
    dimension: 'model',
    help: 'models to try (lightgcn, mf, and once each ease and ials, which choose their own numbers; mf by lower-bound)',
  },
  loss: {
    dimension: 'loss',
    get help() {
      return `losses to try (${usualOf('loss', 'loss')}; weighted ones only with propensities)`
    },
  },
  objective: {
    dimension: 'loss',
    help: 'objectives to try, each with its number or without, to try several numbers (all of them by lower-bound)',
  },
  start: {
    dimension: 'start',
    help: 'policies that objectives with --model mf start near (uniform, logging)',
  },
  pr: {
    dimension: 'regulariser',
    help: 'propensity regularisers to try, each with its strength (none, shrink, clip and power at several strengths)',
  },
  lr: {
    dimension: 'learningRate',
    get help() {
      return `learning rates to try (${usualOf('learningRate', 'learningRate')})`
    },
  },
  l2: {
    dimension: 'l2',
    get help() {
      return `L2 penalties to try (${usualOf('l2', 'l2')})`
    },
  },
  dim: {
    dimension: 'dim',
    get help() {
      return `embedding dimensions to try (${usualOf('dim', 'dim')})`
    },
  },
  layers: {
    dimension: 'layers',
    get help() {
      return `propagation layers of lightgcn to try (${usualOf('layers', 'layers')})`
    },
  },
  drawn: {
    dimension: 'drawn',
    get help() {
      return `negative items per sample of softmax losses to try (${usualOf('drawn', 'drawn')})`
    },
  },
}

/** Options of training that tuning decides itself. */
const DECIDED = ['stop-on', 'epochs']

const listOption = (listed: Listed): Option => ({
  value: 'LIST',
  get help() {
    return listed.help
  },
})

/** The options that say what to try, and for how long. */
export const TUNE_OPTIONS: Readonly<Record<string, Option>> = {
  by: {
    value: 'MEASURE',
    help: `measure by which trials are chosen, on the validation part: ${TUNED_BY.join(', ')} (unbiased if there are propensities, else ndcg; lower-bound for objectives)`,
  },
  minutes: {
    value: 'N',
    help: 'minutes for all of it (10); a short measurement turns them into steps, once',
  },
  trials: {
    value: 'N',
    help: 'settings to draw, beside the defaults (as many as time allows); without --minutes, the last rung has 200 epochs',
  },
  epochs: { value: 'N', help: 'maximum number of epochs in the last rung (1000)' },
  ...Object.fromEntries(
    Object.entries(TRAIN_OPTIONS)
      .filter(([name]) => !DECIDED.includes(name))
      .map(([name, option]) => [name, LISTED[name] ? listOption(LISTED[name]) : option]),
  ),
}

/** What the help says about lists. */
export const LISTS_NOTE =
  'A LIST has one value or several, separated by commas, such as --lr 1e-3,1e-2. One value fixes a setting; several are tried in place of the usual ones, shown in parentheses.'

/** The choices for a tuning that were typed. */
export function tuneChoicesOf(args: Arguments): TuneChoices {
  const lists = Object.keys(LISTED).flatMap((option) => {
    const typed = text(args, option)
    return typed?.includes(',') ? [{ option, values: typed.split(',').map((value) => value.trim()) }] : []
  })
  // With the first of each list, everything is checked as it is for one training; a model that is solved has no use for
  // what the others are tried with.
  const firsts = Object.fromEntries(
    lists.map(({ option, values }) => [option, values.find((value) => !isSolved(value)) ?? values[0]]),
  )
  trainChoicesOf({ ...args, values: { ...args.values, ...firsts } })
  const single = Object.fromEntries(lists.map(({ option }) => [option, undefined]))
  const { settings = {}, split } = trainChoicesOf({ ...args, values: { ...args.values, ...single } })
  const by =
    oneOf(args, 'by', TUNED_BY) ??
    (['objective', 'features'].some((name) => args.values[name] !== undefined) ? 'lower-bound' : undefined)
  return {
    ...given({ by, minutes: number(args, 'minutes'), trials: wholeNumber(args, 'trials'), split }),
    settings,
    tried: Object.fromEntries(
      lists.map(({ option, values }) => [
        LISTED[option]!.dimension,
        values.map((value) => alternative(option, value)),
      ]),
    ),
  }
}

/** The settings that one value of an option stands for. */
function alternative(option: string, value: string): Alternative {
  if (value === '')
    throw new HindcastError('bad-option', `--${option} has an empty place in its list.`, {
      remedy: `For example: --${option} ${option === 'lr' ? '1e-3,1e-2' : 'A,B'}`,
    })
  return trainChoicesOf({ positionals: [], values: { [option]: value } }).settings!
}
