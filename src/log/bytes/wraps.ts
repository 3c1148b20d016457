import { HindcastError } from '../../error.js'
import { gunzip } from './input.js'

/** What a file may be wrapped in: bytes that become those of UTF-8 text or Parquet once they are opened. */
export type Wrap = 'gzip' | 'zstd' | 'utf-16le' | 'utf-16be' | 'json-array'

interface WrapReader {
  /** What a person calls it. */
  readonly label: string
  /** Whether bytes begin like this. */
  begins(bytes: Uint8Array): boolean
  /** The bytes inside. */
  open(name: string, pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
}

const MARK = [0xef, 0xbb, 0xbf]

const WRAPS: Readonly<Record<Wrap, WrapReader>> = {
  gzip: { label: 'gzip', begins: (bytes) => bytes[0] === 0x1f && bytes[1] === 0x8b, open: gunzip },
  zstd: { label: 'zstd', begins: isZstd, open: unzstd },
  'utf-16le': {
    label: 'UTF-16',
    begins: (bytes) => bytes[0] === 0xff && bytes[1] === 0xfe,
    open: decodedFrom('utf-16le'),
  },
  'utf-16be': {
    label: 'UTF-16',
    begins: (bytes) => bytes[0] === 0xfe && bytes[1] === 0xff,
    open: decodedFrom('utf-16be'),
  },
  'json-array': {
    label: 'in a JSON array',
    begins: (bytes) => bytes[bytes.findIndex((byte) => byte > 32 && !MARK.includes(byte))] === BRACKET,
    open: arrayLines,
  },
}

/** What a person calls a wrap. */
export const wrapLabel = (wrap: Wrap): string => WRAPS[wrap].label

/** What bytes that begin like this are wrapped in; undefined if they are plain. */
export const wrapAround = (bytes: Uint8Array): Wrap | undefined =>
  (Object.keys(WRAPS) as Wrap[]).find((wrap) => WRAPS[wrap].begins(bytes))

/** The bytes inside all wraps of a file, the outermost first. */
export const unwrapped = (
  name: string,
  pieces: AsyncIterable<Uint8Array>,
  wraps: readonly Wrap[],
): AsyncIterable<Uint8Array> => wraps.reduce((inside, wrap) => WRAPS[wrap].open(name, inside), pieces)

/** A frame of data, or one that decoders skip, which tools write first. */
function isZstd([first, second, third, fourth]: Uint8Array): boolean {
  const isSkipped = first! >= 0x50 && first! <= 0x5f && second === 0x2a && third === 0x4d && fourth === 0x18
  return isSkipped || (first === 0x28 && second === 0xb5 && third === 0x2f && fourth === 0xfd)
}

async function* unzstd(name: string, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  // Few files need it.
  const { Decompress } = await import('fzstd')
  const opened: Uint8Array[] = []
  const stream = new Decompress((piece) => opened.push(piece))
  const push = (piece: Uint8Array, isLast: boolean): void => {
    try {
      stream.push(piece, isLast)
    } catch (cause) {
      throw new HindcastError('bad-file', `${name}: the zstd data is truncated or damaged.`, {
        remedy: 'Compress or copy the file again, or unpack it with: zstd -d.',
        cause,
      })
    }
  }
  for await (const piece of pieces) {
    push(piece, false)
    yield* opened.splice(0)
  }
  push(new Uint8Array(0), true)
  yield* opened
}

function decodedFrom(encoding: 'utf-16le' | 'utf-16be'): WrapReader['open'] {
  return async function* utf8(name, pieces) {
    const [decoder, encoder] = [new TextDecoder(encoding, { fatal: true }), new TextEncoder()]
    try {
      for await (const piece of pieces) yield encoder.encode(decoder.decode(piece, { stream: true }))
      yield encoder.encode(decoder.decode())
    } catch (cause) {
      if (!(cause instanceof TypeError)) throw cause
      throw new HindcastError('bad-file', `${name} begins like UTF-16 text, but is not.`, {
        remedy: 'It is truncated or damaged: export it again, as UTF-8 if you can.',
        cause,
      })
    }
  }
}

const [QUOTE, BACKSLASH, COMMA, NEWLINE, RETURN, SPACE] = [0x22, 0x5c, 0x2c, 10, 13, 32]
const [BRACKET, CLOSING_BRACKET, BRACE, CLOSING_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d]

/** The elements of a JSON array, one per line: NDJSON, if they are objects. */
async function* arrayLines(name: string, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let depth = 0
  let isText = false
  let isEscaped = false
  let isClosed = false
  for await (const piece of pieces) {
    const lines = new Uint8Array(piece.length)
    let length = 0
    for (const byte of piece) {
      if (isText) {
        lines[length++] = byte
        if (isEscaped) isEscaped = false
        else if (byte === BACKSLASH) isEscaped = true
        else if (byte === QUOTE) isText = false
        continue
      }
      if (depth === 0) {
        if (isClosed && byte > SPACE) throw moreThanAnArray(name)
        if (byte === BRACKET) depth = 1
        continue
      }
      if (byte === BRACKET || byte === BRACE) depth++
      else if (byte === CLOSING_BRACKET || byte === CLOSING_BRACE) depth--
      if (depth === 0) {
        isClosed = true
        lines[length++] = NEWLINE
      } else if (depth === 1 && byte === COMMA) lines[length++] = NEWLINE
      // An element that is written over several lines is one line here.
      else if (byte === NEWLINE || byte === RETURN) lines[length++] = SPACE
      else lines[length++] = byte
      if (byte === QUOTE) isText = true
    }
    yield lines.subarray(0, length)
  }
  if (!isClosed)
    throw new HindcastError('bad-file', `${name} is a JSON array that is never closed.`, {
      remedy: 'It is truncated: export or download it again.',
    })
}

const moreThanAnArray = (name: string): HindcastError =>
  new HindcastError('bad-file', `${name} continues after its JSON array.`, {
    remedy: 'Write a single array, or one JSON object per line.',
  })
