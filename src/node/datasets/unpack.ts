import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rmdir } from 'node:fs/promises'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createInflateRaw } from 'node:zlib'
import { HindcastError, throwIfAborted } from '../../error.js'
import type { ProgressListener } from '../../progress.js'
import { crc32, paced } from './checksum.js'
import { requireSpace, writeFailed } from './remedy.js'
import { discard, temporaryBeside } from './temporary.js'
import { type ZipEntry, zipEntries } from './zip-entries.js'

export interface UnpackOptions {
  /** A single top folder is stripped unless it has one of these names. */
  keep?: readonly string[]
  /** Called with `unpacking`, in bytes written. */
  progress?: ProgressListener | undefined
  signal?: AbortSignal | undefined
  /** Inspects the unpacked folder, or adds to it, before it gets its final name; if it throws, the folder is removed. */
  inspect?: (folder: string) => Promise<void>
}

/**
 * Unpacks a zip archive (zip64 too) into the folder `target`. The files go to a temporary folder beside it, which
 * is renamed once every file has the size and checksum that the archive gives for it, and removed otherwise. An
 * archive that is damaged, encrypted or has an entry outside its folder is a `bad-file` error, and nothing of it
 * stays. A folder `target` that is not empty is left unchanged.
 */
export async function unpack(archive: string, target: string, options: UnpackOptions = {}): Promise<void> {
  throwIfAborted(options.signal)
  const files = plan(archive, await entriesOf(archive), options.keep ?? [])
  const total = files.reduce((sum, file) => sum + file.entry.size, 0)
  const temporary = temporaryBeside(target)
  try {
    await mkdir(temporary, { recursive: true }).catch((error: unknown) => {
      throw writeFailed(temporary, error)
    })
    await requireSpace(temporary, total)
    const report = paced(options.progress, 'unpacking')
    let done = 0
    for (const file of files) {
      const before = done
      await unpackFile(archive, file, temporary, options.signal, (written) => report(before + written, total))
      done += file.entry.size
    }
    await options.inspect?.(temporary)
    throwIfAborted(options.signal)
    await settle(temporary, target)
  } catch (error) {
    await discard(temporary)
    throw error
  }
}

interface PlannedFile {
  entry: ZipEntry
  /** Path below the target, with forward slashes. */
  name: string
}

async function entriesOf(archive: string): Promise<ZipEntry[]> {
  try {
    return await zipEntries(archive)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw damaged(archive, error)
    throw new HindcastError('not-found', `${archive} could not be read: ${(error as Error).message}.`, {
      cause: error,
    })
  }
}

/** The files of the archive and their paths; checks every name before anything is written. */
function plan(archive: string, entries: readonly ZipEntry[], keep: readonly string[]): PlannedFile[] {
  const files: PlannedFile[] = []
  for (const entry of entries) {
    const { name } = entry
    if (leaves(name))
      throw badFile(archive, `has an entry '${name}' that would be written outside its folder`)
    if (name.endsWith('/') || name.startsWith('__MACOSX/')) continue
    if (entry.packing === 'unsupported')
      throw badFile(archive, `has an entry '${name}' that is encrypted or uses an unsupported compression`)
    files.push({ entry, name })
  }
  const top = files[0]?.name.split('/')[0]
  const strip =
    top !== undefined && !keep.includes(top) && files.every(({ name }) => name.startsWith(`${top}/`))
  return strip ? files.map(({ entry, name }) => ({ entry, name: name.slice(top.length + 1) })) : files
}

/** Whether a name leads out of the folder on any system, such as `C:name` on Windows. */
function leaves(name: string): boolean {
  return /^\.?$|^[a-z]:|^\/|\\|\0/i.test(name) || name.split('/').includes('..')
}

async function unpackFile(
  archive: string,
  { entry, name }: PlannedFile,
  folder: string,
  signal: AbortSignal | undefined,
  report: (written: number) => void,
): Promise<void> {
  const file = path.join(folder, name)
  let crc = 0
  let written = 0
  try {
    await mkdir(path.dirname(file), { recursive: true })
    const { start, end } = entry
    const packed = start < end ? createReadStream(archive, { start, end: end - 1 }) : []
    const check = async function* (pieces: AsyncIterable<Buffer>) {
      for await (const piece of pieces) {
        crc = crc32(piece, crc)
        written += piece.length
        // An entry larger than declared may never end.
        if (written > entry.size) throw new Error(`'${name}' is larger than declared`)
        report(written)
        yield piece
      }
    }
    const unpacked = entry.packing === 'deflated' ? createInflateRaw() : new PassThrough()
    const out = createWriteStream(file, { flags: 'wx' })
    await pipeline(packed, unpacked, check, out, signal ? { signal } : {})
  } catch (error) {
    throwIfAborted(signal)
    const { code, syscall } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw badFile(archive, `has two entries named '${name}'`)
    throw syscall === undefined || syscall === 'read' ? damaged(archive, error) : writeFailed(file, error)
  }
  if (written !== entry.size || crc !== entry.crc32)
    throw badFile(archive, `is damaged: the contents of '${name}' do not match their checksum`)
}

async function settle(temporary: string, target: string): Promise<void> {
  try {
    // Windows does not rename over a folder, not even an empty one.
    await rmdir(target).catch(() => {})
    await rename(temporary, target)
  } catch (error) {
    const others = await readdir(target).catch(() => [])
    if (others.length === 0) throw writeFailed(target, error)
    await discard(temporary)
  }
}

function damaged(archive: string, cause: unknown): HindcastError {
  return badFile(archive, `cannot be unpacked: ${(cause as Error).message}`, cause)
}

function badFile(archive: string, what: string, cause?: unknown): HindcastError {
  return new HindcastError('bad-file', `${archive} ${what}.`, {
    remedy: `Delete ${archive} and download it again from its publisher.`,
    cause,
  })
}
