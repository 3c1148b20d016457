import type { ModelCard } from './model-card.js'
import type { ClickModel } from './model.js'

/** A saved model. */
export interface SavedModel {
  readonly model: ClickModel
  readonly card: ModelCard
}
