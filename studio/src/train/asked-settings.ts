import { isSolved } from '$core/model/trained-models.js'
import type { TrainSettings } from '$core/train/settings.js'

/**
 * The settings that are asked of the trainer. Where the best of the solved models is kept, the model is left open, and so is
 * all that they learn by themselves.
 */
export function askedSettings(settings: TrainSettings): Partial<TrainSettings> {
  const { model, k, temperature, seed } = settings
  return isSolved(model) ? { k, temperature, seed } : settings
}
