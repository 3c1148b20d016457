import { badOption, HindcastError } from '../error.js'
import { type Graph, graphOf } from '../graph/graph.js'
import { type NamedFile, textFile } from '../named-file.js'
import { easeStore } from './ease.js'
import { embeddingStore, linearStore } from './embedding-store.js'
import { ialsStore } from './ials.js'
import { itemKnnStore, slimStore } from './item-weights.js'
import { MODEL_SCHEMA, type ModelCard } from './model-card.js'
import { isCut, type ModelShape, type ModelStore, type TensorReader, tensorReader } from './model-store.js'
import type { ClickModel } from './model.js'
import { popularityStore } from './popularity.js'
import { encodeSafetensors, type Safetensors } from './safetensors.js'
import type { TrainedModelName } from './trained-models.js'

/** How each kind of model is kept in a file. */
export const MODEL_STORES: Readonly<Record<TrainedModelName, ModelStore>> = {
  lightgcn: embeddingStore,
  mf: embeddingStore,
  linear: linearStore,
  ials: ialsStore,
  ease: easeStore,
  slim: slimStore,
  'item-knn': itemKnnStore,
  popularity: popularityStore,
}

/**
 * A model as tensors: those of its kind, and the training clicks, the items of user u being `user_items` from
 * `user_offsets[u]` to before `user_offsets[u + 1]`.
 */
export const modelTensors = (model: ClickModel): Safetensors['tensors'] => ({
  ...MODEL_STORES[model.kind].tensors(model),
  user_offsets: { shape: [model.users + 1], data: model.graph.byUser.offsets },
  user_items: { shape: [model.graph.edges], data: model.graph.byUser.neighbours },
})

/** The model again, from its tensors and what model.json says; `name` is what messages call the file. */
export function modelFromTensors(
  shape: ModelShape,
  tensors: Safetensors['tensors'],
  name: string,
): ClickModel {
  const reader = tensorReader(tensors, name)
  return MODEL_STORES[shape.kind].restore(reader, clicksFrom(reader, shape), shape)
}

function clicksFrom(reader: TensorReader, { users, items }: ModelShape): Graph {
  const offsets = reader.take('user_offsets', Uint32Array, [users + 1])
  const clicked = reader.take('user_items', Uint32Array, [undefined])
  if (!isCut(offsets, clicked.length)) throw reader.refuse('user_offsets do not cut user_items into users')
  if (clicked.some((item) => item >= items)) throw reader.refuse('user_items has an item that does not exist')
  const user = new Uint32Array(clicked.length)
  for (let u = 0; u < users; u++) user.fill(u, offsets[u], offsets[u + 1])
  return graphOf(users, items, user, clicked)
}

/** The names of the two files of a saved model. */
export const CARD_FILE = 'model.json'
export const EMBEDDINGS_FILE = 'embeddings.safetensors'
/** Embeddings being saved: complete, but model.json may not refer to them yet. */
export const INCOMING_FILE = 'embeddings.next.safetensors'

/** A model to save, with what belongs to it. */
export interface ModelToSave extends Pick<
  ModelCard,
  'userIds' | 'itemIds' | 'seed' | 'epoch' | 'metrics' | 'made'
> {
  readonly model: ClickModel
  /** All that fixed the training, as it goes into JSON. */
  readonly settings: object
}

/**
 * The two files of a saved model: `model.json`, which holds the checksum of the other, and
 * `embeddings.safetensors`. The same model and versions give the same bytes.
 */
export async function modelFiles(
  { model, settings, userIds, itemIds, ...about }: ModelToSave,
  versions: ModelCard['versions'],
): Promise<readonly [card: NamedFile, embeddings: NamedFile]> {
  const { kind, users, items } = model
  const { dim, layers, features } = MODEL_STORES[kind].shape(model)
  if (userIds.length !== users || itemIds.length !== items)
    throw badOption(
      `The model has ${users} users and ${items} items, but ${userIds.length} user ids and ${itemIds.length} item ids were given.`,
      'Give the ids of the log that the model was trained on.',
    )
  const bytes = encodeSafetensors(modelTensors(model), { format: 'hindcast', schema: MODEL_SCHEMA })
  const card: ModelCard = {
    schema: MODEL_SCHEMA,
    kind,
    dim,
    layers,
    ...(features && { features }),
    users,
    items,
    settings: { ...settings },
    ...about,
    versions,
    embeddings: { file: EMBEDDINGS_FILE, bytes: bytes.length, sha256: await sha256Of(bytes) },
    userIds,
    itemIds,
  }
  return [textFile(CARD_FILE, `${JSON.stringify(card, null, 2)}\n`), { name: EMBEDDINGS_FILE, bytes }]
}

/** The SHA-256 checksum of bytes, as 64 hexadecimal digits, by Web Crypto. */
export async function sha256Of(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  // The types promise it everywhere; browsers have it only in secure contexts.
  const subtle = globalThis.crypto?.subtle as SubtleCrypto | undefined
  if (!subtle)
    throw new HindcastError(
      'write-failed',
      'A model cannot be saved or read here: its checksum needs Web Crypto, which browsers withhold from pages loaded over plain http.',
      { remedy: 'Open the page over https or from localhost, then try again.' },
    )
  const digest = new Uint8Array(await subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** A saved model. */
export interface SavedModel {
  readonly model: ClickModel
  readonly card: ModelCard
}
