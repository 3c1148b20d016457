import { readdir, readFile, rename, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
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
import { makeFolderToWrite, writeAtomically } from './write-atomically.js'
import { HindcastError } from '../error.js'
import { withoutFolder } from '../model/archived-names.js'
import type { ModelFolder } from '../schemas/read-saved-model.js'
import { unpackedEntry, type ZipEntry, zipEntries } from './datasets/zip-entries.js'

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
  await makeFolderToWrite(folder)
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

/** The files of a zip archive as those of a folder; a folder that all of them are in is left out. */
async function zippedFolder(archive: string): Promise<ModelFolder> {
  const entries = await namedEntries(archive).catch((cause: unknown) => {
    throw new HindcastError(
      'not-found',
      `${archive} does not contain a saved model: it is neither a folder nor a zip archive of one.`,
      {
        remedy: 'Name a folder written by training; it contains model.json and embeddings.safetensors.',
        cause,
      },
    )
  })
  const bytes = await readFile(archive)
  await noteInput(archive)
  return {
    name: archive,
    pathOf: (file) => `${archive}, ${file}`,
    async read(file) {
      const entry = entries.get(file)
      if (!entry || entry.packing === 'unsupported')
        throw new Error(`${basename(archive)} has no ${file} that can be unpacked.`)
      return new Uint8Array(unpackedEntry(bytes, entry))
    },
  }
}

/** The names of the files of a zip archive; none where it is something else. */
const zippedNames = async (archive: string): Promise<readonly string[]> =>
  namedEntries(archive).then(
    (entries) => [...entries.keys()],
    () => [],
  )

async function namedEntries(archive: string): Promise<ReadonlyMap<string, ZipEntry>> {
  const entries = await zipEntries(archive)
  const names = withoutFolder(entries.map(({ name }) => name))
  return new Map(entries.map((entry, k) => [names[k]!, entry]))
}
