import type { Embeddings } from '$core/model/embedding-model.js'
import type { TrainSettings } from '$core/train/settings.js'
import type { TrainChoices } from '$core/train/train-on-log.js'
import { desk } from './session.svelte.js'

/** A model that was trained on the open log, as the page knows it; the desk keeps its embeddings under its id. */
export interface TrainedModel {
  readonly id: number
  /** What a person calls it: `LightGCN, ips-bpr + shrink 0.1`, a number behind where there are several. */
  readonly name: string
  readonly settings: TrainSettings
  /** How rows were held out, by the seed of the settings: with the log it tells what training showed. */
  readonly split: Required<NonNullable<TrainChoices['split']>>
}

/** The models trained on the open log, oldest first. */
export const models: { list: readonly TrainedModel[] } = $state({ list: [] })

/** Keeps a model: its embeddings are handed over to the desk, which can then be asked about it. One of the same id is replaced. */
export async function addModel(model: TrainedModel, embeddings: Embeddings): Promise<void> {
  const { initial, final } = embeddings
  await desk.keepModel({ id: model.id, embeddings }, {}, [initial.buffer, final.buffer])
  models.list = [...models.list.filter(({ id }) => id !== model.id), model]
}

/** Forgets a model, here and at the desk. */
export async function removeModel(id: number): Promise<void> {
  models.list = models.list.filter((model) => model.id !== id)
  await desk.forgetModel(id)
}
