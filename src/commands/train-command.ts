import { given } from '../given.js'
import type { BackendName } from '../kernels/backends.js'
import { isSolved, TRAINED_MODELS } from '../model/trained-models.js'
import { LOSSES } from '../train/losses/index.js'
import { type Regulariser, REGULARISERS } from '../train/regularisers.js'
import type { Negatives, TrainSettings, WeightTarget } from '../train/settings.js'
import { settingsFor } from '../train/settings-for.js'
import { withoutUnused } from '../train/unused-settings.js'
import { baselineChoice, type TrainChoices } from '../train/train-on-log.js'
import { commandWords, type TypedOptions } from './command-line.js'
import { columnChoice, type LogChoices, logOptions } from './log-choices.js'

/** The choices that `hindcast train` repeats. */
export interface TrainOnFileChoices extends TrainChoices {
  readonly log: LogChoices
  /** Whether the log has propensities, which determines the default loss. */
  readonly hasPropensities: boolean
  /** The folder to train in. */
  readonly out: string
  /** The file with a log shown uniformly at random. */
  readonly unbiased?: string
  readonly backend?: BackendName
}

/** The words after `hindcast` that train again, without defaults and what follows from the log. */
export function trainCommandOf(choices: TrainOnFileChoices): string[] {
  const { log, out, split = {}, backend = 'auto' } = choices
  const baselines = baselineChoice(choices)
  const isColumn = choices.settings?.weightTarget?.kind === 'column'
  return commandWords('train', log.file, {
    out,
    ...settingsTyped(choices),
    ...given({
      split: split.by === 'time' ? split.by : undefined,
      validation: shareText(split.validation),
      test: shareText(split.test),
      'no-baselines': baselines === 'none' ? true : undefined,
      baselines: baselines === 'all' ? baselines : undefined,
      unbiased: choices.unbiased,
      backend: backend === 'auto' ? undefined : backend,
    }),
    ...logOptions(log, isColumn ? ['target'] : []),
  })
}

/** Options that say nothing of how a model is made. */
const OF_ANY_MODEL: readonly string[] = ['seed', 'k', 'temperature', 'stop-on']

/** The settings that differ from the defaults for the chosen model and loss, or for the log if none is chosen. */
function settingsTyped({ log, hasPropensities, settings: asked = {} }: TrainOnFileChoices): TypedOptions {
  const chosen = withoutUnused(asked)
  const settings = settingsFor(hasPropensities, chosen)
  const usual: TypedOptions = {
    ...allTyped(settingsFor(hasPropensities, { loss: settings.loss, model: settings.model }), log),
    // The log alone never asks for an objective.
    objective: '',
    ...impliedBy(settings, hasPropensities),
    // The setting has no effect on a model without layers.
    ...(!TRAINED_MODELS.named(settings.model).hasLayers && { layers: String(settings.layers) }),
  }
  const typed = Object.fromEntries(
    Object.entries(allTyped(settings, log)).filter(([option, text]) => usual[option] !== text),
  )
  // Of what is left open the best is kept, so a model that was chosen is named.
  const isOpen = Object.keys(typed).every((option) => OF_ANY_MODEL.includes(option))
  return {
    ...typed,
    ...given({
      model: chosen.model !== undefined && (isSolved(chosen.model) || isOpen) ? chosen.model : undefined,
      biases: settings.biases === true ? true : undefined,
      lambda: numberText(settings.lambda),
      unobserved: numberText(settings.unobserved),
      neighbours: numberText(settings.neighbours),
      shrinkage: numberText(settings.shrinkage),
    }),
  }
}

/** The model and the loss that need not be typed: what the log implies, or the one of them that the other does. */
function impliedBy(
  { model, loss }: TrainSettings,
  hasPropensities: boolean,
): { model: string; loss: string } {
  const usual = settingsFor(hasPropensities)
  if (isSolved(model) || (usual.model === model && usual.loss === loss)) return { model, loss }
  return settingsFor(hasPropensities, { loss }).model === model
    ? { model, loss: '' }
    : { model: '', loss: settingsFor(hasPropensities, { model }).loss }
}

const numberText = (value: number | undefined): string | undefined =>
  value === undefined ? undefined : String(value)

const allTyped = (settings: TrainSettings, log: LogChoices): Record<string, string> => ({
  model: settings.model,
  ...lossTyped(settings),
  start: settings.start ?? 'uniform',
  pr: regulariserText(settings.regulariser),
  'weight-target': weightTargetText(settings.weightTarget, log),
  ips: settings.ips,
  'sample-by': settings.sampleBy,
  negatives: negativesText(settings.negatives),
  drawn: String(settings.drawn),
  dim: String(settings.dim),
  layers: String(settings.layers),
  lr: String(settings.learningRate),
  batch: String(settings.batch),
  l2: String(settings.l2),
  epochs: String(settings.epochs),
  k: String(settings.k),
  'stop-on': settings.stopOn,
  patience: String(settings.patience),
  'patience-steps': String(settings.patienceSteps ?? 0),
  'min-gain': String(settings.minimumGain),
  'evaluate-every': String(settings.evaluateEvery),
  temperature: String(settings.temperature),
  seed: String(settings.seed),
})

/** The loss as it is typed: an objective with its number, where it has one. */
const lossTyped = ({ loss, parameter }: TrainSettings): Record<string, string> =>
  LOSSES.named(loss).objective
    ? { objective: parameter === undefined ? loss : `${loss}:${parameter}` }
    : { loss }

/** A regulariser as it is typed after `--pr`: `shrink:0.1`, `none`. */
export const regulariserText = ({ kind, strength }: Regulariser): string =>
  REGULARISERS.named(kind).strength ? `${kind}:${strength}` : kind

const weightTargetText = (target: WeightTarget, log: LogChoices): string => {
  if (target.kind === 'column') return columnChoice(log, 'target')
  return target.kind === 'model' ? `model:${target.temperature}:${target.epsilon}` : target.kind
}

const negativesText = (negatives: Negatives): string =>
  negatives.kind === 'popularity' ? `popularity:${negatives.power}` : negatives.kind

/** The share of a part, unless it is the default of a tenth. */
const shareText = (share: number | undefined): string | undefined =>
  share === undefined || share === 0.1 ? undefined : String(share)
