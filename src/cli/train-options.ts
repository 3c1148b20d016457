import { regulariserText } from '../commands/train-command.js'
import { HindcastError } from '../error.js'
import { given } from '../given.js'
import { BASELINES } from '../model/baselines.js'
import { isLinear, TRAINED_MODELS } from '../model/trained-models.js'
import type { Loss } from '../train/losses/loss.js'
import { LOSSES } from '../train/losses/index.js'
import { type Regulariser, type RegulariserKind, REGULARISERS } from '../train/regularisers.js'
import { DEFAULT_SETTINGS, type Negatives, type TrainSettings, type WeightTarget } from '../train/settings.js'
import { SOLVED_BY_DEFAULT } from '../train/best-solved.js'
import { settingsFor, TEMPERED } from '../train/settings-for.js'
import { suggest } from '../suggest.js'
import { STOPPING_MEASURES } from '../train/stopping-measures.js'
import type { BaselineChoice } from '../train/baselines.js'
import type { TrainChoices } from '../train/train-on-log.js'
import { requireUsed } from '../train/unused-settings.js'
import { type Arguments, type ChoiceList, choiceList, type Option } from './command.js'
import { featuresAsked } from './log-options.js'
import { number, oneOf, text, wholeNumber } from './parse.js'
import type { Named, Registry } from '../registry.js'

/** The defaults of objectives. */
const OF_OBJECTIVES = settingsFor(true, { loss: 'ips' })

/** The options that say how to train. */
export const TRAIN_OPTIONS: Readonly<Record<string, Option>> = {
  model: {
    value: 'NAME',
    get help() {
      return `model to train: ${TRAINED_MODELS.names.join(', ')} (default: ${DEFAULT_SETTINGS.model} if there are propensities or an option for gradients is given, else the best of ${SOLVED_BY_DEFAULT.join(', ')} on the validation clicks; ${OF_OBJECTIVES.model} for objectives)`
    },
  },
  loss: {
    value: 'NAME',
    get help() {
      const of = (family: Loss['family']): string =>
        namesOf(LOSSES.all.filter((loss) => loss.family === family))
      return `${of('plain')}; weighted by propensity: ${of('weighted')} (${settingsFor(true).loss} if there are propensities, else ${settingsFor(false, { model: DEFAULT_SETTINGS.model }).loss})`
    },
  },
  objective: {
    value: 'NAME[:A]',
    get help() {
      return `learn the policy softmax(scores/T) from all impressions, by what it would earn: ${namesOf(OBJECTIVES())}, with its number, instead of a loss`
    },
  },
  start: {
    value: 'POLICY',
    help: 'policy that an objective with --model mf starts near: uniform (default), or logging, by how often each item was shown',
  },
  pr: {
    value: 'KIND:A',
    get help() {
      return `propensity regulariser: ${REGULARISERS.names.join(', ')}, with its strength (${regulariserText(TEMPERED)} for losses weighted by π/b)`
    },
  },
  'weight-target': {
    value: 'WHAT',
    help: 'target policy π of the weights π/b: uniform (default), inverse (1/b), column:NAME, or model[:T[:E]], the model’s softmax at temperature T mixed with a share E of uniform',
  },
  ips: { value: 'HOW', help: 'weight the loss (weight, default), or resample events by weight (resample)' },
  'sample-by': {
    value: 'WHAT',
    help: 'an epoch takes every event once (event, default), or as many events drawn with equal chances for every user (user)',
  },
  negatives: {
    value: 'WHICH',
    help: 'where negative items are drawn from: unclicked (default), all, or popularity[:POWER]',
  },
  drawn: {
    value: 'N',
    help: 'negative items per sample, for softmax losses (128) and for objectives where there are more items (511)',
  },
  dim: { value: 'N', help: 'embedding dimension of lightgcn, mf and ials (64)' },
  layers: { value: 'N', help: 'propagation layers of lightgcn (2 for softmax losses, else 3)' },
  lr: { value: 'X', help: 'learning rate of Adam (1e-3; 1e-2 for softmax losses, 5e-3 for objectives)' },
  batch: { value: 'N', help: 'samples per step (1024)' },
  l2: { value: 'X', help: 'L2 penalty on the embeddings of a batch (1e-4; 1e-2 for softmax losses)' },
  epochs: { value: 'N', help: 'maximum number of epochs (1000), or sweeps of ials (16)' },
  k: { value: 'N', help: 'k of NDCG@k and the other ranking metrics (10)' },
  'stop-on': {
    value: 'MEASURE',
    get help() {
      return `early stopping: measure that picks the best epoch: ${withDefault(STOPPING_MEASURES.names, DEFAULT_SETTINGS.stopOn)}; ${settingsFor(true).stopOn} for ${settingsFor(true).loss}, ${OF_OBJECTIVES.stopOn} for objectives`
    },
  },
  patience: {
    value: 'N',
    help: 'early stopping after N evaluations without a gain (20; 5 for softmax losses, 10 for objectives)',
  },
  'patience-steps': {
    value: 'N',
    help: 'and after at least N steps without one, since an epoch of a small log has few (0; 300 for softmax losses)',
  },
  'min-gain': { value: 'X', help: 'the smallest gain that counts (1e-4)' },
  'evaluate-every': { value: 'N', help: 'epochs per evaluation (1)' },
  temperature: {
    value: 'T',
    help: 'temperature of the policy softmax(scores/T) that SNIPS evaluates and objectives learn (1)',
  },
  biases: { help: 'mf: a column in which items start at their popularity, and all users alike' },
  lambda: { value: 'X', help: 'penalty of ease, slim and ials (chosen on the validation clicks)' },
  unobserved: { value: 'X', help: 'ials: weight of pairs without a click (chosen on the validation clicks)' },
  neighbours: { value: 'N', help: 'neighbours that each item has: item-knn (100), slim (50)' },
  shrinkage: { value: 'X', help: 'item-knn: makes similarities seen on few users count less (10)' },
  seed: { value: 'N', help: 'random seed (0)' },
  split: { value: 'BY', help: 'how rows are held out: row (default) or time' },
  validation: { value: 'SHARE', help: 'share of rows held out for early stopping (0.1)' },
  test: { value: 'SHARE', help: 'share of rows held out for the final test (0.1)' },
  baselines: {
    value: 'WHICH',
    get help() {
      return `models to compare with (${BASELINES.names.join(', ')}): fast (default: those that take no longer than the training), all, or none`
    },
  },
  'no-baselines': { help: 'short for --baselines none' },
}

