import { DEFAULT_SETTINGS } from '$core/train/settings.js'

const { model, epochs, dim, layers, learningRate, batch, l2, stopOn, patience, k, temperature, seed } =
  DEFAULT_SETTINGS

/**
 * What the form says until it is touched. An empty text leaves the choice to the log: the loss to whether it has
 * propensities, the regulariser to the loss, its strength to its kind; 0 threads leave them to the machine.
 */
export const FORM_DEFAULTS = {
  model: model as string,
  loss: '',
  regulariser: '',
  strength: '',
  epochs,
  dim,
  layers,
  learningRate,
  batch,
  l2,
  stopOn: stopOn as string,
  patience,
  k,
  temperature,
  split: 'row',
  seed,
  backend: 'auto',
  threads: 0,
}
export type Form = typeof FORM_DEFAULTS
