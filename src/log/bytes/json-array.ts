import { HindcastError } from '../../error.js'

const [QUOTE, BACKSLASH, COMMA, NEWLINE, RETURN, SPACE] = [0x22, 0x5c, 0x2c, 10, 13, 32]
const [BRACKET, CLOSING_BRACKET, BRACE, CLOSING_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d]

/** The elements of a JSON array, one per line: NDJSON, if they are objects. */
export async function* arrayLines(
  name: string,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
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
