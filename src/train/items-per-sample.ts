import { LOSSES } from './losses/index.js'
import type { TrainSettings } from './settings.js'

/** Items in a sample of the loss. */
export const itemsPerSample = ({ loss, drawn }: Pick<TrainSettings, 'loss' | 'drawn'>): number =>
  ({ pairwise: 2, pointwise: 1, softmax: 1 + drawn })[LOSSES.named(loss).form]
