import { readFile } from 'node:fs/promises'
import { inflateRawSync } from 'node:zlib'
import { HindcastError } from '../error.js'
import { decodeNpy, type Matrix } from '../read/policy/npy.js'
import { zipEntries } from './datasets/zip-entries.js'

/** The matrices that `numpy.savez` wrote, by their names: those that are asked for, since others may be of another kind. */
export async function npzMatrices(
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
