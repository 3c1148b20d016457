import { blobInput } from '$core/log/bytes/input.js'
import { fingerprintOf } from './fingerprint.js'

const MEGABYTE = 2 ** 20
/** Between the first and the last megabyte, so many pieces of so many bytes are looked at. */
const [PIECES, PIECE] = [16, 2 ** 14]

/**
 * What tells a file of data from another, whatever its size, in a moment: its length (base 36) and a hash of its first and
 * last megabyte and of pieces between them. A change elsewhere in a large file that keeps its length goes unnoticed.
 */
export async function fileFingerprint(file: File): Promise<string> {
  const { size } = file
  const middle = size - 2 * MEGABYTE
  const pieces =
    middle <= 0
      ? [file]
      : [
          file.slice(0, MEGABYTE),
          ...Array.from({ length: PIECES }, (_, k) => {
            const from = MEGABYTE + Math.floor((k * middle) / PIECES)
            return file.slice(from, Math.min(from + PIECE, size))
          }),
          file.slice(size - MEGABYTE),
        ]
  return `${size.toString(36)}-${await fingerprintOf(pieces.map((piece) => blobInput(file.name, piece)))}`
}
