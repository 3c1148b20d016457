import { isUtf8 } from 'node:buffer'
import { throwIfAborted } from '../../error.js'
import { notUtf8 } from '../../log/bytes/head.js'
import type { ByteInput } from '../../log/bytes/input.js'
import { lineAt, LineLengths, lineTooLong } from '../../log/bytes/lines.js'
import { unwrapped } from '../../log/bytes/wraps.js'
import type { TextTable } from './relation.js'

const NEWLINE = 10
const RETURN = 13
const SPACE = 32
const QUOTE = 34

/**
 * Goes once over the bytes of a text table for what DuckDB would not notice: a line that is too long, which it may drop,
 * and bytes in columns it does not read that are not UTF-8. Both are the errors that reading the bytes gives. Returns
 * false where DuckDB would read a row otherwise than it is written: it drops a byte order mark below the header, and a space
 * behind a return that ends a line alone where others end with a newline too; and it counts lines otherwise where those above
 * its rows do not all end alike.
 */
export async function inspectText(
  input: ByteInput,
  container: TextTable,
  signal?: AbortSignal,
): Promise<boolean> {
  const unpacked = (): AsyncIterable<Uint8Array> => unwrapped(input.name, input.stream(), container.wraps)
  const isTable = container.kind === 'delimited'
  const lengths = new LineLengths(isTable)
  let isPlain = true
  let isFirst = true
  let endsInReturn = false
  let endsInNewline = true
  let cut: Uint8Array = new Uint8Array(0)
  for await (const piece of unpacked()) {
    throwIfAborted(signal)
    const before = lengths.pass(piece)
    if (before !== undefined) throw lineTooLong(input.name, await lineAt(unpacked(), before, isTable))
    if (isFirst && container.kind === 'delimited') isPlain = isPlainAbove(piece, container)
    if (isTable && ((endsInReturn && piece[0] === SPACE) || spaceBehindReturn(piece))) isPlain = false
    isFirst = false
    if (piece.length > 0) [endsInReturn, endsInNewline] = [piece.at(-1) === RETURN, piece.at(-1) === NEWLINE]
    const bytes = cut.length === 0 ? piece : Buffer.concat([cut, piece])
    const end = endOfWholeCharacters(bytes)
    if (!isUtf8(bytes.subarray(0, end))) throw notUtf8(input.name, undefined)
    cut = bytes.slice(end)
  }
  if (cut.length > 0) throw notUtf8(input.name, undefined)
  // A last record without its newline may be read first, where threads race.
  return isPlain && (isTable || endsInNewline)
}

const spaceBehindReturn = ({ buffer, byteOffset, byteLength }: Uint8Array): boolean =>
  Buffer.from(buffer, byteOffset, byteLength).includes('\r ')

/** Whether the lines above the rows end alike, with a newline each, no preamble has quotes, and no byte order mark follows. */
function isPlainAbove(
  piece: Uint8Array,
  { headerLines: lines, preambleLines }: TextTable & { kind: 'delimited' },
): boolean {
  let start = 0
  let returns = 0
  for (let k = 0; k < lines; k++) {
    const end = piece.indexOf(NEWLINE, start)
    if (end < 0) return false
    if (piece[end - 1] === RETURN) returns++
    start = end + 1
  }
  const isAlike = returns === 0 || returns === lines
  const isAlone = piece.subarray(0, start).filter((byte) => byte === RETURN).length > returns
  const hasMark = piece[start] === 0xef && piece[start + 1] === 0xbb && piece[start + 2] === 0xbf
  const hasQuote = preambleLines > 0 && piece.subarray(0, start).includes(QUOTE)
  return isAlike && !isAlone && !hasQuote && !(hasMark && lines > 0)
}

/** Where the last character that is whole ends, if the bytes are UTF-8. */
function endOfWholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!
    if (byte < 0x80) return bytes.length
    if (byte < 0xc0) continue
    const needed = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    return needed > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}