const withDefault = (names: readonly string[], usual: string): string =>
  names.map((name) => (name === usual ? `${name} (default)` : name)).join(', ')

/** The losses that teach a policy. */
const OBJECTIVES = (): readonly Loss[] => LOSSES.all.filter(({ family }) => family === 'policy')

const namesOf = (things: readonly Loss[]): string => things.map(({ name }) => name).join(', ')

/** A regulariser as help texts write it: `shrink:A`, `none`. */
const regulariserForm = ({ name, strength }: RegulariserKind): string =>
  strength ? `${name}:${strength.placeholder}` : name

/** An objective as help texts write it: `poem[:L]` with its usual number, `ips`. */
const objectiveRow = ({ name, meaning, objective }: Loss): readonly [string, string] => {
  const { placeholder, usual } = objective?.parameter ?? {}
  if (placeholder === undefined) return [name, meaning]
  return [
    `${name}[:${placeholder}]`,
    usual === undefined ? meaning : `${meaning} ${placeholder} is ${usual} unless given.`,
  ]
}

/** The choices for training, with their meanings. */
export const TRAIN_LISTS: readonly ChoiceList[] = [
  choiceList('Models (--model)', TRAINED_MODELS),
  {
    heading: 'Losses (--loss)',
    rows: () => LOSSES.all.filter((loss) => !loss.objective).map(({ name, meaning }) => [name, meaning]),
  },
  {
    heading: 'Objectives (--objective)',
    rows: () => OBJECTIVES().map(objectiveRow),
  },
  choiceList('Propensity regularisers (--pr), w = π/b', REGULARISERS, regulariserForm),
  choiceList('Measures for early stopping (--stop-on)', STOPPING_MEASURES),
]

/** The training options that were typed; the rest follow from the log (`settingsFor`) or are defaults. */
export function trainChoicesOf(args: Arguments): TrainChoices {
  const by = oneOf(args, 'split', ['row', 'time'])
  const settings = trainSettingsOf(args)
  // Before a log is read, which may take long.
  requireUsed(settings)
  return {
    settings,
    split: given({ by, validation: number(args, 'validation'), test: number(args, 'test') }),
    baselines: baselinesOf(args),
  }
}

function baselinesOf(args: Arguments): BaselineChoice {
  const which = oneOf(args, 'baselines', ['fast', 'all', 'none'])
  const without = args.values['no-baselines'] === true
  if (without && which !== undefined && which !== 'none')
    throw new HindcastError('bad-option', `--no-baselines contradicts --baselines ${which}.`, {
      remedy: 'Use only one of them.',
    })
  return without ? 'none' : (which ?? 'fast')
}

function trainSettingsOf(args: Arguments): Partial<TrainSettings> {
  return given({
    model: modelOf(args),
    loss: namedOption(args, 'loss', LOSSES),
    ...parseObjective(args),
    start: oneOf(args, 'start', ['uniform', 'logging']),
    regulariser: parseRegulariser(text(args, 'pr')),
    weightTarget: parseWeightTarget(text(args, 'weight-target')),
    ips: oneOf(args, 'ips', ['weight', 'resample']),
    sampleBy: oneOf(args, 'sample-by', ['event', 'user']),
    negatives: parseNegatives(text(args, 'negatives')),
    drawn: wholeNumber(args, 'drawn'),
    dim: wholeNumber(args, 'dim'),
    layers: wholeNumber(args, 'layers'),
    learningRate: number(args, 'lr'),
    batch: wholeNumber(args, 'batch'),
    l2: number(args, 'l2'),
    epochs: wholeNumber(args, 'epochs'),
    k: wholeNumber(args, 'k'),
    stopOn: namedOption(args, 'stop-on', STOPPING_MEASURES),
    patience: wholeNumber(args, 'patience'),
    patienceSteps: wholeNumber(args, 'patience-steps'),
    minimumGain: number(args, 'min-gain'),
    evaluateEvery: wholeNumber(args, 'evaluate-every'),
    temperature: number(args, 'temperature'),
    seed: wholeNumber(args, 'seed'),
    biases: args.values['biases'] === true ? true : undefined,
    lambda: number(args, 'lambda'),
    unobserved: number(args, 'unobserved'),
    neighbours: wholeNumber(args, 'neighbours'),
    shrinkage: number(args, 'shrinkage'),
  })
}

