import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import type { ByteInput } from '../log/bytes/input.js'
import { noteInput } from './protected-inputs.js'

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
