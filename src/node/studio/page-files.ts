import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { HindcastError } from '../../error.js'

/** The encodings a file can be sent in. */
export type Encoding = 'br' | 'gzip' | 'identity'

/** A file of the page, ready to be sent. */
export interface PageFile {
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
