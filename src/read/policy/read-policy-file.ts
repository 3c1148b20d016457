import { type ByteInput, concatenate } from '../../log/bytes/input.js'
import { HindcastError } from '../../error.js'
import { decodeNpy, isNpy } from './npy.js'
import { type PolicyFile, type PolicyValues, rowsOf, sumOf } from './policy-file.js'
import type { PolicyTableOptions } from './read-policy-table.js'
import type { GivenIds, ModelTensorNames } from './tensors-policy.js'
import { sumsToOne } from './rounding.js'

/** How to read a file that holds a policy. */
export interface PolicyFileOptions extends PolicyTableOptions {
  /** The ids of the rows and columns of a matrix, where they stand in files of their own. */
  readonly ids?: GivenIds
  /** Tensors by their names in the file, where those are not known ones. */
  readonly tensors?: ModelTensorNames
}

/**
 * Reads what a file says about a policy, recognised by its content: a table (CSV, TSV, JSON, Parquet, compressed or not), a
 * matrix (.npy) or tensors (.safetensors). Runs in browsers, where each kind is loaded with the first file of it, and in Node.
 */
export const readPolicyFile = (input: ByteInput, options: PolicyFileOptions): Promise<PolicyFile> =>
  options.kind === 'probability'
    ? readShares((most) => readNumbers(input, { ...options, most }))
    : readNumbers(input, options)

async function readNumbers(input: ByteInput, options: PolicyFileOptions): Promise<PolicyFile> {
  const { kind, ids = {}, tensors, most } = options
  const start = await input.slice(0, 16)
  if (isNpy(start)) {
    if (!ids.items)
      throw new HindcastError('not-found', `${input.name} does not say which items its columns are.`, {
        remedy:
          'Put items.txt beside it, with the id of each column on a line of its own, and users.txt for its rows.',
      })
    const { matrixPolicy } = await import('./matrix-policy.js')
    const matrix = decodeNpy(await concatenate(input.stream()), input.name)
    return matrixPolicy(input.name, kind, matrix, { users: ids.users, items: ids.items }, most)
  }
  if (isSafetensors(start, input.byteLength)) {
    const { decodeSafetensors } = await import('../../model/safetensors.js')
    const { tensorsPolicy } = await import('./tensors-policy.js')
    const file = decodeSafetensors(await concatenate(input.stream()), input.name)
    return tensorsPolicy(input.name, file, {
      kind,
      ids,
      ...(tensors && { tensors }),
      ...(most !== undefined && { most }),
    })
  }
  if (start.includes(BRACE) && options.columns === undefined) {
    const { jsonPolicy } = await import('./json-policy.js')
    const policy = jsonPolicy(input.name, await wholeText(input), kind, most)
    if (policy) return policy
  }
  const { readPolicyTable } = await import('./read-policy-table.js')
  return readPolicyTable(input, options)
}

const BRACE = 0x7b

/** The text of a file; empty where it is longer than one object of JSON can be. */
async function wholeText(input: ByteInput): Promise<string> {
  if (input.byteLength > LONGEST_OBJECT) return ''
  return new TextDecoder().decode(await concatenate(input.stream()))
}

/** Engines cannot hold longer texts. */
const LONGEST_OBJECT = 1 << 28

/** Whether the numbers of a file stand in a matrix or in tensors, whose ids may be in other files. */
export const mayNeedIds = (start: Uint8Array, byteLength: number): boolean =>
  isNpy(start) || isSafetensors(start, byteLength)

/** The length of a header that fits into the file, then a brace: no text begins so. */
function isSafetensors(start: Uint8Array, byteLength: number): boolean {
  if (start.length < 9 || start[8] !== 0x7b) return false
  const length = Number(new DataView(start.buffer, start.byteOffset).getBigUint64(0, true))
  return length > 0 && 8 + length <= byteLength
}

/** What probabilities written as percentages sum to. */
const HUNDRED = 100

/**
 * Probabilities, of which a file may hold percentages: those of every row then sum to 100, up to rounding, and are divided by it.
 * `read` reads the file with numbers up to a limit.
 */
async function readShares(read: (most: number) => Promise<PolicyFile>): Promise<PolicyFile> {
  const readAgain = (error: unknown): Promise<PolicyFile | undefined> => {
    if (!(error instanceof HindcastError) || error.code !== 'bad-rows') throw error
    // What is wrong with it either way is said of probabilities.
    return read(HUNDRED).catch(() => undefined)
  }
  let failed: unknown
  const file = await read(1).catch((error: unknown) => {
    failed = error
    return readAgain(error)
  })
  const shares = file && inShares(file)
  if (shares) return shares
  if (failed !== undefined) throw failed
  return file!
}

function inShares(file: PolicyFile): PolicyFile | undefined {
  const sharesOf = (row: number): PolicyValues =>
    Float64Array.from(file.values(row), (value) => value / HUNDRED)
  for (let row = 0; row < rowsOf(file); row++) {
    const sum = sumOf(file.values(row)) / HUNDRED
    // Probabilities, whose sums are nowhere near 100, are known by their first row.
    if (Math.abs(sum - 1) > 0.5 || !sumsToOne(sum, sharesOf(row))) return undefined
  }
  const whose = file.userIds ? 'the numbers of every user' : 'its numbers'
  return {
    ...file,
    values: sharesOf,
    notes: [...(file.notes ?? []), `${file.name}: ${whose} sum to 100, and are read as percentages.`],
  }
}
