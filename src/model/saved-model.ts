import type { ModelCard } from './model-card.js'
import type { ClickModel } from './model.js'

/** A model that was saved. */
export interface SavedModel {
  readonly model: ClickModel
  readonly card: ModelCard
}
