import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { parquetWriteBuffer } from 'hyparquet-writer'

/** Types that a column of Parquet may have, by what its cells are; text first, which holds everything. */
const TYPES = {
  id: ['VARCHAR', 'VARCHAR', 'BIGINT', 'INTEGER', 'UBIGINT', 'HUGEINT', 'DOUBLE', 'BLOB', 'DECIMAL(18,2)', 'UUID', 'VARCHAR[]'],
  reward: ['DOUBLE', 'DOUBLE', 'FLOAT', 'INTEGER', 'BOOLEAN', 'DECIMAL(9,2)', 'DECIMAL(18,4)', 'DECIMAL(38,6)', 'VARCHAR', 'TINYINT'],
  probability: ['DOUBLE', 'DOUBLE', 'FLOAT', 'DECIMAL(9,3)', 'DECIMAL(18,9)', 'VARCHAR'],
  position: ['INTEGER', 'UTINYINT', 'SMALLINT', 'DOUBLE', 'BIGINT', 'VARCHAR'],
  weight: ['DOUBLE', 'INTEGER', 'DECIMAL(4,1)', 'VARCHAR'],
  time: ['TIMESTAMP', 'TIMESTAMPTZ', 'TIMESTAMP_MS', 'TIMESTAMP_NS', 'TIMESTAMP_S', 'DATE', 'VARCHAR'],
  text: ['VARCHAR', 'INTEGER', 'DOUBLE', 'BOOLEAN', 'BLOB', 'DECIMAL(9,2)', 'VARCHAR[]', 'DATE', 'TIME', 'FLOAT', 'BIGINT'],
} // prettier-ignore
const CODECS = ['snappy', 'snappy', 'zstd', 'gzip', 'uncompressed', 'lz4_raw', 'brotli']

let making

/** Cells as a Parquet file: written by DuckDB with types of many kinds, or by the writer of this package. */
export async function grownParquet(chance, columns, rows) {
  const distinct = columns.filter(
    ([name], k) => columns.findIndex(([other]) => other.toLowerCase() === name.toLowerCase()) === k,
  )
  if (chance.isHit(0.4)) return writtenHere(chance, columns, rows)
  return copied(chance, () => {
    const selected = distinct.map(
      ([name, cell]) =>
        `${cast(
          chance,
          columns.findIndex(([other]) => other === name),
          cell,
        )} AS ${quoted(name || ' ')}`,
    )
    const values = rows.map((cells) => `(${cells.map(literal).join(', ')})`).join(', ')
    return `SELECT ${selected.join(', ')} FROM (VALUES ${values}) AS t(${columns.map((_, k) => `c${k}`).join(', ')})`
  })
}

/** Lines of JSON as a Parquet file, with structs and lists as DuckDB types them. */
export const parquetOfRecords = (chance, text) =>
  copied(chance, (folder) => {
    const path = join(folder, 'log.ndjson')
    writeFileSync(path, text)
    return `SELECT * FROM read_json('${path}', format = 'newline_delimited')`
  })

/** What a query gives as a Parquet file of DuckDB; `queryIn` may leave files in the folder. */
async function copied(chance, queryIn) {
  making ??= (async () => (await DuckDBInstance.create(':memory:')).connect())()
  const connection = await making
  const folder = mkdtempSync(join(tmpdir(), 'hindcast-grow-'))
  try {
    const path = join(folder, 'log.parquet')
    const query = queryIn(folder)
    const settings = `FORMAT parquet, CODEC '${chance.pick(CODECS)}', ROW_GROUP_SIZE ${chance.pick([2048, 2048, 4096])}${
      chance.isHit(0.2) ? ", PARQUET_VERSION 'V2'" : ''
    }`
    await connection.run(`COPY (${query}) TO '${path}' (${settings})`)
    return readFileSync(path)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function cast(chance, place, cell) {
  const type = chance.pick(TYPES[cell])
  if (type === 'BLOB') return `encode(c${place})`
  if (type.endsWith('[]')) return `[c${place}]`
  if (type !== 'TIMESTAMP_S') return `TRY_CAST(c${place} AS ${type})`
  // Written as microseconds, which reach less far, and not to infinity.
  const time = `TRY_CAST(c${place} AS TIMESTAMP)`
  return `CASE WHEN isfinite(${time}) THEN TRY_CAST(${time} AS ${type}) END`
}

const literal = (text) => (text.includes('\0') ? 'NULL' : `'${text.replaceAll("'", "''")}'`)
const quoted = (name) => `"${name.replaceAll('"', '""')}"`

function writtenHere(chance, columns, rows) {
  const columnData = columns.map(([name, cell], k) => {
    const data = rows.map((cells) => cells[k])
    const isNumber = cell !== 'id' && cell !== 'text' && cell !== 'time' && chance.isHit(0.9)
    const nullable = chance.isHit(0.3)
    if (isNumber) return { name, data: data.map(Number), type: 'DOUBLE', nullable }
    if (data.every((text) => /^-?\d{1,15}$/.test(text)) && chance.isHit(0.5))
      return { name, data: data.map(BigInt), type: 'INT64', nullable }
    const holes = nullable ? data.map((text) => (chance.isHit(0.05) ? undefined : text)) : data
    if (chance.isHit(0.1))
      return {
        name,
        data: holes.map((text) => text && new TextEncoder().encode(text)),
        type: 'BYTE_ARRAY',
        nullable: true,
      }
    return { name, data: holes, type: 'STRING', nullable }
  })
  return Buffer.from(
    parquetWriteBuffer({
      columnData,
      rowGroupSize: chance.pick([5, 100]),
      pageSize: chance.pick([64, 1 << 20]),
      codec: chance.pick(['SNAPPY', 'UNCOMPRESSED']),
    }),
  )
}
