import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { HindcastError } from '../error.js'
import type { ByteInput } from '../log/bytes/input.js'
import { type FilesTogether, policyAmongFiles } from '../read/policy/policy-among-files.js'
import type { PolicyFile } from '../read/policy/policy-file.js'
import type { PolicyFileOptions } from '../read/policy/read-policy-file.js'
import { fileInput } from './file-input.js'
import { inflateRawSync } from 'node:zlib'
import { decodeNpy, type Matrix } from '../read/policy/npy.js'
import { zipEntries } from './datasets/zip-entries.js'

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
    open: (name) => opened(pathOf(name)),
    matricesIn: (archive, isAsked) => npzMatrices(pathOf(archive), isAsked),
  }
}

const opened = (path: string): Promise<ByteInput> =>
  fileInput(path).catch((cause: unknown) => {
    throw cannotRead(path, cause)
  })

const cannotRead = (path: string, cause: unknown): HindcastError =>
  new HindcastError('not-found', `${path} cannot be read.`, { remedy: 'Check the path.', cause })

/** The matrices that `numpy.savez` wrote, by their names: those that are asked for, since others may be of another kind. */
async function npzMatrices(
  path: string,
  isAsked: (name: string) => boolean,
): Promise<[name: string, Matrix][]> {
  const entries = await zipEntries(path).catch((cause: unknown) => {
    throw damaged(path, cause)
  })
  const bytes = await readFile(path)
  return entries.flatMap(({ name, packing, start, end }): [string, Matrix][] => {
    const bare = name.replace(/\.npy$/, '')
    if (!isAsked(bare)) return []
    const packed = bytes.subarray(start, end)
    try {
      return [[bare, decodeNpy(packing === 'stored' ? packed : inflateRawSync(packed), `${path}, ${bare}`)]]
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
