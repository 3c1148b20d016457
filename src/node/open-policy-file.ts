import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { HindcastError } from '../error.js'
import { type FilesTogether, policyAmongFiles } from '../read/policy/policy-among-files.js'
import type { PolicyFile } from '../read/policy/policy-file.js'
import type { PolicyFileOptions } from '../read/policy/read-policy-file.js'
import { cannotRead, namedInput } from './file-input.js'
import { decodeNpy, type Matrix } from '../read/policy/npy.js'
import { unpackedEntry, zipEntries } from './datasets/zip-entries.js'

/**
 * Reads what a file on disk says about a policy, as `policyAmongFiles` does: the files beside it may hold its ids. Of a
 * folder, the one safetensors file in it is read, or else the factors of users and items in its .npy files.
 */
export async function openPolicyFile(path: string, options: PolicyFileOptions): Promise<PolicyFile> {
  const found = await stat(path).catch((cause: unknown) => {
    throw cannotRead(path, cause)
  })
  if (found.isDirectory()) return policyAmongFiles(await folderOf(path, path), undefined, options)
  return policyAmongFiles(await folderOf(dirname(path), path), basename(path), options)
}

/** The files of a folder; `path` is the folder, or a file in it, as the user wrote it. */
async function folderOf(folder: string, path: string): Promise<FilesTogether> {
  // A folder that may be entered but not listed can still hold the file that was named.
  const names = await readdir(folder).catch(() => [])
  const pathOf = (name: string): string =>
    name === basename(path) && folder !== path ? path : join(folder, name)
  return {
    name: path,
    names: names.toSorted(),
    open: (name) => namedInput(pathOf(name)),
    matricesIn: (archive, isAsked) => npzMatrices(pathOf(archive), isAsked),
  }
}

/** The matrices that `numpy.savez` wrote, by their names: those that are asked for, since others may be of another kind. */
async function npzMatrices(
  path: string,
  isAsked: (name: string) => boolean,
): Promise<[name: string, Matrix][]> {
  const entries = await zipEntries(path).catch((cause: unknown) => {
    throw damaged(path, cause)
  })
  const bytes = await readFile(path)
  return entries.flatMap((entry): [string, Matrix][] => {
    const bare = entry.name.replace(/\.npy$/, '')
    if (!isAsked(bare)) return []
    try {
      return [[bare, decodeNpy(unpackedEntry(bytes, entry), `${path}, ${bare}`)]]
    } catch (cause) {
      throw cause instanceof HindcastError ? cause : damaged(path, cause)
    }
  })
}

const damaged = (path: string, cause: unknown): HindcastError =>
  new HindcastError('bad-file', `${path} cannot be read as an archive that numpy.savez wrote.`, {
    remedy: 'Write it again.',
    cause,
  })
