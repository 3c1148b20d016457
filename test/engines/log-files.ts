import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer'
import type { ColumnOrigins } from '../../src/log/bad-rows.js'
import { furtherColumn, labelColumn } from '../../src/log/columns.js'
import { areWholeNumbers } from '../../src/log/ids.js'
import type { Log } from '../../src/log/log.js'
import type { SqlColumn } from '../../src/sql/column-kind.js'
import { type EventTable, hasNumbers } from '../join-conformance.js'

/** A table as Parquet has it, and what each of its columns is. */
export interface TableFile {
  readonly data: ColumnSource[]
  readonly columns: readonly SqlColumn[]
}

type Cells = { readonly name: string } & (
  | { readonly numbers: Float64Array }
  | { readonly ids: readonly string[]; readonly index: Uint32Array }
)

/** The log as a table with a key, and which of its columns are which of the log. */
export function logTable(log: Log): TableFile & { readonly origins: ColumnOrigins } {
  const { userIds, itemIds, clusterIds, slateIds, labels = {}, numbers = {} } = log
  const named: [column: string, cells: Cells | undefined][] = [
    ['user', { name: 'user_id', ids: userIds, index: log.user }],
    ['item', { name: 'item_id', ids: itemIds, index: log.item }],
    ['cluster', log.cluster && clusterIds && { name: 'cluster_id', ids: clusterIds, index: log.cluster }],
    ['slate', log.slate && slateIds && { name: 'page id', ids: slateIds, index: log.slate }],
    ['position', log.position && { name: 'position', numbers: log.position }],
    ['time', log.time && { name: 'shown_at', numbers: log.time }],
    ['reward', { name: 'clicked', numbers: log.reward }],
    ['propensity', log.propensity && { name: 'p', numbers: log.propensity }],
    ['target', log.target && { name: 'target_prob', numbers: log.target }],
    ['weight', log.weight && { name: 'n', numbers: log.weight }],
    ['q', log.q && { name: 'q', numbers: log.q }],
    ['v', log.v && { name: 'v', numbers: log.v }],
    ...Object.entries(labels).map(([name, label]): [string, Cells] => [
      labelColumn(name),
      { name, ...label },
    ]),
    ...Object.entries(numbers).map(([name, cells]): [string, Cells] => [
      furtherColumn(name),
      { name, numbers: cells },
    ]),
  ]
  const all = named.filter((one): one is [string, Cells] => one[1] !== undefined)
  const place = BigInt64Array.from({ length: log.rows }, (_, row) => BigInt(row))
  return {
    data: [{ name: 'place', data: place, type: 'INT64' }, ...all.map(([, cells]) => parquetColumn(cells))],
    columns: [
      { name: 'place', type: 'bigint', kind: 'integer' },
      ...all.map(([, cells]) => sqlColumn(cells)),
    ],
    origins: Object.fromEntries(all.map(([column, { name }]) => [column, [name]])) as ColumnOrigins,
  }
}

/** The category of each item. */
export function categoryTable({ itemIds }: Log, categories: readonly string[]): TableFile {
  const index = Uint32Array.from(itemIds, (_, item) => item)
  const ids: Cells = { name: 'id', ids: itemIds, index }
  const names: Cells = { name: 'category', ids: categories, index }
  return { data: [ids, names].map(parquetColumn), columns: [ids, names].map(sqlColumn) }
}

/** Decisions or outcomes. */
export function eventTable({ names, rows }: EventTable): TableFile {
  return {
    data: names.map((name, k): ColumnSource => {
      const type = hasNumbers(name) ? ('DOUBLE' as const) : ('STRING' as const)
      return { name, data: rows.map((row) => row[k]), type, nullable: true }
    }),
    columns: names.map((name) =>
      hasNumbers(name) ? { name, type: 'double', kind: 'number' } : { name, type: 'varchar', kind: 'text' },
    ),
  }
}

export async function writeTable(path: string, { data }: TableFile): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, new Uint8Array(parquetWriteBuffer({ columnData: data })))
}

function parquetColumn(cells: Cells): ColumnSource {
  const { name } = cells
  if ('numbers' in cells) return { name, data: cells.numbers, type: 'DOUBLE' }
  const { ids, index } = cells
  if (!areWholeNumbers(ids)) return { name, data: Array.from(index, (place) => ids[place]!), type: 'STRING' }
  const numbers = ids.map(BigInt)
  return { name, data: BigInt64Array.from(index, (place) => numbers[place]!), type: 'INT64' }
}

function sqlColumn(cells: Cells): SqlColumn {
  const { name } = cells
  if ('numbers' in cells) return { name, type: 'double', kind: 'number' }
  return areWholeNumbers(cells.ids)
    ? { name, type: 'bigint', kind: 'integer' }
    : { name, type: 'varchar', kind: 'text' }
}
