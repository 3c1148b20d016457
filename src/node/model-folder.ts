import { mkdir, readdir, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { HindcastError } from '../error.js'
import type { ModelCard } from '../model/model-card.js'
import type { ClickModel } from '../model/model.js'
import { CARD_FILE, EMBEDDINGS_FILE, modelFiles, type ModelToSave, sha256Of } from '../model/model-files.js'
import { modelFromTensors } from '../model/model-tensors.js'
import { decodeSafetensors } from '../model/safetensors.js'
import { noteInput } from './protected-inputs.js'
import { readVersion } from './version.js'
import { writeAtomically } from './write-atomically.js'

/** Embeddings being saved: complete, but model.json may not refer to them yet. */
const INCOMING = 'embeddings.next.safetensors'

/** A model that was saved. */
export interface SavedModel {
  readonly model: ClickModel
  readonly card: ModelCard
}

/**
 * Saves a model in a folder, created if missing: `model.json` and `embeddings.safetensors`.
 * A reader, even after a crash, gets either the old model or the new one: the embeddings are written under a
 * temporary name, then model.json with their checksum, and then they get their final name.
 */
export async function writeModelFolder(
  folder: string,
  saved: ModelToSave,
  signal?: AbortSignal,
): Promise<void> {
  const [card, embeddings] = await modelFiles(saved, {
    hindcast: readVersion(),
    node: process.versions.node,
  })
  await mkdir(folder, { recursive: true }).catch((cause: unknown) => {
    throw new HindcastError('write-failed', `The folder ${folder} could not be created.`, {
      remedy: 'Choose another place.',
      cause,
    })
  })
  await finishEarlierWrite(folder)
  await writeAtomically(join(folder, INCOMING), [embeddings.bytes], signal)
  await writeAtomically(join(folder, card.name), [card.bytes], signal)
  await rename(join(folder, INCOMING), join(folder, embeddings.name))
}

/** After a crash, model.json may describe the embeddings under the temporary name: overwriting them would lose the model. */
async function finishEarlierWrite(folder: string): Promise<void> {
  const arrived = await readFile(join(folder, INCOMING)).catch(() => undefined)
  if (!arrived) return
  const card = await readFile(join(folder, CARD_FILE), 'utf8').catch(() => '')
  if (card.includes(await sha256Of(arrived)))
    await rename(join(folder, INCOMING), join(folder, EMBEDDINGS_FILE))
}

/** Whether a folder is one that `writeModelFolder` wrote, or none at all: then its error says what is missing. */
export async function isModelFolder(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((): undefined => undefined)
  if (names === undefined) return !(await isFile(folder))
  return names.includes(CARD_FILE) || !names.some((name) => /\.(safetensors|npy)$/.test(name))
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  )

/** Reads a model that `writeModelFolder` saved; the error about a damaged file names it and says what to do. */
export async function readModelFolder(folder: string): Promise<SavedModel> {
  const path = join(folder, CARD_FILE)
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new HindcastError(
      'not-found',
      `${folder} does not contain a saved model: ${path} cannot be read.`,
      {
        remedy: 'Name a folder written by training; it contains model.json and embeddings.safetensors.',
        cause,
      },
    )
  })
  await noteInput(path)
  const card = await parseCard(path, text)
  const { path: found, bytes } = await readEmbeddings(folder, card)
  return { card, model: modelFromTensors(card, decodeSafetensors(bytes, found).tensors, found) }
}

async function parseCard(path: string, text: string): Promise<ModelCard> {
  const { modelSchema } = await import('../schemas/model.js')
  const refuse = (reason: string, cause: unknown): HindcastError =>
    new HindcastError('bad-file', `${path} does not describe a model: ${reason}.`, {
      remedy:
        'It was edited, or written by another version. Copy the folder again, or train the model again.',
      cause,
    })
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw refuse('it is not JSON', cause)
  }
  const parsed = modelSchema.safeParse(json)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw refuse(`${issue!.path.join('.') || 'the file'}: ${issue!.message}`, parsed.error)
  }
  const card = parsed.data
  if (card.userIds.length !== card.users || card.itemIds.length !== card.items)
    throw refuse(
      `it lists ${card.userIds.length} of ${card.users} users and ${card.itemIds.length} of ${card.items} items`,
      undefined,
    )
  return card
}

/** The embeddings that model.json refers to, under their final or their temporary name. */
async function readEmbeddings(
  folder: string,
  { embeddings }: ModelCard,
): Promise<{ path: string; bytes: Uint8Array<ArrayBuffer> }> {
  const remedy = 'Copy the folder again from an intact copy, or train the model again.'
  let failure: HindcastError | undefined
  for (const name of [EMBEDDINGS_FILE, INCOMING]) {
    const path = join(folder, name)
    try {
      const bytes = await readFile(path)
      await noteInput(path)
      if ((await sha256Of(bytes)) === embeddings.sha256) return { path, bytes }
      failure ??= new HindcastError(
        'bad-file',
        `${path} is damaged: it has ${bytes.length} of ${embeddings.bytes} bytes and does not match the checksum in model.json.`,
        { remedy },
      )
    } catch (cause) {
      failure ??= new HindcastError('bad-file', `${path} cannot be read.`, { remedy, cause })
    }
  }
  throw failure!
}
