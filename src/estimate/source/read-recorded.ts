import { HindcastError } from '../../error.js'
import { DelimitedReader } from '../../log/bytes/delimited.js'
import { parseJson } from '../../log/bytes/exact-json.js'
import { type ByteInput, bytesInput, concatenate, gunzip } from '../../log/bytes/input.js'
import { damaged, openParquet } from '../../log/bytes/parquet-source.js'
import type { Visit } from '../../log/bytes/text-reader.js'
import { isRecordedRow, type RecordedCell, recordedRows } from './recorded-table.js'
import type { RecordedRow } from './recorded-rows.js'

/** A larger file is no result of a statement. */
const LARGEST_FILE = 512 * 2 ** 20

/** The rows of a result in a file: CSV or TSV with or without names, a JSON array, JSON lines, or Parquet; gzipped or not. */
export async function readRecorded(input: ByteInput): Promise<RecordedRow[]> {
  const { name } = input
  if (input.byteLength > LARGEST_FILE)
    throw new HindcastError('bad-file', `${name} is too large to be the result of the statement.`, {
      remedy: 'Give the result of the statement that Hindcast wrote.',
    })
  let bytes = await concatenate(input.stream())
  if (bytes[0] === 0x1f && bytes[1] === 0x8b)
    bytes = await concatenate(gunzip(name, bytesInput(name, bytes).stream()))
  if (startsWith(bytes, 'PAR1')) return parquetRows(bytesInput(name, bytes))
  const text = decoded(bytes)
  const start = text.trimStart()[0]
  if (start === '[' || start === '{') return jsonRows(name, text)
  return delimitedRows(name, text)
}

const startsWith = (bytes: Uint8Array, text: string): boolean =>
  [...text].every((sign, k) => bytes[k] === sign.charCodeAt(0))

/** Text in UTF-8, or in UTF-16 as some shells write it. */
function decoded(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  return new TextDecoder().decode(bytes)
}

function delimitedRows(name: string, text: string): RecordedRow[] {
  const end = text.search(/[\r\n]/)
  const first = (end < 0 ? text : text.slice(0, end)).replaceAll(/"(?:[^"]|"")*"/g, '')
  const delimiter = [',', '\t', ';', '|'].reduce((best, one) =>
    first.split(one).length > first.split(best).length ? one : best,
  )
  const records: (readonly RecordedCell[])[] = []
  const visit: Visit = (line, cells, broken) => {
    if (broken !== undefined)
      throw new HindcastError('bad-file', `${name}, line ${line}: ${broken}.`, {
        remedy: 'Save the result again.',
      })
    records.push(cells as readonly RecordedCell[])
  }
  const names = Array.from({ length: first.split(delimiter).length }, (_, k) => `column ${k + 1}`)
  const reader = new DelimitedReader(delimiter, names)
  reader.push(text, visit)
  reader.end(visit)
  const [head = []] = records
  if (isRecordedRow(head)) {
    const positional = ['part', 'id', 'part_rows', ...head.slice(3).map((_, k) => `x${k}`)]
    return recordedRows(name, positional, records)
  }
  return recordedRows(name, head.map(String), records.slice(1))
}

function jsonRows(name: string, text: string): RecordedRow[] {
  const objects = jsonObjects(name, text)
  const keys = [...new Set(objects.flatMap((object) => Object.keys(object)))]
  return recordedRows(
    name,
    keys,
    objects.map((object) => keys.map((key) => object[key] as RecordedCell)),
  )
}

function jsonObjects(name: string, text: string): Record<string, unknown>[] {
  const isArray = text.trimStart().startsWith('[')
  try {
    const values = isArray
      ? (parseJson(text) as unknown[])
      : text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [parseJson(line)]))
    if (values.every((value) => typeof value === 'object' && value !== null && !Array.isArray(value)))
      return values as Record<string, unknown>[]
  } catch (cause) {
    throw notJson(name, cause)
  }
  throw notJson(name)
}

const notJson = (name: string, cause?: unknown): HindcastError =>
  new HindcastError(
    'bad-file',
    `${name} cannot be read as JSON: it is cut off, or not one object for each row.`,
    {
      remedy: 'Save the result again, as an array of objects or as one object in each line.',
      cause,
    },
  )

async function parquetRows(input: ByteInput): Promise<RecordedRow[]> {
  const [{ parquetMetadataAsync, parquetReadObjects }, { compressors }] = await Promise.all([
    import('hyparquet'),
    import('hyparquet-compressors'),
  ])
  const { file, columns } = await openParquet(input, [])
  const objects = await parquetMetadataAsync(file)
    .then((metadata) => parquetReadObjects({ file, metadata, compressors }))
    .catch((cause: unknown) => {
      throw damaged(input.name, cause)
    })
  return recordedRows(
    input.name,
    columns,
    objects.map((object) => columns.map((column) => object[column] as RecordedCell)),
  )
}
