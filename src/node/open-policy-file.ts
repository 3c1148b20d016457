import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { HindcastError } from '../error.js'
import type { ByteInput } from '../log/bytes/input.js'
import { idsOfLines } from '../read/policy/matrix-policy.js'
import { decodeNpy, type Matrix } from '../read/policy/npy.js'
import type { PolicyFile } from '../read/policy/policy-file.js'
import { mayNeedIds, type PolicyFileOptions, readPolicyFile } from '../read/policy/read-policy-file.js'
import {
  type GivenIds,
  isModelTensor,
  tensorsOfMatrices,
  tensorsPolicy,
} from '../read/policy/tensors-policy.js'
import { fileInput } from './file-input.js'
import { npzMatrices } from './npz-matrices.js'

/**
 * Reads what a file on disk says about a policy, as `readPolicyFile` does. The ids of a matrix `NAME.npy` or of
 * `NAME.safetensors` are looked for beside it, one per line: in `NAME.users.txt` and `NAME.items.txt`, else in `users.txt`
 * and `items.txt`. Of a folder, the one safetensors file in it is read, or else the factors of users and items in its .npy
 * files; a .npz file may hold the same.
 */
export async function openPolicyFile(path: string, options: PolicyFileOptions): Promise<PolicyFile> {
  const found = await fileIn(path)
  const isAsked = (name: string): boolean => isModelTensor(name, options.tensors)
  if (found.kind === 'folder') {
    const names = found.names.filter((name) => name.endsWith('.npy') && isAsked(basename(name, '.npy')))
    if (names.length === 0) throw noModel(path, found.names)
    const matrices = names.map(async (name): Promise<[string, Matrix]> => {
      const file = join(path, name)
      return [basename(name, '.npy'), decodeNpy(await readFile(file), file)]
    })
    return tensorsIn(path, await Promise.all(matrices), options, await idsIn(path, []))
  }
  const input = await opened(found.path)
  const start = await input.slice(0, 16)
  const [folder, stem] = [dirname(found.path), basename(found.path, extname(found.path))]
  if (isZip(start) && found.path.endsWith('.npz'))
    return tensorsIn(
      found.path,
      await npzMatrices(found.path, isAsked),
      options,
      await idsIn(folder, [`${stem}.`]),
    )
  if (isZip(start)) throw isArchive(found.path)
  const isMatrix = mayNeedIds(start, input.byteLength)
  const ids = options.ids ?? (isMatrix ? await idsIn(folder, [`${stem}.`]) : {})
  return readPolicyFile(input, { ...options, ids })
}

const isZip = ([p, k]: Uint8Array): boolean => p === 0x50 && k === 0x4b

const isArchive = (path: string): HindcastError =>
  new HindcastError('bad-file', `${path} is a zip archive, as PyTorch writes checkpoints.`, {
    remedy:
      'Write the numbers with numpy.save, numpy.savez or safetensors.numpy.save_file, or as a table in CSV or Parquet.',
  })

/** A model whose matrices stand in files of their own, or in an archive. */
function tensorsIn(
  name: string,
  matrices: readonly (readonly [string, Matrix])[],
  { kind, tensors, ids: given }: PolicyFileOptions,
  ids: GivenIds,
): PolicyFile {
  return tensorsPolicy(name, tensorsOfMatrices(matrices), {
    kind,
    ids: given ?? ids,
    ...(tensors && { tensors }),
  })
}

type Found =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'folder'; readonly names: readonly string[] }

async function fileIn(path: string): Promise<Found> {
  const found = await stat(path).catch((cause: unknown) => {
    throw cannotRead(path, cause)
  })
  if (!found.isDirectory()) return { kind: 'file', path }
  const names = (await readdir(path)).toSorted()
  const tensors = names.filter((name) => name.endsWith('.safetensors'))
  if (tensors.length > 1) throw noModel(path, names)
  return tensors.length === 1 ? { kind: 'file', path: join(path, tensors[0]!) } : { kind: 'folder', names }
}

function noModel(path: string, names: readonly string[]): HindcastError {
  const tensors = names.filter((name) => name.endsWith('.safetensors'))
  return new HindcastError(
    'not-found',
    tensors.length === 0
      ? `${path} does not contain a model: it has no safetensors file, and no matrices such as user_factors.npy and item_factors.npy.`
      : `${path} contains ${tensors.length} safetensors files: ${tensors.join(', ')}.`,
    {
      remedy: 'Name a folder that training wrote, or a safetensors file with embeddings of users and items.',
    },
  )
}

const opened = (path: string): Promise<ByteInput> =>
  fileInput(path).catch((cause: unknown) => {
    throw cannotRead(path, cause)
  })

const cannotRead = (path: string, cause: unknown): HindcastError =>
  new HindcastError('not-found', `${path} cannot be read.`, { remedy: 'Check the path.', cause })

/** Lists of ids in a folder, by their usual names or with one of the prefixes, which come first. */
async function idsIn(folder: string, prefixes: readonly string[]): Promise<GivenIds> {
  const list = async (what: 'user' | 'item'): Promise<string[] | undefined> => {
    for (const name of [...prefixes, '']
      .map((prefix) => `${prefix}${what}s.txt`)
      .concat(`${what}_list.txt`)) {
      const text = await readFile(join(folder, name), 'utf8').catch(() => undefined)
      if (text !== undefined) return idsOfLines(text)
    }
    return undefined
  }
  const [users, items] = [await list('user'), await list('item')]
  return { ...(users && { users }), ...(items && { items }) }
}
