import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { encodeSafetensors } from '../src/model/safetensors.js'
import { exp, log as naturalLog } from '../src/portable-math.js'
import { randomStream } from '../src/random/stream.js'
import { npyBytes } from '../src/read/policy/example-npy.js'

/** A policy as a matrix: one row per user, one column per item. */
export interface PolicyMatrix {
  readonly users: readonly string[]
  readonly items: readonly string[]
  readonly rows: readonly Float64Array[]
}

/** A softmax of random scores in float32, as a model computes it: its sums are not exactly 1. */
export function float32Softmax(
  users: readonly string[],
  items: readonly string[],
  { seed = 1, spread = 2 }: { seed?: number; spread?: number } = {},
): PolicyMatrix {
  const rows = users.map((_, u) => {
    const random = randomStream(seed, 'policy', u)
    const weights = Float32Array.from(items, () => exp(spread * random.uniform()))
    const total = Math.fround(weights.reduce((sum, weight) => Math.fround(sum + weight), 0))
    return Float64Array.from(weights, (weight) => Math.fround(weight / total))
  })
  return { users, items, rows }
}

/** The scores whose softmax at temperature 1 is the policy. */
export const scoresOf = ({ rows, ...ids }: PolicyMatrix): PolicyMatrix => ({
  ...ids,
  rows: rows.map((row) => row.map((p) => naturalLog(p))),
})

type Kind = 'probability' | 'score'
const PLURAL = { probability: 'probabilities', score: 'scores' } as const

const lines = (texts: readonly string[]): string => texts.map((text) => `${text}\n`).join('')

/** One row per user and item. */
export const longCsv = ({ users, items, rows }: PolicyMatrix, kind: Kind = 'probability'): string =>
  `user_id,item_id,${kind}\n${users.map((user, u) => lines(items.map((item, k) => `${user},${item},${rows[u]![k]}`))).join('')}`

const parquet = async (columnData: { name: string; data: unknown[] }[]): Promise<Uint8Array> => {
  const { parquetWriteBuffer } = await import('hyparquet-writer')
  return new Uint8Array(parquetWriteBuffer({ columnData: columnData as never }))
}

/** The same policy in every form that people have policies in: by the name of the file, its content and its companions. */
export const FORMS: Readonly<
  Record<string, (policy: PolicyMatrix, kind: Kind) => Promise<Record<string, string | Uint8Array>>>
> = {
  'long.csv': async (policy, kind) => ({ 'long.csv': longCsv(policy, kind) }),
  // As pandas.DataFrame.to_csv writes it unless told otherwise: with a first column of row numbers.
  'indexed.csv': async (policy, kind) => {
    const [header, ...rows] = longCsv(policy, kind).trimEnd().split('\n')
    return { 'indexed.csv': lines([`,${header}`, ...rows.map((row, k) => `${k},${row}`)]) }
  },
  'long.tsv': async (policy, kind) => ({ 'long.tsv': longCsv(policy, kind).replaceAll(',', '\t') }),
  'long.ndjson': async ({ users, items, rows }, kind) => ({
    'long.ndjson': users
      .map((user_id, u) =>
        lines(items.map((item_id, k) => JSON.stringify({ user_id, item_id, [kind]: rows[u]![k] }))),
      )
      .join(''),
  }),
  'long.parquet': async ({ users, items, rows }, kind) => ({
    'long.parquet': await parquet([
      { name: 'user_id', data: users.flatMap((user) => items.map(() => user)) },
      { name: 'item_id', data: users.flatMap(() => [...items]) },
      { name: kind, data: rows.flatMap((row) => Array.from(row)) },
    ]),
  }),
  'lists.ndjson': async ({ users, items, rows }, kind) => ({
    'lists.ndjson': lines(
      users.map((user_id, u) =>
        JSON.stringify({ user_id, item_ids: items, [PLURAL[kind]]: Array.from(rows[u]!) }),
      ),
    ),
  }),
  // Lists as texts of JSON, as warehouses export them.
  'texts.parquet': async ({ users, items, rows }, kind) => ({
    'texts.parquet': await parquet([
      { name: 'user_id', data: [...users] },
      { name: 'item_ids', data: users.map(() => [...items]) },
      { name: PLURAL[kind], data: rows.map((row) => Array.from(row)) },
    ]),
  }),
  'wide.csv': async ({ users, items, rows }) => ({
    'wide.csv': lines([
      `user_id,${items.join(',')}`,
      ...users.map((user, u) => `${user},${Array.from(rows[u]!).join(',')}`),
    ]),
  }),
  // The index of a data frame has no name unless it is given one.
  'wide.parquet': async ({ users, items, rows }) => ({
    'wide.parquet': await parquet([
      ...items.map((item, k) => ({ name: item, data: rows.map((row) => row[k]) })),
      { name: '__index_level_0__', data: [...users] },
    ]),
  }),
  'c-order.npy': async (policy) => withIds('c-order', policy, matrixBytes(policy, false)),
  'fortran-order.npy': async (policy) => withIds('fortran-order', policy, matrixBytes(policy, true)),
  'named.safetensors': async ({ users, items, rows }, kind) => ({
    'named.safetensors': encodeSafetensors(
      { [PLURAL[kind]]: { shape: [users.length, items.length], data: flat(rows) } },
      { user_ids: JSON.stringify(users), item_ids: JSON.stringify(items) },
    ),
  }),
}

const flat = (rows: readonly Float64Array[]): Float64Array =>
  Float64Array.from(rows.flatMap((row) => Array.from(row)))

const matrixBytes = ({ users, items, rows }: PolicyMatrix, fortran: boolean): Uint8Array =>
  npyBytes(Array.from(flat(rows)), [users.length, items.length], { type: '<f8', fortran })

const withIds = (
  stem: string,
  { users, items }: PolicyMatrix,
  bytes: Uint8Array,
): Record<string, string | Uint8Array> => ({
  [`${stem}.npy`]: bytes,
  [`${stem}.users.txt`]: lines(users),
  [`${stem}.items.txt`]: lines(items),
})

/** Embeddings whose products are the scores: those of an item are all 0 but one. */
export function embeddingsOf({ users, items, rows }: PolicyMatrix): {
  user: { shape: number[]; data: Float64Array }
  item: { shape: number[]; data: Float64Array }
} {
  const own = new Float64Array(items.length ** 2)
  for (let k = 0; k < items.length; k++) own[k * items.length + k] = 1
  return {
    user: { shape: [users.length, items.length], data: flat(rows) },
    item: { shape: [items.length, items.length], data: own },
  }
}

/** Writes files into a folder, with the folders they are in. */
export async function writeFiles(
  folder: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
}
