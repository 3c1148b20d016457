import { DEFAULT_SETTINGS } from '$core/train/settings.js'
import { linked } from '../../linked.svelte.js'

/**
 * What the form says, as links keep it. An empty text leaves the choice to the log: the loss to whether it has
 * propensities, the regulariser to the loss, its strength to its kind; 0 threads leave them to the machine.
 */
export const form = linked('train', {
  model: DEFAULT_SETTINGS.model as string,
  loss: '',
  regulariser: '',
  strength: '',
  epochs: DEFAULT_SETTINGS.epochs,
  dim: DEFAULT_SETTINGS.dim,
  layers: DEFAULT_SETTINGS.layers,
  learningRate: DEFAULT_SETTINGS.learningRate,
  batch: DEFAULT_SETTINGS.batch,
  l2: DEFAULT_SETTINGS.l2,
  stopOn: DEFAULT_SETTINGS.stopOn as string,
  patience: DEFAULT_SETTINGS.patience,
  k: DEFAULT_SETTINGS.k,
  temperature: DEFAULT_SETTINGS.temperature,
  split: 'row',
  seed: DEFAULT_SETTINGS.seed,
  backend: 'auto',
  threads: 0,
})
export type Form = typeof form
