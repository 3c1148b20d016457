import type { Embeddings } from '$core/model/embedding-model.js'
import type { NamedFile } from '$core/named-file.js'
import type { TrainSettings } from '$core/train/settings.js'
import type { TrainChoices } from '$core/train/train-on-log.js'
import { desk } from './desks.js'

/** A model that was trained on the open log, as the page knows it; the desk keeps its embeddings under its id. */
export interface TrainedModel {
  readonly id: number
  /** What a person calls it: "IPS-BPR + PR #2". */
  readonly name: string
  readonly settings: TrainSettings
  /** How rows were held out, by the seed of the settings: with the log, this gives the rows that training used. */
  readonly split: Required<NonNullable<TrainChoices['split']>>
}

let list: readonly TrainedModel[] = $state.raw([])

/** The models trained on the open log, oldest first. */
export const models = {
  get list(): readonly TrainedModel[] {
    return list
  },
}

/** Keeps a model: its embeddings are handed over to the desk, which can then be asked about it. One of the same id is replaced. */
export async function addModel(model: TrainedModel, embeddings: Embeddings): Promise<void> {
  const { initial, final } = embeddings
  await desk.keepModel({ id: model.id, embeddings }, {}, [initial.buffer, final.buffer])
  list = [...list.filter(({ id }) => id !== model.id), model]
}

/** Keeps a model that was trained on this log before, from its saved files. */
export async function returnModel(model: TrainedModel, files: readonly NamedFile[]): Promise<void> {
  await desk.returnModel({ id: model.id, files })
  list = [...list.filter(({ id }) => id !== model.id), model]
}

/** Forgets a model, here and at the desk. */
export async function removeModel(id: number): Promise<void> {
  list = list.filter((model) => model.id !== id)
  await desk.forgetModel(id)
}

/** Forgets all of them, since another log is open; the desk does so by itself. */
export function forgetModels(): void {
  list = []
}
