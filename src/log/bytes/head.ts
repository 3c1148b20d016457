import { HindcastError } from '../../error.js'
import type { ByteInput } from './input.js'
import { LONGEST_LINE, lineTooLong } from './long-lines.js'
import { refuseOther, startsWith } from './other-files.js'
import { unwrapped, type Wrap, wrapAround } from './wraps.js'

/** The start of a file: enough to recognise what it is. */
export interface Head {
  /** The file's name, for messages. */
  readonly name: string
  /** What the file is wrapped in, the outermost first. */
  readonly wraps: readonly Wrap[]
  readonly isParquet: boolean
  /** Its first 64 kB as text, or its first line if that is longer, without a character cut off at the end; empty for Parquet. */
  readonly text: string
  /** True when the file holds no more than this. */
  readonly isWhole: boolean
}

const HEAD = 1 << 16

/** How web pages, pictures and other XML begin. */
const MARKUP = /^\uFEFF?\s*<(?:[?!]|[a-z][a-z:]*[\s>])/i

/** Reads the start of a file, whatever it is wrapped in; a file that is empty, or neither text nor Parquet, is an error. */
export async function readHead(input: ByteInput): Promise<Head> {
  const { name } = input
  const start = await input.slice(0, HEAD)
  if (start.length === 0)
    throw new HindcastError('bad-file', `${name} is empty.`, {
      remedy: 'Give a file with at least one row.',
    })
  const wraps: Wrap[] = []
  const inside = (): AsyncIterable<Uint8Array> => unwrapped(name, input.stream(), wraps)
  let first = { bytes: start, isWhole: input.byteLength <= HEAD }
  for (let wrap = wrapAround(start); wrap && !wraps.includes(wrap); wrap = wrapAround(first.bytes)) {
    wraps.push(wrap)
    first = await firstBytes(inside(), HEAD)
  }
  if (startsWith(first.bytes, 'PAR1'))
    return { name, wraps, isParquet: true, text: '', isWhole: first.isWhole }
  refuseOther(name, first.bytes)
  const hasLine = first.isWhole || endOfFirstLine(first.bytes) >= 0
  const { bytes: head, isWhole } = hasLine ? first : await firstBytes(inside(), LONGEST_LINE + 1)
  if (!isWhole && endOfFirstLine(head) < 0) throw lineTooLong(name, 1)
  const text = decodeHead(name, head, isWhole)
  if (MARKUP.test(text))
    throw new HindcastError('bad-file', `${name} is a web page or XML, not a table.`, {
      remedy: 'Use a CSV, TSV, NDJSON or Parquet file. Was it saved from a page that asks for a login?',
    })
  if (text.trim() === '')
    throw new HindcastError('bad-file', `${name} contains only blank lines.`, {
      remedy: 'Give a file with at least one row.',
    })
  return { name, wraps, isParquet: false, text, isWhole }
}

/** Bytes from the start: `enough` of them, or more until the first line is whole, or all there are. */
async function firstBytes(
  chunks: AsyncIterable<Uint8Array>,
  enough: number,
): Promise<{ bytes: Uint8Array; isWhole: boolean }> {
  const pieces: Uint8Array[] = []
  let length = 0
  let isWhole = true
  for await (const chunk of chunks) {
    pieces.push(chunk)
    length += chunk.length
    const hasLine = enough === HEAD || endOfFirstLine(chunk) >= 0
    if (length > enough || (length > HEAD && hasLine)) {
      isWhole = false
      break
    }
  }
  const bytes = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return { bytes: isWhole ? bytes : bytes.subarray(0, enough), isWhole }
}

/** Where the first line that is not blank ends; -1 if it does not. */
function endOfFirstLine(bytes: Uint8Array): number {
  const start = bytes.findIndex((byte) => byte > 32)
  return start < 0 ? -1 : bytes.subarray(start).findIndex((byte) => byte === 10 || byte === 13)
}

function decodeHead(name: string, head: Uint8Array, isWhole: boolean): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: !isWhole })
  } catch (cause) {
    throw /\.parquet$/i.test(name) ? notParquet(name, cause) : notUtf8(name, cause)
  }
}

const notParquet = (name: string, cause: unknown): HindcastError =>
  new HindcastError('bad-file', `${name} is not a Parquet file: it does not begin with PAR1.`, {
    remedy: 'It is truncated, damaged or another kind of file: export or download it again.',
    cause,
  })

/** The error for bytes that are not UTF-8 text. */
export const notUtf8 = (name: string, cause: unknown): HindcastError =>
  new HindcastError('bad-file', `${name} is not UTF-8 text.`, {
    remedy: 'Save it as UTF-8, for example with: iconv -f latin1 -t utf-8.',
    cause,
  })
