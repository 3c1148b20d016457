import { mkdir, open, rename, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { HindcastError, throwIfAborted } from '../../error.js'
import { formatCount } from '../../number-text.js'
import type { ProgressListener } from '../../progress.js'
import type { Checksum } from './catalogue.js'
import { compareChecksum, type Fingerprint, Fingerprinter, paced } from './checksum.js'
import { exists } from './locate.js'
import { requireSpace, writeFailed } from './remedy.js'
import { discard, temporaryBeside } from './temporary.js'

export interface DownloadOptions {
  /** Verified before the file gets its final name; not verified if absent. */
  checksum?: Checksum | undefined
  /** Called with `downloading`, in bytes. */
  progress?: ProgressListener | undefined
  signal?: AbortSignal | undefined
  /** Milliseconds without a byte after which the connection counts as lost; default 30,000. */
  idleTimeout?: number | undefined
  /** What the user can do if the file is not available. */
  remedy?: string | undefined
}

/** Connections per download: the first one, then to resume after a lost connection. */
const connections = 3

/**
 * Downloads a zip archive to `target` and returns its size and checksums. The bytes go to a temporary name
 * beside it, which is renamed once the archive is complete and its checksum is right, and removed otherwise.
 * A lost connection is resumed if the server allows it. A failed download is a `data-unavailable` error, a
 * failed write a `write-failed` one.
 */
export async function download(
  address: string,
  target: string,
  options: DownloadOptions = {},
): Promise<Fingerprint> {
  throwIfAborted(options.signal)
  const remedy = options.remedy ?? `Download ${address} by other means and save it as ${target}.`
  const temporary = temporaryBeside(target)
  try {
    const file = await writing(temporary, async () => {
      await mkdir(path.dirname(target), { recursive: true })
      return open(temporary, 'wx')
    })
    let found: Fingerprint
    try {
      found = await receive(address, file, temporary, { ...options, remedy })
    } finally {
      await file.close()
    }
    if (options.checksum) compareChecksum(address, found, options.checksum, remedy)
    await writing(target, () => replace(temporary, target))
    return found
  } catch (error) {
    await discard(temporary)
    throw error
  }
}

/** The text of a small file, such as a checksum: its first `limit` bytes, default 4,096. Fails like `download`. */
export async function downloadText(
  address: string,
  options: DownloadOptions = {},
  limit = 4096,
): Promise<string> {
  const remedy = options.remedy ?? `Download ${address} by other means.`
  let text = Buffer.alloc(0)
  const connection = new Connection(options)
  try {
    const response = await connection.open(address)
    refuseStatus(address, response, remedy)
    for await (const piece of connection.pieces(response)) {
      text = Buffer.concat([text, piece])
      if (text.length >= limit) break
    }
  } catch (error) {
    throw connection.explain(error, address, remedy)
  } finally {
    connection.end()
  }
  return text.toString('utf8', 0, limit)
}

/** Receives the whole body into the file, over several connections if needed. */
async function receive(
  address: string,
  file: FileHandle,
  name: string,
  options: DownloadOptions & { remedy: string },
): Promise<Fingerprint> {
  const report = paced(options.progress, 'downloading')
  let fingerprinter = new Fingerprinter()
  let head = Buffer.alloc(0)
  let total: number | undefined
  let validator: string | undefined
  for (let attempt = 1; ; attempt++) {
    const before = fingerprinter.bytes
    const connection = new Connection(options)
    try {
      const response = await connection.open(
        address,
        before > 0 ? { range: `bytes=${before}-`, 'if-range': validator! } : {},
      )
      refuseStatus(address, response, options.remedy)
      if (response.headers.get('content-type')?.startsWith('text/html'))
        throw notZip(address, 'a web page', options.remedy)
      if (response.status !== 206 || rangeStart(response) !== before) {
        if (response.status === 206)
          throw new Error(`the server did not send the part from byte ${before} on`)
        fingerprinter = new Fingerprinter()
        head = Buffer.alloc(0)
        await writing(name, () => file.truncate(0))
        total = contentLength(response)
        validator = strongValidator(response)
        if (total !== undefined) await requireSpace(path.dirname(name), total)
      }
      for await (const piece of connection.pieces(response)) {
        if (head.length < 4) head = Buffer.concat([head, piece.subarray(0, 4)])
        await writing(name, () => writeWhole(file, piece, fingerprinter.bytes))
        fingerprinter.add(piece)
        report(fingerprinter.bytes, total)
      }
      if (total !== undefined && fingerprinter.bytes !== total) throw new Error('the connection was lost')
      break
    } catch (error) {
      const again =
        attempt < connections &&
        fingerprinter.bytes > before &&
        validator !== undefined &&
        connection.lost(error)
      const came =
        total === undefined
          ? ''
          : ` (${formatCount(fingerprinter.bytes)} of ${formatCount(total)} bytes arrived)`
      if (!again) throw connection.explain(error, address, options.remedy, came)
    } finally {
      connection.end()
    }
  }
  if (head.toString('latin1', 0, 2) !== 'PK') {
    const instead = head.length === 0 ? 'an empty file' : head[0] === 0x3c ? 'a web page' : 'something else'
    throw notZip(address, instead, options.remedy)
  }
  return fingerprinter.finish()
}

/** One request, which ends on the user's signal or when no byte arrives for too long. */
class Connection {
  readonly #controller = new AbortController()
  readonly #signal: AbortSignal | undefined
  readonly #idle: number
  readonly #stop = () => this.#controller.abort(this.#signal?.reason)

  constructor(options: DownloadOptions) {
    throwIfAborted(options.signal)
    this.#signal = options.signal
    this.#idle = options.idleTimeout ?? 30_000
    this.#signal?.addEventListener('abort', this.#stop)
  }

  async open(address: string, headers: Record<string, string> = {}): Promise<Response> {
    // An encoded body would differ from the file in length and ranges.
    return this.#orStall(
      fetch(address, {
        headers: { 'accept-encoding': 'identity', ...headers },
        signal: this.#controller.signal,
      }),
    )
  }

  async *pieces(response: Response): AsyncGenerator<Uint8Array> {
    const reader = response.body?.getReader()
    while (reader) {
      const { done, value } = await this.#orStall(reader.read())
      if (done) return
      yield value
    }
  }

  /** Whether an error comes from the network, not from the server's answer or the user. */
  lost(error: unknown): boolean {
    return !(error instanceof HindcastError) && !this.#signal?.aborted
  }

  /** The error to show for one that occurred while this connection was in use. */
  explain(error: unknown, address: string, remedy: string, came = ''): unknown {
    throwIfAborted(this.#signal)
    if (error instanceof HindcastError) return error
    const message = `${address} could not be downloaded: ${inWords(error, address)}${came}.`
    return new HindcastError('data-unavailable', message, { remedy, cause: error })
  }

  end(): void {
    this.#signal?.removeEventListener('abort', this.#stop)
    this.#controller.abort()
  }

  async #orStall<T>(step: Promise<T>): Promise<T> {
    // Only waiting for the network is timed, so that a slow disk does not look like a lost connection.
    const stalled = new Error(`no data arrived for ${this.#idle / 1000} s`)
    const timer = setTimeout(() => this.#controller.abort(stalled), this.#idle)
    try {
      return await step
    } catch (error) {
      throw this.#controller.signal.reason === stalled ? stalled : error
    } finally {
      clearTimeout(timer)
    }
  }
}

function refuseStatus(address: string, response: Response, remedy: string): void {
  if (response.ok) return
  const status = `${response.status} ${response.statusText}`.trim()
  throw new HindcastError(
    'data-unavailable',
    `${address} could not be downloaded: the server answered ${status}.`,
    {
      remedy,
    },
  )
}

function notZip(address: string, instead: string, remedy: string): HindcastError {
  const message = `${address} returned ${instead}; a zip archive was expected.`
  return new HindcastError('data-unavailable', message, { remedy })
}

function contentLength(response: Response): number | undefined {
  const length = response.headers.get('content-length')
  const encoding = response.headers.get('content-encoding') ?? 'identity'
  return length !== null && encoding === 'identity' ? Number(length) : undefined
}

function rangeStart(response: Response): number | undefined {
  const start = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '')?.[1]
  return start === undefined ? undefined : Number(start)
}