/** The model: a linear policy where features are named. */
function modelOf(args: Arguments): TrainSettings['model'] | undefined {
  const model = namedOption(args, 'model', TRAINED_MODELS)
  if (featuresAsked(args) === undefined) return model
  if (model === undefined || isLinear(model)) return 'linear'
  throw new HindcastError('bad-option', `--features does not go with --model ${model}.`, {
    remedy: 'Leave --model out: a linear policy knows rows by their features.',
  })
}

/** Reads `poem:1`, `snips`. */
function parseObjective(args: Arguments): Pick<TrainSettings, 'loss' | 'parameter'> | undefined {
  const typed = text(args, 'objective')
  if (typed === undefined) return undefined
  if (args.values.loss !== undefined)
    throw new HindcastError('bad-option', '--objective and --loss exclude each other.', {
      remedy: 'An objective is what training maximises, in place of a loss: leave --loss out.',
    })
  const [name, argument] = typed.split(':', 2) as [string, string | undefined]
  const known = OBJECTIVES().find((one) => one.name === name)
  if (!known) {
    const meant = suggest(
      name,
      OBJECTIVES().map((one) => one.name),
    )
    throw new HindcastError('unknown-name', `There is no objective ${JSON.stringify(name)}.`, {
      remedy: `${meant ? `Did you mean ${meant}? ` : ''}Choose one of ${namesOf(OBJECTIVES())}.`,
    })
  }
  const loss = LOSSES.named(name).name
  if (argument === undefined) return { loss }
  const parameter = argument.trim() === '' ? NaN : Number(argument)
  if (known.objective?.parameter && !Number.isNaN(parameter)) return { loss, parameter }
  const may = known.objective?.parameter
  throw new HindcastError('bad-option', `--objective does not accept ${JSON.stringify(typed)}.`, {
    remedy: may
      ? `Add ${may.expected}: --objective ${name}:${may.example}.`
      : `It takes no number: --objective ${name}.`,
  })
}

/** Reads `shrink:0.1`, `clip:10`, `none`. */
function parseRegulariser(typed: string | undefined): Regulariser | undefined {
  if (typed === undefined) return undefined
  const [kind, argument] = typed.split(':', 2) as [string, string | undefined]
  const known = REGULARISERS.named(kind)
  if (!known.strength && argument === undefined) return { kind: known.name, strength: 0 }
  const strength = argument === undefined || argument.trim() === '' ? NaN : Number(argument)
  if (known.strength && !Number.isNaN(strength)) return { kind: known.name, strength }
  throw new HindcastError('bad-option', `--pr does not accept ${JSON.stringify(typed)}.`, {
    remedy: known.strength
      ? `Add ${known.strength.expected}: --pr ${kind}:${known.strength.usual}.`
      : `It takes no number: --pr ${kind}.`,
  })
}

/** Reads `uniform`, `inverse`, `column:NAME`, `model:T:E`. */
function parseWeightTarget(typed: string | undefined): WeightTarget | undefined {
  if (typed === undefined) return undefined
  if (typed === 'uniform' || typed === 'inverse') return { kind: typed }
  if (typed.startsWith('column:')) return { kind: 'column' }
  const [kind, temperature = '1', epsilon = '0.1'] = typed.split(':')
  const [t, e] = [Number(temperature), Number(epsilon)]
  if (kind === 'model' && t > 0 && e >= 0 && e <= 1) return { kind, temperature: t, epsilon: e }
  throw new HindcastError('bad-option', `--weight-target does not accept ${JSON.stringify(typed)}.`, {
    remedy: 'Choose uniform, inverse, column:NAME, or model:T:E with temperature T and a share E of uniform.',
  })
}

/** Reads `unclicked`, `all`, `popularity:0.75`. */
function parseNegatives(typed: string | undefined): Negatives | undefined {
  if (typed === undefined) return undefined
  if (typed === 'unclicked' || typed === 'all') return { kind: typed }
  const [kind, power = '1'] = typed.split(':')
  if (kind === 'popularity' && Number.isFinite(Number(power))) return { kind, power: Number(power) }
  throw new HindcastError('bad-option', `--negatives does not accept ${JSON.stringify(typed)}.`, {
    remedy: 'Choose unclicked, all, or popularity:POWER.',
  })
}

/** The name typed for an option; an error if the registry does not know it. */
function namedOption<Thing extends Named>(
  args: Arguments,
  option: string,
  registry: Registry<Thing>,
): Thing['name'] | undefined {
  const typed = text(args, option)
  return typed === undefined ? undefined : registry.named(typed).name
}
