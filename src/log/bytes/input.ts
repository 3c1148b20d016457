import { HindcastError } from '../../error.js'

/** A file as bytes, wherever it lives: a Blob in a browser, an array in memory, a file on disk. */
export interface ByteInput {
  readonly name: string
  readonly byteLength: number
  slice(start: number, end?: number): Promise<Uint8Array>
  /** The bytes from the start, in pieces; may be called more than once. */
  stream(): AsyncIterable<Uint8Array>
}

const PIECE = 1 << 18

/** Bytes already in memory. */
export function bytesInput(name: string, bytes: Uint8Array): ByteInput {
  return {
    name,
    byteLength: bytes.length,
    slice: (start, end) => Promise.resolve(bytes.slice(start, end)),
    async *stream() {
      for (let start = 0; start < bytes.length; start += PIECE) yield bytes.subarray(start, start + PIECE)
    },
  }
}

/** A file a user dropped or chose in a browser. */
export function blobInput(name: string, blob: Blob): ByteInput {
  return {
    name,
    byteLength: blob.size,
    slice: async (start, end) => {
      try {
        return new Uint8Array(await blob.slice(start, end).arrayBuffer())
      } catch (cause) {
        throw lostFile(name, cause)
      }
    },
    async *stream() {
      try {
        yield* chunksOf(blob.stream())
      } catch (cause) {
        throw lostFile(name, cause)
      }
    },
  }
}

/** Browsers speak of the network or of permissions; a file on disk is read when it is needed, and may be another by then. */
const lostFile = (name: string, cause: unknown): HindcastError =>
  new HindcastError(
    'bad-file',
    `${name} can no longer be read: it may have been changed, moved or deleted since it was chosen.`,
    { remedy: 'Choose or drop it again.', cause },
  )

/** Decompresses gzip with the platform's own implementation. */
export async function* gunzip(
  name: string,
  compressed: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const pieces = compressed[Symbol.asyncIterator]()
  const readable = new ReadableStream<BufferSource>({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(value as Uint8Array<ArrayBuffer>)
    },
    async cancel() {
      await pieces.return?.()
    },
  })
  try {
    yield* chunksOf(readable.pipeThrough(new DecompressionStream('gzip')))
  } catch (cause) {
    if (cause instanceof HindcastError) throw cause
    throw new HindcastError('bad-file', `${name}: the gzip data is truncated or damaged.`, {
      remedy: 'Compress or copy the file again.',
      cause,
    })
  }
}

/** Not every browser lets `for await` loop over a stream. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    // A reader that stops early releases the file.
    await reader.cancel().catch(() => undefined)
  }
}

/** All bytes of a stream in one array. */
export async function concatenate(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  for await (const chunk of chunks) pieces.push(chunk)
  return joined(Uint8Array, pieces)
}

/** Pieces of bytes or of numbers in one array. */
export function joined<Numbers extends Uint8Array | Float64Array>(
  Numbers: new (length: number) => Numbers,
  pieces: readonly Numbers[],
): Numbers {
  const whole = new Numbers(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