/** What proves that two responses are parts of the same file; weak entity tags do not. */
function strongValidator(response: Response): string | undefined {
  const tag = response.headers.get('etag')
  return tag !== null && !tag.startsWith('W/') ? tag : (response.headers.get('last-modified') ?? undefined)
}

async function writeWhole(file: FileHandle, piece: Uint8Array, position: number): Promise<void> {
  let written = 0
  while (written < piece.length)
    written += (await file.write(piece, written, piece.length - written, position + written)).bytesWritten
}

async function replace(temporary: string, target: string): Promise<void> {
  try {
    await rename(temporary, target)
  } catch (error) {
    // Windows does not rename over a file in use: another download of the same archive came first.
    if (!(await exists(target))) throw error
    await discard(temporary)
  }
}

async function writing<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw writeFailed(file, error)
  }
}

function inWords(error: unknown, address: string): string {
  const cause = (error as Error).cause as NodeJS.ErrnoException | undefined
  const host = URL.canParse(address) ? new URL(address).host : address
  switch (cause?.code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the name ${host} could not be resolved; this machine may be offline`
    case 'ECONNREFUSED':
      return `${host} refused the connection`
    case 'ENETUNREACH':
    case 'EHOSTUNREACH':
      return `${host} cannot be reached; this machine may be offline`
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return `${host} did not answer in time`
    case 'ECONNRESET':
    case 'UND_ERR_SOCKET':
      return 'the connection was lost'
    default:
      return cause?.message || (error as Error).message || String(error)
  }
}
