import { DEFAULT_SETTINGS } from '$core/train/settings.js'

const { k, temperature, seed } = DEFAULT_SETTINGS

/**
 * What the form says until it is touched. An empty text leaves the choice to the log and to what else is chosen, as
 * `hindcast train` does: model and loss to whether the log has propensities, everything else to those two. 0 threads leave
 * them to the machine.
 */
export const FORM_DEFAULTS = {
  model: '',
  loss: '',
  regulariser: '',
  strength: '',
  epochs: '',
  dim: '',
  layers: '',
  learningRate: '',
  batch: '',
  l2: '',
  stopOn: '',
  patience: '',
  k,
  temperature,
  split: 'row',
  seed,
  backend: 'auto',
  threads: 0,
}
export type Form = typeof FORM_DEFAULTS

/** The numbers that follow from model and loss until they are typed. */
export const FOLLOWING = ['epochs', 'dim', 'layers', 'learningRate', 'batch', 'l2', 'patience'] as const
