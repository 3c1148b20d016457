import { type Advice, advice, set, type Setting } from '../advice.js'
import { badOption } from '../error.js'
import { listed } from '../listed.js'
import { TRAINED_MODELS } from '../model/trained-models.js'
import { LOSSES } from './losses/index.js'
import type { TrainSettings } from './settings.js'

/** The settings that only gradients use, in the words of an error. */
const OF_GRADIENTS = {
  start: 'policy to start at',
  regulariser: 'propensity regulariser',
  weightTarget: 'target for weights',
  ips: 'way to use weights',
  sampleBy: 'way to sample',
  negatives: 'negative items',
  drawn: 'number of drawn items',
  layers: 'layers',
  learningRate: 'learning rate',
  batch: 'batch size',
  l2: 'L2 penalty on batches',
  patienceSteps: 'patience in steps',
} as const satisfies Partial<Record<keyof TrainSettings & Setting, string>>

/** The settings that gradients and the sweeps of iALS use. */
const OF_SWEEPS = {
  dim: 'width of embeddings',
  epochs: 'number of epochs',
  patience: 'patience',
  minimumGain: 'smallest gain',
  evaluateEvery: 'time between evaluations',
} as const satisfies Partial<Record<keyof TrainSettings & Setting, string>>

/** Whether a setting says that a model is trained by gradients. */
export const asksForGradients = (chosen: Partial<TrainSettings>): boolean =>
  chosen.loss !== undefined ||
  chosen.biases === true ||
  Object.keys(OF_GRADIENTS).some((name) => chosen[name as keyof typeof OF_GRADIENTS] !== undefined)

/** Whether a setting says for how long or how wide a model is trained. */
export const asksForSweeps = (chosen: Partial<TrainSettings>): boolean =>
  Object.keys(OF_SWEEPS).some((name) => chosen[name as keyof typeof OF_SWEEPS] !== undefined)

/** Refuses settings that were chosen for a model that has no use for them, which would change nothing unnoticed. */
export function requireUsed(chosen: Partial<TrainSettings>): void {
  const model = chosen.model === undefined ? undefined : TRAINED_MODELS.named(chosen.model)
  if (model?.family !== 'solved') return
  const unused = unusedBy(model.name, chosen)
  if (unused.length === 0) return
  const settings = unused.map(([setting]) => setting)
  throw badOption(
    `${model.label} is solved from the clicks, without gradients. It has no ${listed(
      unused.map(([, words]) => words),
      'or',
    )}.`,
    advice`Leave out ${together(settings)}, or choose ${set('model', 'lightgcn')} or ${set('model', 'mf')}.`,
  )
}

/** The settings without those that the model has no use for, as whoever chooses the model would choose them. */
export function withoutUnused(settings: Partial<TrainSettings>): Partial<TrainSettings> {
  const model = settings.model === undefined ? undefined : TRAINED_MODELS.named(settings.model)
  if (model?.family !== 'solved') return settings
  const unused = new Set<string>(['loss', ...unusedBy(model.name, settings).map(([setting]) => setting)])
  return Object.fromEntries(Object.entries(settings).filter(([setting]) => !unused.has(setting)))
}

function unusedBy(model: string, chosen: Partial<TrainSettings>): (readonly [Setting, string])[] {
  const table: Partial<Record<keyof TrainSettings & Setting, string>> = {
    ...OF_GRADIENTS,
    ...(model !== 'ials' && OF_SWEEPS),
  }
  const loss =
    chosen.loss === undefined
      ? []
      : LOSSES.named(chosen.loss).objective
        ? [['objective', 'objective'] as const]
        : [['loss', 'loss'] as const]
  return [
    ...loss,
    ...(Object.keys(table) as (keyof typeof table)[]).flatMap((setting) =>
      chosen[setting] === undefined ? [] : [[setting, table[setting]!] as const],
    ),
  ]
}

/** Settings in a row, with “and” before the last. */
const together = (settings: readonly Setting[]): Advice =>
  settings.flatMap((setting, k): Advice => {
    const before = k === 0 ? [] : [k === settings.length - 1 ? ' and ' : ', ']
    return [...before, set(setting)]
  })
