import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { type OfferedLog, openOffered } from './offer-log.js'
import { isIP, isIPv6 } from 'node:net'
import { hostname } from 'node:os'
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { HindcastError } from '../../error.js'

/** What requests are answered from. */
export interface Answers {
  readonly files: ReadonlyMap<string, PageFile>
  readonly log: OfferedLog | undefined
  /** Which `Host` headers are accepted. */
  readonly isOwn: OwnHost
}

/**
 * Sent with every response. The first three isolate the page, which threads with shared memory require; the policy
 * lets it load from and connect to this server only. Charts have inline style attributes.
 */
const HEADERS: Readonly<Record<string, string>> = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self' 'unsafe-inline'",
    "worker-src 'self' blob:",
    "connect-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
}

/** Answers one request with a file of the page, the log, or a line that says why not. */
export async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { files, log, isOwn }: Answers,
): Promise<void> {
  for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value)
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD')
    return sendLine(request, response, 405, 'Only GET and HEAD are supported.')
  }
  // Another site's name that resolves to this machine (DNS rebinding) must not read the log.
  if (!isOwn(request.headers.host))
    return sendLine(request, response, 403, 'This server responds only under its own address.')
  // Compared verbatim: only the exact address of a file is served.
  const address = (request.url ?? '').split('?', 1)[0]!
  if (log && address === '/log') return sendLog(request, response, log)
  // The page comes with an empty log.json, for hosts that serve no log.
  if (log && address === '/log.json') return sendAboutLog(request, response, log)
  const file = files.get(address)
  if (file) return sendFile(request, response, file)
  return sendLine(request, response, 404, 'Not found.')
}

async function sendFile(request: IncomingMessage, response: ServerResponse, file: PageFile): Promise<void> {
  const encoding = file.isCompressible ? chosenEncoding(request.headers['accept-encoding']) : 'identity'
  const tag = `"${file.tag}${encoding === 'identity' ? '' : `-${encoding}`}"`
  response.setHeader('Content-Type', file.type)
  response.setHeader('ETag', tag)
  response.setHeader('Cache-Control', file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache')
  if (file.isCompressible) response.setHeader('Vary', 'Accept-Encoding')
  if (request.headers['if-none-match']?.split(/\s*,\s*/).includes(tag)) {
    response.writeHead(304).end()
    return
  }
  if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding)
  send(request, response, 200, await file.bytes(encoding))
}

/** The best encoding that a client accepts: `gzip, br;q=0` accepts gzip but not Brotli. */
function chosenEncoding(accepted = ''): Encoding {
  const taken = accepted
    .toLowerCase()
    .split(',')
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.split(';')[0]!.trim())
  return (['br', 'gzip'] as const).find((encoding) => taken.includes(encoding)) ?? 'identity'
}

async function sendAboutLog(
  request: IncomingMessage,
  response: ServerResponse,
  log: OfferedLog,
): Promise<void> {
  const file = await openOffered(log)
  if (!file) return sendLine(request, response, 404, 'The log no longer exists.')
  try {
    const { size } = await file.stat()
    response.setHeader('Content-Type', 'application/json; charset=utf-8')
    response.setHeader('Cache-Control', 'no-store')
    send(request, response, 200, Buffer.from(JSON.stringify({ name: log.name, bytes: size })))
  } finally {
    await file.close()
  }
}

async function sendLog(request: IncomingMessage, response: ServerResponse, log: OfferedLog): Promise<void> {
  const file = await openOffered(log)
  if (!file) return sendLine(request, response, 404, 'The log no longer exists.')
  try {
    const { size } = await file.stat()
    response.setHeader('Content-Type', 'application/octet-stream')
    response.setHeader('Cache-Control', 'no-store')
    response.writeHead(200, { 'Content-Length': size })
    // A log may grow while it is sent: no more than the announced length is sent.
    if (request.method === 'HEAD' || size === 0) response.end()
    else await pipeline(file.createReadStream({ start: 0, end: size - 1, highWaterMark: 1 << 18 }), response)
  } finally {
    await file.close()
  }
}

function sendLine(request: IncomingMessage, response: ServerResponse, status: number, line: string): void {
  response.setHeader('Content-Type', 'text/plain; charset=utf-8')
  response.setHeader('Cache-Control', 'no-store')
  send(request, response, status, Buffer.from(`${line}\n`))
}

