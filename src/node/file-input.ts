import { closeSync, createReadStream, openSync, readSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import type { ByteInput } from '../log/bytes/input.js'
import { noteInput } from './protected-inputs.js'

/** Slices of up to this many bytes are read at once: three trips to other threads would take ten times as long. */
const SMALL = 1 << 16

/** A file on disk as bytes. */
export async function fileInput(path: string, name = path): Promise<ByteInput> {
  const { size } = await stat(path)
  await noteInput(path)
  return {
    name,
    byteLength: size,
    async slice(start, end = size) {
      const length = Math.max(0, Math.min(end, size) - start)
      const bytes = new Uint8Array(length)
      if (length <= SMALL) {
        readAtOnce(path, bytes, start)
        return bytes
      }
      const file = await open(path)
      try {
        await file.read(bytes, 0, length, start)
      } finally {
        await file.close()
      }
      return bytes
    },
    stream: () => createReadStream(path, { highWaterMark: 1 << 20 }),
  }
}

function readAtOnce(path: string, bytes: Uint8Array, start: number): void {
  const file = openSync(path, 'r')
  try {
    readSync(file, bytes, 0, bytes.length, start)
  } finally {
    closeSync(file)
  }
}
