import type { Log } from '$core/log/log.js'
import { type EmbeddingModel, type Embeddings, embeddingModel } from '$core/model/embedding-model.js'
import { modelPolicy } from '$core/model/model-policy.js'
import { held } from './held.js'

/** Models that were trained on the log, by the ids that the page gave them. */
const kept = new Map<number, { readonly model: EmbeddingModel; readonly log: Log }>()

/** Keeps a model of the open log; those of earlier logs are forgotten. */
export function keepModel({ id, embeddings }: { id: number; embeddings: Embeddings }): void {
  const { log } = held()
  for (const [other, one] of kept) if (one.log !== log) kept.delete(other)
  kept.set(id, { model: embeddingModel(embeddings), log })
}

export function forgetModel(id: number): void {
  kept.delete(id)
}

/** A model of the open log. */
export function keptModel(id: number): EmbeddingModel {
  const found = kept.get(id)
  if (!found || found.log !== held().log) throw new Error('That model was not trained on this log.')
  return found.model
}

/** The true mean reward per impression of a model's policy softmax(scores / temperature); null where it is not known. */
export function trueValue({ id, temperature }: { id: number; temperature: number }): number | null {
  const { world } = held()
  return world ? world.value(modelPolicy(keptModel(id), temperature)) : null
}