function send(request: IncomingMessage, response: ServerResponse, status: number, bytes: Uint8Array): void {
  response.writeHead(status, { 'Content-Length': bytes.length })
  response.end(request.method === 'HEAD' ? undefined : bytes)
}

/** Whether a `Host` header names this server. */
export type OwnHost = (header: string | undefined) => boolean

/** True if only this machine can reach a server that listens on this address. */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host)

/** An address as it stands in a URL. */
export const urlHost = (host: string): string => (isIPv6(host) ? `[${host}]` : host)

/**
 * The names under which a server responds. Another site's name that resolves to this machine (DNS rebinding) must
 * not read the log. A server for this machine responds to its own names with its own port. One for others also
 * responds to bare addresses, which no other site can have as its name, and to the names of the machine.
 */
export const ownHost = (host: string, port: number): OwnHost =>
  isLoopback(host) ? localHost(host, port) : reachableHost(host)

function localHost(host: string, port: number): OwnHost {
  const names = ['localhost', '127.0.0.1', '[::1]', urlHost(host.toLowerCase())]
  const own = new Set(names.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`])))
  return (header) => own.has(header?.toLowerCase() ?? '')
}

function reachableHost(host: string): OwnHost {
  const machine = hostname().toLowerCase()
  const [first = machine] = machine.split('.')
  const own = new Set(['localhost', host.toLowerCase(), machine, first, `${first}.local`])
  return (header = '') => {
    // The port may be another where it is forwarded.
    const name = header.toLowerCase().replace(/:\d*$/, '')
    return own.has(name) || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0
  }
}

/** The encodings a file can be sent in. */
type Encoding = 'br' | 'gzip' | 'identity'

/** A file of the page, ready to be sent. */
interface PageFile {
  readonly type: string
  /** The entity tag: changes with the content. */
  readonly tag: string
  /** True when the name changes with the content, so that the file may be cached forever. */
  readonly isImmutable: boolean
  /** False if it is already compressed. */
  readonly isCompressible: boolean
  /** The bytes in an encoding, compressed on first use. */
  bytes(encoding: Encoding): Promise<Uint8Array>
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.wasm': 'application/wasm',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
}
const COMPRESSED = new Set(['.png', '.gz'])
/** Names in `assets/` end with eight characters of a hash of the content. */
const HASHED = /^\/assets\/.*-[\w-]{8}\.\w+$/

/**
 * Reads the built page: every file of its folder under the path of its address. Files outside this map are never
 * opened. Links are skipped, because they may lead elsewhere.
 */
export async function readPageFiles(folder: string): Promise<ReadonlyMap<string, PageFile>> {
  const files = new Map<string, PageFile>()
  await addFiles(files, folder, '/').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT') throw cause
  })
  const index = files.get('/index.html')
  if (!index)
    throw new HindcastError('not-found', 'The studio has not been built.', {
      remedy: 'Run: npm run build',
    })
  return files.set('/', index)
}

async function addFiles(files: Map<string, PageFile>, folder: string, address: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    const place = address + encodeURIComponent(entry.name)
    if (entry.isDirectory()) await addFiles(files, path, `${place}/`)
    else if (entry.isFile()) files.set(place, pageFile(place, await readFile(path)))
  }
}

function pageFile(address: string, content: Uint8Array): PageFile {
  const extension = extname(address).toLowerCase()
  const kept = new Map<Encoding, Promise<Uint8Array>>()
  return {
    type: TYPES[extension] ?? 'application/octet-stream',
    tag: createHash('sha256').update(content).digest('base64url').slice(0, 22),
    isImmutable: HASHED.test(address),
    isCompressible: !COMPRESSED.has(extension),
    bytes(encoding) {
      const bytes = kept.get(encoding) ?? encoded(content, encoding)
      kept.set(encoding, bytes)
      return bytes
    },
  }
}

async function encoded(content: Uint8Array, encoding: Encoding): Promise<Uint8Array> {
  if (encoding === 'gzip') return promisify(gzip)(content)
  // The highest quality takes seconds to save another percent.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
  return encoding === 'br' ? promisify(brotliCompress)(content, { params }) : content
}
