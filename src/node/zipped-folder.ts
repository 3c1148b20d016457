import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { HindcastError } from '../error.js'
import { withoutFolder } from '../model/archived-names.js'
import type { ModelFolder } from '../schemas/read-saved-model.js'
import { unpackedEntry, type ZipEntry, zipEntries } from './datasets/zip-entries.js'
import { noteInput } from './protected-inputs.js'

/** The files of a zip archive as those of a folder; a folder that all of them are in is left out. */
export async function zippedFolder(archive: string): Promise<ModelFolder> {
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
export const zippedNames = async (archive: string): Promise<readonly string[]> =>
  namedEntries(archive).then(
    (entries) => [...entries.keys()],
    () => [],
  )

async function namedEntries(archive: string): Promise<ReadonlyMap<string, ZipEntry>> {
  const entries = await zipEntries(archive)
  const names = withoutFolder(entries.map(({ name }) => name))
  return new Map(entries.map((entry, k) => [names[k]!, entry]))
}
