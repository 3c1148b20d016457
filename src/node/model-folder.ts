import { createHash } from 'node:crypto'
import { mkdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { HindcastError } from '../error.js'
import type { EmbeddingModel } from '../model/embedding-model.js'
import { MODEL_SCHEMA, type ModelCard } from '../model/model-card.js'
import { modelFromTensors, modelTensors } from '../model/model-tensors.js'
import { decodeSafetensors, encodeSafetensors } from '../model/safetensors.js'
import { readVersion } from './version.js'
import { writeAtomically } from './write-atomically.js'

const CARD = 'model.json'
const EMBEDDINGS = 'embeddings.safetensors'
/** Embeddings on their way in: whole, but model.json may not speak of them yet. */
const INCOMING = 'embeddings.next.safetensors'

/** A model to be saved, with what belongs to it. */
export interface ModelToSave extends Pick<
  ModelCard,
  'userIds' | 'itemIds' | 'seed' | 'epoch' | 'metrics' | 'trainedOn'
> {
  readonly model: EmbeddingModel
  /** All that fixed the training, as it goes into JSON. */
  readonly settings: object
}

/** A model that was saved. */
export interface SavedModel {
  readonly model: EmbeddingModel
  readonly card: ModelCard
}

/**
 * Saves a model in a folder, which is made where it is missing: `model.json` and `embeddings.safetensors`.
 * Whoever reads the folder, even after a crash in between, gets the old model or the new one, whole: the
 * embeddings arrive under a name of their own, then model.json with their checksum, and then they get their name.
 */
export async function writeModelFolder(
  folder: string,
  { model, settings, userIds, itemIds, ...about }: ModelToSave,
  signal?: AbortSignal,
): Promise<void> {
  const { kind, dim, layers, users, items } = model
  if (userIds.length !== users || itemIds.length !== items)
    throw new HindcastError(
      'bad-option',
      `${userIds.length} user ids and ${itemIds.length} item ids do not name ${users} users and ${items} items.`,
      { remedy: 'Give the ids of the log that the model was trained on.' },
    )
  await mkdir(folder, { recursive: true }).catch((cause: unknown) => {
    throw new HindcastError('write-failed', `The folder ${folder} could not be made.`, {
      remedy: 'Choose another place.',
      cause,
    })
  })
  const bytes = encodeSafetensors(modelTensors(model), { format: 'hindcast', schema: MODEL_SCHEMA })
  const card: ModelCard = {
    schema: MODEL_SCHEMA,
    kind,
    dim,
    layers,
    users,
    items,
    settings: { ...settings },
    ...about,
    versions: { hindcast: readVersion(), node: process.versions.node },
    embeddings: { file: EMBEDDINGS, bytes: bytes.length, sha256: checksum(bytes) },
    userIds,
    itemIds,
  }
  await finishEarlierWrite(folder)
  await writeAtomically(join(folder, INCOMING), [bytes], signal)
  await writeAtomically(join(folder, CARD), [`${JSON.stringify(card, null, 2)}\n`], signal)
  await rename(join(folder, INCOMING), join(folder, EMBEDDINGS))
}

/** Where a crash left embeddings under the name they arrived with, writing over them would lose the model that model.json describes. */
async function finishEarlierWrite(folder: string): Promise<void> {
  const arrived = await readFile(join(folder, INCOMING)).catch(() => undefined)
  if (!arrived) return
  const card = await readFile(join(folder, CARD), 'utf8').catch(() => '')
  if (card.includes(checksum(arrived))) await rename(join(folder, INCOMING), join(folder, EMBEDDINGS))
}

/** Reads a model that `writeModelFolder` saved; a damaged file is named, with what to do. */
export async function readModelFolder(folder: string): Promise<SavedModel> {
  const path = join(folder, CARD)
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new HindcastError('not-found', `${folder} holds no saved model: ${path} cannot be read.`, {
      remedy: 'Name the folder that hindcast train --out wrote.',
      cause,
    })
  })
  const card = await parseCard(path, text)
  const { path: found, bytes } = await readEmbeddings(folder, card)
  return { card, model: modelFromTensors(card, decodeSafetensors(bytes, found).tensors, found) }
}

async function parseCard(path: string, text: string): Promise<ModelCard> {
  const { modelSchema } = await import('../schemas/model.js')
  const refuse = (reason: string, cause: unknown): HindcastError =>
    new HindcastError('bad-file', `${path} does not describe a model: ${reason}.`, {
      remedy:
        'It was changed or written by another version: train the model again, or copy the folder again.',
      cause,
    })
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw refuse('it is no JSON', cause)
  }
  const parsed = modelSchema.safeParse(json)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw refuse(`${issue!.path.join('.') || 'all of it'}: ${issue!.message}`, parsed.error)
  }
  const card = parsed.data
  if (card.userIds.length !== card.users || card.itemIds.length !== card.items)
    throw refuse(
      `it names ${card.userIds.length} of ${card.users} users and ${card.itemIds.length} of ${card.items} items`,
      undefined,
    )
  return card
}

/** The embeddings that model.json speaks of: under their name, or under the one they arrived with. */
async function readEmbeddings(
  folder: string,
  { embeddings }: ModelCard,
): Promise<{ path: string; bytes: Uint8Array }> {
  const remedy = 'Copy the folder again from where it is whole, or train the model again.'
  let failure: HindcastError | undefined
  for (const name of [EMBEDDINGS, INCOMING]) {
    const path = join(folder, name)
    try {
      const bytes = await readFile(path)
      if (checksum(bytes) === embeddings.sha256) return { path, bytes }
      failure ??= new HindcastError(
        'bad-file',
        `${path} is damaged: it has ${bytes.length} of ${embeddings.bytes} bytes and is not what model.json was written with.`,
        { remedy },
      )
    } catch (cause) {
      failure ??= new HindcastError('bad-file', `${path} cannot be read.`, { remedy, cause })
    }
  }
  throw failure!
}

const checksum = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
