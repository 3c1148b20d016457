import { HindcastError } from '../../error.js'
import { SIDECAR } from '../../log/stamp.js'
import { type ByteInput, concatenate } from '../../log/bytes/input.js'
import { madeIn, parsedBeside } from '../made.js'
import { idsOfLines } from './matrix-policy.js'
import { decodeNpy, type Matrix } from './npy.js'
import type { PolicyFile } from './policy-file.js'
import { mayNeedIds, type PolicyFileOptions, readPolicyFile } from './read-policy-file.js'
import { type GivenIds, isModelTensor, tensorsOfMatrices, tensorsPolicy } from './tensors-policy.js'

/** Files that stand together: those of a folder on disk, or those that were dropped on a page. */
export interface FilesTogether {
  /** What messages call all of them. */
  readonly name: string
  readonly names: readonly string[]
  /** The file of this name; messages call it as its input is called. */
  open(name: string): Promise<ByteInput>
  /** The matrices of an archive that `numpy.savez` wrote. */
  matricesIn(archive: string, isAsked: (name: string) => boolean): Promise<(readonly [string, Matrix])[]>
}

/**
 * Reads what one of the files says about a policy, as `readPolicyFile` does; without a name, that of the one safetensors
 * file among them, or else of the factors of users and items in .npy files. The ids of a matrix `NAME.npy` or of
 * `NAME.safetensors` are looked for beside it, one per line: in `NAME.users.txt` and `NAME.items.txt`, else in `users.txt`
 * and `items.txt`. A .npz file may hold factors too. A file beside it, `NAME.hindcast.json`, may say what it was made from.
 */
export async function policyAmongFiles(
  files: FilesTogether,
  named: string | undefined,
  options: PolicyFileOptions,
): Promise<PolicyFile> {
  const beside = `${named ?? tensorsAmong(files)}${SIDECAR}`
  const policy = await policyIn(files, named, options)
  if (!files.names.includes(beside)) return policy
  const input = await files.open(beside)
  const text = new TextDecoder().decode(await concatenate(input.stream()))
  return { ...policy, made: madeIn(parsedBeside(text, input.name), input.name) }
}

async function policyIn(
  files: FilesTogether,
  named: string | undefined,
  options: PolicyFileOptions,
): Promise<PolicyFile> {
  const isAsked = (name: string): boolean => isModelTensor(name, options.tensors)
  const file = named ?? tensorsAmong(files)
  if (file === undefined) {
    const names = files.names.filter((name) => name.endsWith('.npy') && isAsked(stemOf(name)))
    if (names.length === 0) throw noModel(files)
    const matrices = names.map(async (name): Promise<[string, Matrix]> => {
      const input = await files.open(name)
      return [stemOf(name), decodeNpy(await concatenate(input.stream()), input.name)]
    })
    return tensorsIn(files.name, await Promise.all(matrices), options, await idsAmong(files, []))
  }
  const input = await files.open(file)
  const start = await input.slice(0, 16)
  const prefixes = [`${stemOf(file)}.`]
  if (isZip(start)) {
    if (!file.endsWith('.npz')) throw isArchive(input.name)
    const matrices = await files.matricesIn(file, isAsked)
    return tensorsIn(input.name, matrices, options, await idsAmong(files, prefixes))
  }
  const isMatrix = mayNeedIds(start, input.byteLength)
  const ids = options.ids ?? (isMatrix ? await idsAmong(files, prefixes) : {})
  return readPolicyFile(input, { ...options, ids })
}

/** Whether a file is a zip archive, by its first bytes. */
export const isZip = ([p, k]: Uint8Array): boolean => p === 0x50 && k === 0x4b

/** The name of a file without its ending. */
const stemOf = (name: string): string => name.replace(/(?<=.)\.[^.]*$/, '')

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

/** The one safetensors file among others. */
function tensorsAmong(files: FilesTogether): string | undefined {
  const tensors = files.names.filter((name) => name.endsWith('.safetensors'))
  if (tensors.length > 1) throw noModel(files)
  return tensors[0]
}

function noModel({ name: path, names }: FilesTogether): HindcastError {
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

/** Lists of ids among the files, by their usual names or with one of the prefixes, which come first. */
async function idsAmong(files: FilesTogether, prefixes: readonly string[]): Promise<GivenIds> {
  const list = async (what: 'user' | 'item'): Promise<string[] | undefined> => {
    const names = [...prefixes, ''].map((prefix) => `${prefix}${what}s.txt`).concat(`${what}_list.txt`)
    const found = names.find((name) => files.names.includes(name))
    if (found === undefined) return undefined
    const input = await files.open(found)
    return idsOfLines(new TextDecoder().decode(await concatenate(input.stream())))
  }
  const [users, items] = [await list('user'), await list('item')]
  return { ...(users && { users }), ...(items && { items }) }
}
