import { HindcastError } from '../../error.js'
import { cellNumber } from '../cell.js'
import type { Format } from '../formats/format.js'
import { DelimitedReader } from './delimited.js'
import { type ByteInput, gunzip } from './input.js'
import { ndjsonKeys, ndjsonReader } from './ndjson.js'
import type { TextReader, Visit } from './text-reader.js'

/** What a file turned out to be, and the names of its columns. */
export type Container = { gzip: boolean; names: readonly string[] } & (
  | { kind: 'parquet' }
  | { kind: 'ndjson' }
  | {
      kind: 'delimited'
      delimiter: string
      /** Lines before the first record: the header and blank lines above it. */
      headerLines: number
    }
  | { kind: 'text'; reader: () => TextReader }
)

const HEAD = 1 << 16
const DELIMITERS = ['\t', '::', ',', ';', '|']

/** Looks at the first bytes of a file. `header` names the columns of a table without a header line. */
export async function detect(
  input: ByteInput,
  format: Format,
  header?: readonly string[],
): Promise<Container> {
  const start = await input.slice(0, HEAD)
  if (start.length === 0)
    throw new HindcastError('bad-file', `${input.name} is empty.`, {
      remedy: 'Give a log with at least one impression.',
    })
  const gzip = start[0] === 0x1f && start[1] === 0x8b
  const head = gzip ? await firstBytes(gunzip(input.name, input.stream())) : start
  if (startsWith(head, 'PAR1')) return { kind: 'parquet', gzip, names: [] }
  refuseOther(input.name, head)
  const isWhole = gzip ? head.length < HEAD : input.byteLength <= HEAD
  const text = decodeHead(input.name, head, isWhole)
  if (text.trim() === '')
    throw new HindcastError('bad-file', `${input.name} holds nothing but blank lines.`, {
      remedy: 'Give a log with at least one impression.',
    })
  const { textReader } = format
  if (textReader) return { kind: 'text', gzip, names: namesInUse(textReader(), text), reader: textReader }
  const first = text.trimStart()[0]
  if (first === '{') {
    const names = ndjsonKeys(text)
    if (names.length > 0) return { kind: 'ndjson', gzip, names }
    throw new HindcastError(
      'bad-file',
      `${input.name} starts like JSON, but no line of it is a whole object.`,
      {
        remedy: 'Write one JSON object a line (NDJSON), for example with: jq -c .',
      },
    )
  }
  if (first === '[')
    throw new HindcastError('bad-file', `${input.name} holds a JSON array.`, {
      remedy: 'Write one JSON object a line (NDJSON), for example with: jq -c ".[]".',
    })
  return { gzip, ...describeTable(input.name, text, format, header) }
}

/** A reader for the records of a text file. */
export function textReaderFor(container: Exclude<Container, { kind: 'parquet' }>): TextReader {
  if (container.kind === 'text') return container.reader()
  if (container.kind === 'ndjson') return ndjsonReader(container.names)
  return new DelimitedReader(container.delimiter, container.headerLines === 0 ? container.names : undefined)
}

/** The columns of a text of records that are filled in at least one of its first records. */
function namesInUse(reader: TextReader, text: string): readonly string[] {
  const used = new Set<string>()
  const visit: Visit = (_line, cells) =>
    reader.names.forEach((name, k) => {
      if (cells[k] !== undefined) used.add(name)
    })
  reader.push(text, visit)
  reader.end(visit)
  // Without a single good record the names say nothing, and the bad rows are to be told.
  return used.size === 0 ? reader.names : reader.names.filter((name) => used.has(name))
}

async function firstBytes(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const head = new Uint8Array(HEAD)
  let length = 0
  for await (const chunk of chunks) {
    head.set(chunk.subarray(0, HEAD - length), length)
    length = Math.min(HEAD, length + chunk.length)
    if (length === HEAD) break
  }
  return head.subarray(0, length)
}

const startsWith = (bytes: Uint8Array, text: string): boolean =>
  [...text].every((letter, k) => bytes[k] === letter.charCodeAt(0))

function refuseOther(name: string, head: Uint8Array): void {
  if (startsWith(head, 'PK\x03\x04'))
    throw new HindcastError('bad-file', `${name} is a zip archive.`, {
      remedy: 'Unpack it and give the file inside.',
    })
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff))
    throw new HindcastError('bad-file', `${name} is UTF-16 text.`, { remedy: 'Save it as UTF-8.' })
  if (head.subarray(0, 4096).includes(0))
    throw new HindcastError('bad-file', `${name} is neither text nor Parquet.`, {
      remedy: 'Give a CSV, TSV, NDJSON or Parquet file, gzip or not.',
    })
}

function decodeHead(name: string, head: Uint8Array, isWhole: boolean): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: !isWhole })
  } catch (cause) {
    throw notUtf8(name, cause)
  }
}

export const notUtf8 = (name: string, cause: unknown): HindcastError =>
  new HindcastError('bad-file', `${name} is not UTF-8 text.`, {
    remedy: 'Save it as UTF-8, for example with: iconv -f latin1 -t utf-8.',
    cause,
  })

function describeTable(
  file: string,
  text: string,
  format: Format,
  header: readonly string[] | undefined,
): { kind: 'delimited'; delimiter: string; headerLines: number; names: readonly string[] } {
  const blankLines = /^(?:[ \t]*\r?\n)*/.exec(text)![0].split('\n').length - 1
  const firstLine = text.split('\n')[blankLines]!.replace(/\r$/, '')
  const delimiter = guessDelimiter(firstLine)
  const fields = firstRecord(`${firstLine}\n`, delimiter)
  const names = header ?? (isData(fields) ? format.headerless?.slice(0, fields.length) : undefined)
  if (names) {
    if (names.length !== fields.length)
      throw new HindcastError(
        'bad-file',
        `${file} has ${fields.length} columns in its first line where ${names.length} are named.`,
        {
          remedy: header ? 'Name every column with --header.' : `Is this a ${format.name} file?`,
        },
      )
    return { kind: 'delimited', delimiter, headerLines: 0, names }
  }
  if (isData(fields))
    throw new HindcastError(
      'bad-file',
      `${file} has no header line: it starts with ${JSON.stringify(firstLine.slice(0, 60))}.`,
      {
        remedy: 'Name its columns: --header user_id,item_id,reward,propensity.',
      },
    )
  return { kind: 'delimited', delimiter, headerLines: blankLines + 1, names: fields }
}

function guessDelimiter(line: string): string {
  const bare = line.replaceAll(/"[^"]*"/g, '')
  const counts = DELIMITERS.map((delimiter) => bare.split(delimiter).length - 1)
  const most = Math.max(...counts)
  return most === 0 ? ',' : DELIMITERS[counts.indexOf(most)]!
}

function firstRecord(text: string, delimiter: string): readonly string[] {
  const reader = new DelimitedReader(delimiter)
  reader.end(() => undefined)
  reader.push(text, () => undefined)
  return reader.names
}

/** A first line made of numbers alone is data, not names. */
const isData = (fields: readonly string[]): boolean =>
  fields.every((field) => !Number.isNaN(cellNumber(field)))
