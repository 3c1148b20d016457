import { checkSettings } from '$core/train/check-settings.js'
import {
  isSolved,
  type TrainedModel,
  type TrainedModelName,
  TRAINED_MODELS,
} from '$core/model/trained-models.js'
import { LOSSES } from '$core/train/losses/index.js'
import type { Loss } from '$core/train/losses/loss.js'
import { type Regulariser, type RegulariserKind, REGULARISERS } from '$core/train/regularisers.js'
import type { TrainSettings } from '$core/train/settings.js'
import { settingsFor } from '$core/train/settings-for.js'
import { type EpochMeasure, STOPPING_MEASURES } from '$core/train/stopping-measures.js'
import { FOLLOWING, type Form } from './form-defaults.js'

/** The traits of a log that decide which choices there are. */
export interface LogTraits {
  readonly hasPropensities: boolean
  readonly hasTimes: boolean
}

/** Whether a loss can be trained on the log: those with weights need propensities. */
export const canTrain = ({ weights }: Loss, { hasPropensities }: LogTraits): boolean =>
  hasPropensities || weights === 'none'

/** The losses by whether they have weights, as the form lists them. */
export const lossGroups = (): { label: string; losses: readonly Loss[] }[] => [
  { label: 'Unweighted', losses: LOSSES.all.filter(({ family }) => family === 'plain') },
  { label: 'Weighted by propensity', losses: LOSSES.all.filter(({ family }) => family === 'weighted') },
  { label: 'By what a policy would earn', losses: LOSSES.all.filter(({ family }) => family === 'policy') },
]

/** The models that the form offers: those of users and items that epochs of gradients train. Others are for the command line. */
export const gradientModels = (): readonly TrainedModel<TrainedModelName>[] =>
  TRAINED_MODELS.all.filter(({ family, name }) => family === 'trained' && name !== 'linear')

/** Whether a regulariser has something to act on: weights, or losses whatever they weigh. Objectives hold weights back themselves. */
export const canRegularise = ({ family }: RegulariserKind, { weights }: Loss): boolean =>
  family === 'none' || (weights !== 'policy' && (family === 'losses' || weights !== 'none'))

/** Whether the epoch can be chosen by a measure: those that correct for exposure need propensities, and errors ratings. */
export const canStopOn = (
  { family, isError }: EpochMeasure,
  { hasPropensities }: LogTraits,
  { form }: Loss,
): boolean => (isError === true) === (form === 'squared') && (hasPropensities || family === 'as logged')

/** What `hindcast train` would choose for this log, given the model and the loss of the form; what the log cannot do is left out. */
export function usualSettings(form: Pick<Form, 'model' | 'loss'>, traits: LogTraits): TrainSettings {
  const loss = LOSSES.find(form.loss)
  const model = gradientModels().find(({ name }) => name === form.model)
  return settingsFor(traits.hasPropensities, {
    ...(loss && canTrain(loss, traits) && { loss: loss.name }),
    ...(model && { model: model.name }),
  })
}

/**
 * The settings that the form asks for, as `hindcast train` would have them for this log. What a link says that the
 * log cannot do, or that the form does not know, falls back on the default.
 */
export function settingsOf(form: Form, traits: LogTraits): TrainSettings {
  const { k, temperature, seed } = form
  const usual = { ...usualSettings(form, traits), k, temperature, seed }
  if (isSolved(usual.model)) return usual
  const stopOn = STOPPING_MEASURES.find(form.stopOn)
  return {
    ...usual,
    ...Object.fromEntries(
      FOLLOWING.flatMap((name) => (isNumber(form[name]) ? [[name, Number(form[name])]] : [])),
    ),
    regulariser: regulariserOf(form, usual.regulariser),
    stopOn: stopOn && canStopOn(stopOn, traits, LOSSES.named(usual.loss)) ? stopOn.name : usual.stopOn,
  }
}

const isNumber = (text: string): boolean => text.trim() !== '' && !Number.isNaN(Number(text))

function regulariserOf({ regulariser, strength }: Form, usual: Regulariser): Regulariser {
  const kind = REGULARISERS.find(regulariser) ?? REGULARISERS.named(usual.kind)
  const unchanged = kind.name === usual.kind ? usual.strength : kind.strength?.usual
  const typed = strength.trim() === '' ? unchanged : Number(strength)
  return { kind: kind.name, strength: kind.strength ? (typed ?? 0) : 0 }
}

/** How rows are held out; by time only where the log has times. */
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
