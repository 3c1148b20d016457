import type { Log } from '$core/log/log.js'
import { type Embeddings, embeddingModel } from '$core/model/embedding-model.js'
import type { Model } from '$core/model/model.js'
import { modelPolicy } from '$core/model/model-policy.js'
import { softmaxAt } from '$core/policy/score-rule.js'
import { held } from './held.js'

/** Models that were trained on the log, by the ids that the page gave them. */
const kept = new Map<number, { readonly model: Model; readonly log: Log }>()

/** Keeps a model of the open log; those of earlier logs are forgotten. */
export const keepModel = ({ id, embeddings }: { id: number; embeddings: Embeddings }): void =>
  holdModel(id, embeddingModel(embeddings))

/** The same for a model of any kind. */
export function holdModel(id: number, model: Model): void {
  const { log } = held()
  for (const [other, one] of kept) if (one.log !== log) kept.delete(other)
  kept.set(id, { model, log })
}

export function forgetModel(id: number): void {
  kept.delete(id)
}

/** A model of the open log. */
export function keptModel(id: number): Model {
  const found = kept.get(id)
  if (!found || found.log !== held().log) throw new Error('That model was not trained on this log.')
  return found.model
}

/** The true mean reward per impression of a model's policy softmax(scores / temperature); null where it is not known. */
export function trueValue({ id, temperature }: { id: number; temperature: number }): number | null {
  const { world } = held()
  return world ? world.value(modelPolicy(keptModel(id), softmaxAt(temperature))) : null
}
