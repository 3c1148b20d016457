import { checkSettings } from '$core/train/check-settings.js'
import { LOSS } from '$core/train/loss.js'
import {
  LOSSES,
  type LossName,
  type Regulariser,
  REGULARISERS,
  type RegulariserName,
  STOPPING_MEASURES,
  type StoppingMeasure,
  TRAINED_MODELS,
  type TrainSettings,
} from '$core/train/settings.js'
import { settingsFor } from '$core/train/settings-for.js'
import type { Form } from './form-defaults.js'

/** What of a log decides which choices there are. */
export interface LogTraits {
  readonly hasPropensities: boolean
  readonly hasTimes: boolean
}

/** The strength that a regulariser has until another is typed. */
const USUAL_STRENGTH: Readonly<Record<RegulariserName, number>> = {
  none: 0,
  shrink: 0.1,
  clip: 10,
  power: 0.5,
  ess: 0.1,
  variance: 0.1,
  literal: 0.1,
}

/** Whether a loss can be trained on the log: those with weights need propensities. */
export const canTrain = (loss: LossName, { hasPropensities }: LogTraits): boolean =>
  hasPropensities || LOSS[loss].weights === 'none'

/** Whether the epoch can be chosen by a measure: those that correct for exposure need propensities. */
export const canStopOn = (measure: StoppingMeasure, { hasPropensities }: LogTraits): boolean =>
  hasPropensities || (measure !== 'snips' && measure !== 'unbiased')

/**
 * The settings that the form asks for, as `hindcast train` would have them for this log. What a link says that the
 * log cannot do, or that is no word of the form, falls back on the default.
 */
export function settingsOf(form: Form, traits: LogTraits): TrainSettings {
  const loss = LOSSES.find((name) => name === form.loss && canTrain(name, traits))
  const stopOn = STOPPING_MEASURES.find((name) => name === form.stopOn && canStopOn(name, traits))
  const usual = settingsFor(traits.hasPropensities, loss ? { loss } : {})
  const { dim, layers, learningRate, batch, l2, epochs, patience, k, temperature, seed } = form
  return {
    ...usual,
    model: TRAINED_MODELS.find((name) => name === form.model) ?? usual.model,
    regulariser: regulariserOf(form, usual.regulariser),
    stopOn: stopOn ?? usual.stopOn,
    dim,
    layers,
    learningRate,
    batch,
    l2,
    epochs,
    patience,
    k,
    temperature,
    seed,
  }
}

function regulariserOf({ regulariser, strength }: Form, usual: Regulariser): Regulariser {
  const kind = REGULARISERS.find((name) => name === regulariser)
  const typed = strength.trim() === '' ? undefined : Number(strength)
  if (!kind) return typed === undefined || usual.kind === 'none' ? usual : { ...usual, strength: typed }
  return { kind, strength: kind === 'none' ? 0 : (typed ?? USUAL_STRENGTH[kind]) }
}

/** How rows are held out; by time only where the log tells it. */
export const splitOf = (
  { split }: Form,
  { hasTimes }: LogTraits,
): { by: 'row' | 'time'; validation: number; test: number } => ({
  by: split === 'time' && hasTimes ? 'time' : 'row',
  validation: 0.1,
  test: 0.1,
})

/** The settings once each of them makes sense; else an error that says which does not. */
export const checkedSettings = (form: Form, traits: LogTraits): TrainSettings =>
  checkSettings(settingsOf(form, traits))
