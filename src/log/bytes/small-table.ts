import { HindcastError } from '../../error.js'
import { DelimitedReader } from './delimited.js'
import { parseJson } from './exact-json.js'
import { type ByteInput, bytesInput, concatenate, gunzip } from './input.js'
import { damaged, openParquet } from './parquet-source.js'
import type { Visit } from './lines.js'

/** A cell of a small table as a file holds it; Parquet has dates as such. */
export type SmallCell = string | number | bigint | boolean | Date | null | undefined

/** A table that is read as a whole: its names first, or for text without names its first record. */
export interface SmallTable {
  readonly head: readonly SmallCell[]
  readonly records: readonly (readonly SmallCell[])[]
}

const LARGEST_FILE = 512 * 2 ** 20

/** Reads a file as a whole: CSV or TSV, a JSON array, JSON lines, or Parquet; gzipped or not. `what` is what it should be, for the error about a larger one. */
export async function readSmallTable(input: ByteInput, what: string): Promise<SmallTable> {
  const { name } = input
  if (input.byteLength > LARGEST_FILE)
    throw new HindcastError('bad-file', `${name} is too large to be ${what}.`, {
      remedy: `Give ${what}.`,
    })
  let bytes = await concatenate(input.stream())
  if (bytes[0] === 0x1f && bytes[1] === 0x8b)
    bytes = await concatenate(gunzip(name, bytesInput(name, bytes).stream()))
  if (startsWith(bytes, 'PAR1')) return parquetTable(bytesInput(name, bytes))
  const text = decoded(bytes)
  const start = text.trimStart()[0]
  return start === '[' || start === '{' ? tableOf(jsonObjects(name, text)) : delimitedTable(name, text)
}

const startsWith = (bytes: Uint8Array, text: string): boolean =>
  [...text].every((sign, k) => bytes[k] === sign.charCodeAt(0))

/** Text in UTF-8, or in UTF-16 as some shells write it. */
function decoded(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  return new TextDecoder().decode(bytes)
}

function delimitedTable(name: string, text: string): SmallTable {
  const end = text.search(/[\r\n]/)
  const first = (end < 0 ? text : text.slice(0, end)).replaceAll(/"(?:[^"]|"")*"/g, '')
  const delimiter = [',', '\t', ';', '|'].reduce((best, one) =>
    first.split(one).length > first.split(best).length ? one : best,
  )
  const records: (readonly SmallCell[])[] = []
  const visit: Visit = (line, cells, broken) => {
    if (broken !== undefined)
      throw new HindcastError('bad-file', `${name}, line ${line}: ${broken}.`, {
        remedy: 'Save it again.',
      })
    records.push(cells as readonly SmallCell[])
  }
  const names = Array.from({ length: first.split(delimiter).length }, (_, k) => `column ${k + 1}`)
  const reader = new DelimitedReader(delimiter, names)
  reader.push(text, visit)
  reader.end(visit)
  const [head = [], ...others] = records
  return { head, records: others }
}

function tableOf(objects: readonly Record<string, unknown>[]): SmallTable {
  const head = [...new Set(objects.flatMap((object) => Object.keys(object)))]
  return { head, records: objects.map((object) => head.map((key) => object[key] as SmallCell)) }
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
      remedy: 'Save it again, as an array of objects or as one object in each line.',
      cause,
    },
  )

async function parquetTable(input: ByteInput): Promise<SmallTable> {
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
  return {
    head: columns,
    records: objects.map((object) => columns.map((column) => object[column] as SmallCell)),
  }
}
