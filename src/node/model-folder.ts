import { mkdir, readdir, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { HindcastError } from '../error.js'
import {
  CARD_FILE,
  EMBEDDINGS_FILE,
  INCOMING_FILE,
  modelFiles,
  type ModelToSave,
  type SavedModel,
  sha256Of,
} from '../model/model-files.js'
import { noteInput } from './protected-inputs.js'
import { readVersion } from './version.js'
import { writeAtomically } from './write-atomically.js'

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
  await writeAtomically(join(folder, INCOMING_FILE), [embeddings.bytes], signal)
  await writeAtomically(join(folder, card.name), [card.bytes], signal)
  await rename(join(folder, INCOMING_FILE), join(folder, embeddings.name))
}

/** After a crash, model.json may describe the embeddings under the temporary name: overwriting them would lose the model. */
async function finishEarlierWrite(folder: string): Promise<void> {
  const arrived = await readFile(join(folder, INCOMING_FILE)).catch(() => undefined)
  if (!arrived) return
  const card = await readFile(join(folder, CARD_FILE), 'utf8').catch(() => '')
  if (card.includes(await sha256Of(arrived)))
    await rename(join(folder, INCOMING_FILE), join(folder, EMBEDDINGS_FILE))
}

/** Whether a folder, or an archive of one, is what `writeModelFolder` wrote, or there is none at all: then its error says what is missing. */
export async function isModelFolder(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((): undefined => undefined)
  if (names === undefined) {
    if (!(await isFile(folder))) return true
    const { zippedNames } = await import('./zipped-folder.js')
    return (await zippedNames(folder)).includes(CARD_FILE)
  }
  return names.includes(CARD_FILE) || !names.some((name) => /\.(safetensors|npy)$/.test(name))
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  )

/**
 * Reads a model that `writeModelFolder` saved, from its folder or from a zip archive of that; the error about a damaged file
 * names it and says what to do.
 */
export async function readModelFolder(folder: string): Promise<SavedModel> {
  const { readSavedModel } = await import('../schemas/read-saved-model.js')
  if (await isFile(folder)) {
    const { zippedFolder } = await import('./zipped-folder.js')
    return readSavedModel(await zippedFolder(folder))
  }
  return readSavedModel({
    name: folder,
    pathOf: (file) => join(folder, file),
    async read(file) {
      const path = join(folder, file)
      const bytes = await readFile(path)
      await noteInput(path)
      return bytes
    },
  })
}
