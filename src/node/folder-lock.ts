import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { link, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { HindcastError } from '../error.js'
import { writeFailed } from './write-atomically.js'

/** The file that says who works in a folder. */
export const LOCK_FILE = '.hindcast-lock'

/** Who holds a folder. */
interface Owner {
  readonly pid: number
  readonly host: string
  /** When the lock was taken, in ISO 8601. */
  readonly since: string
  /** This boot of the machine, and the namespace that its process numbers belong to; null where the system has none. */
  readonly boot: string | null
  readonly namespace: string | null
  /** When the process began, in the system's ticks since boot: numbers of processes are used again. */
  readonly began: string | null
  /** Tells this lock from all others. */
  readonly token: string
}

/** A lock whose file cannot be read as one is stale after this long: nobody is still writing it. */
const UNREADABLE_AFTER = 60_000

/**
 * Takes a folder for this process alone; the error names who has it. The lock of a process that has ended, or of an
 * earlier boot of this machine, is stale and replaced. One of another machine cannot be checked and stays.
 * Returns what releases it.
 */
export async function lockFolder(folder: string, what: string): Promise<() => Promise<void>> {
  const path = join(folder, LOCK_FILE)
  const owner: Owner = {
    pid: process.pid,
    host: hostname(),
    since: new Date().toISOString(),
    boot: bootOf(),
    namespace: namespaceOf(),
    began: beganOf(process.pid)?.began ?? null,
    token: randomUUID(),
  }
  while (!(await created(path, owner))) {
    const text = await readFile(path, 'utf8').catch(() => undefined)
    // Released in the meantime.
    if (text === undefined) continue
    const holder = parsed(text)
    if (holder ? !isStale(holder) : await isFresh(path)) throw inUse(folder, what, path, holder)
    await removeStale(path, text)
  }
  return async () => {
    const text = await readFile(path, 'utf8').catch(() => '')
    // One that cannot be removed is stale as soon as this process has ended; what went wrong before is what to tell.
    if (parsed(text)?.token === owner.token) await rm(path, { force: true }).catch(() => {})
  }
}

/** Works in a folder that this process has for itself, and releases it after that, however it ends. */
export async function whileLocked<Answer>(
  folder: string,
  what: string,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const release = await lockFolder(folder, what)
  try {
    return await work()
  } finally {
    await release()
  }
}

/** Creates the lock with its content in one step; false if there is one already. */
async function created(path: string, owner: Owner): Promise<boolean> {
  const text = `${JSON.stringify(owner)}\n`
  const temporary = `${path}.${owner.token}`
  try {
    await writeFile(temporary, text, { flag: 'wx' })
    await link(temporary, path)
    return true
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    // Some disks have no links.
    if (code === 'EPERM' || code === 'ENOTSUP' || code === 'ENOSYS') return createdInPlace(path, text)
    throw writeFailed(path, cause)
  } finally {
    await rm(temporary, { force: true }).catch(() => {})
  }
}

async function createdInPlace(path: string, text: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx')
    await file.writeFile(text).finally(() => file.close())
    return true
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw writeFailed(path, cause)
  }
}

/** Removes the very lock that was found stale: if another took its place meanwhile, that one is put back. */
async function removeStale(path: string, text: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`
  await rename(path, aside).catch(() => {})
  const moved = await readFile(aside, 'utf8').catch(() => undefined)
  if (moved !== undefined && moved !== text) await link(aside, path).catch(() => {})
  await rm(aside, { force: true })
}

function parsed(text: string): Owner | undefined {
  try {
    const owner = JSON.parse(text) as Partial<Owner> | null
    return typeof owner?.pid === 'number' && typeof owner.host === 'string' ? (owner as Owner) : undefined
  } catch {
    return undefined
  }
}

async function isFresh(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs < UNREADABLE_AFTER
}

/** Whether the holder has certainly ended. */
function isStale(holder: Owner): boolean {
  if (holder.host !== hostname()) return false
  if (holder.boot !== null && bootOf() !== null && holder.boot !== bootOf()) return true
  // Process numbers of another container mean nothing here.
  if (holder.namespace !== namespaceOf()) return false
  if (holder.pid === process.pid) return holder.began !== (beganOf(process.pid)?.began ?? null)
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
  const now = beganOf(holder.pid)
  return now !== undefined && (now.isDead || (holder.began !== null && holder.began !== now.began))
}

const bootOf = (): string | null => systemText('/proc/sys/kernel/random/boot_id')

function namespaceOf(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return null
  }
}

/** When a process began, and whether it has ended but still has a number; undefined where the system does not say. */
function beganOf(pid: number): { began: string; isDead: boolean } | undefined {
  // The second field is the program's name in parentheses, which may hold anything.
  const fields = systemText(`/proc/${pid}/stat`)
    ?.replace(/^.*\) /s, '')
    .split(' ')
  return fields && { began: fields[19]!, isDead: fields[0] === 'Z' || fields[0] === 'X' }
}

function systemText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return null
  }
}

function inUse(folder: string, what: string, path: string, holder: Owner | undefined): HindcastError {
  const who = holder ? `process ${holder.pid} on ${holder.host}, since ${holder.since}` : 'another process'
  const isElsewhere = holder && holder.host !== hostname()
  return new HindcastError('bad-option', `${folder} is in use by another ${what}: ${who}.`, {
    remedy: `Wait for it to end, or choose another folder.${isElsewhere || !holder ? ` If it has ended, delete ${path}.` : ''}`,
  })
}
