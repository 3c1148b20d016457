import { LOSSES } from './losses/index.js'
import type { TrainSettings } from './settings.js'

/** Items in a sample of the loss, of a catalogue of so many: a policy is taken over all items while they are few. */
export const itemsPerSample = (
  { loss, drawn }: Pick<TrainSettings, 'loss' | 'drawn'>,
  items: number,
): number =>
  ({ pairwise: 2, pointwise: 1, squared: 1, softmax: 1 + drawn, policy: Math.min(1 + drawn, items) })[
    LOSSES.named(loss).form
  ]
