import { TUNED_BY } from '../train/tune/tuning.js'
import type { Alternative, DimensionName } from '../train/tune/dimensions.js'
import type { TuneChoices } from '../train/tune/plan-tuning.js'
import { HindcastError } from '../error.js'
import type { Arguments, Option } from './command.js'
import { number, oneOf, text, wholeNumber } from './parse.js'
import { TRAIN_OPTIONS, trainChoicesOf } from './train-options.js'

/** Options of training that take several values, separated by commas, and what they try. */
const LISTED: Readonly<Record<string, DimensionName>> = {
  model: 'model',
  loss: 'loss',
  objective: 'loss',
  start: 'start',
  pr: 'regulariser',
  lr: 'learningRate',
  l2: 'l2',
  dim: 'dim',
  layers: 'layers',
  drawn: 'drawn',
}

/** Options of training that tuning decides itself. */
const DECIDED = ['stop-on', 'epochs']

/** The options that say what to try, and for how long. */
export const TUNE_OPTIONS: Readonly<Record<string, Option>> = {
  by: {
    type: 'string',
    value: 'MEASURE',
    help: `what trials are chosen by, on the validation part: ${TUNED_BY.join(', ')} (unbiased if there are propensities, else ndcg; lower-bound for objectives)`,
  },
  minutes: {
    type: 'string',
    value: 'N',
    help: 'time for all of it (10), turned into steps once, by a short measurement',
  },
  trials: {
    type: 'string',
    value: 'N',
    help: 'settings to draw, beside the defaults (as many as there is time for); without --minutes, the last rung has 200 epochs',
  },
  epochs: { type: 'string', value: 'N', help: 'maximum number of epochs in the last rung (1000)' },
  ...Object.fromEntries(Object.entries(TRAIN_OPTIONS).filter(([name]) => !DECIDED.includes(name))),
}

/** What the help says about lists. */
export const LISTS_NOTE = `Whatever is left out is tried: ${Object.keys(LISTED)
  .map((name) => `--${name}`)
  .join(
    ', ',
  )}. One value fixes a setting; several, separated by commas, are tried instead of the usual ones: --lr 1e-3,1e-2.`

/** The choices for a tuning that were typed. */
export function tuneChoicesOf(args: Arguments): TuneChoices {
  const lists = Object.keys(LISTED).flatMap((option) => {
    const typed = text(args, option)
    return typed?.includes(',') ? [{ option, values: typed.split(',').map((value) => value.trim()) }] : []
  })
  // With the first of each list, everything is checked as it is for one training.
  const firsts = Object.fromEntries(lists.map(({ option, values }) => [option, values[0]]))
  trainChoicesOf({ ...args, values: { ...args.values, ...firsts } })
  const single = Object.fromEntries(lists.map(({ option }) => [option, undefined]))
  const { settings = {}, split } = trainChoicesOf({ ...args, values: { ...args.values, ...single } })
  const [minutes, trials] = [number(args, 'minutes'), wholeNumber(args, 'trials')]
  const by =
    oneOf(args, 'by', TUNED_BY) ?? (args.values['objective'] === undefined ? undefined : 'lower-bound')
  return {
    ...(by && { by }),
    ...(minutes !== undefined && { minutes }),
    ...(trials !== undefined && { trials }),
    settings,
    tried: Object.fromEntries(
      lists.map(({ option, values }) => [LISTED[option], values.map((value) => alternative(option, value))]),
    ),
    ...(split && { split }),
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
