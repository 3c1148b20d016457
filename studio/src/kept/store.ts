import type { KeptSession } from './kept-session.js'

/** A session as this browser keeps it, without what is large; the files of its log are kept once, by fingerprint. */
export interface StoredSession extends Pick<KeptSession, 'link' | 'notes'> {
  /** The tab and the log: two tabs with one log do not overwrite each other. */
  readonly key: string
  /** The log, as links name it. */
  readonly log: string
  /** What a person calls the log. */
  readonly name: string
  /** The fingerprints of its files. */
  readonly prints: readonly string[]
  /** When it was kept, in milliseconds. */
  readonly when: number
}

/** What is large in a session, written only when it changes. */
export type StoredBulk = Pick<KeptSession, 'models' | 'policies'>

interface StoredFile {
  readonly print: string
  readonly file: File
}

/** So many sessions are kept; the oldest go first. */
const MOST_SESSIONS = 8

let opened: Promise<IDBDatabase> | undefined

/** The database of this browser; rejects where it grants none. */
function database(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('hindcast-studio', 1)
    request.onupgradeneeded = () => {
      request.result.createObjectStore('sessions', { keyPath: 'key' })
      request.result.createObjectStore('bulk')
      request.result.createObjectStore('files', { keyPath: 'print' })
    }
    request.onsuccess = () => resolve(request.result)
    request.onerror = () =>
      reject(request.error ?? new Error('This browser does not store anything for this page.'))
    request.onblocked = () => reject(new Error('Another tab holds what this browser stores.'))
  })
  return opened
}

async function ask<Found>(
  store: 'sessions' | 'bulk' | 'files',
  mode: IDBTransactionMode,
  make: (of: IDBObjectStore) => IDBRequest,
): Promise<Found> {
  const transaction = (await database()).transaction(store, mode)
  const request = make(transaction.objectStore(store))
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(request.result as Found)
    transaction.onabort = () =>
      reject(transaction.error ?? new Error('This browser stores no more for this page.'))
  })
}

/** Sessions that are kept, newest first; none where the browser keeps nothing. */
export const storedSessions = async (): Promise<StoredSession[]> => {
  try {
    const all = await ask<StoredSession[]>('sessions', 'readonly', (store) => store.getAll())
    return all.toSorted((a, b) => b.when - a.when)
  } catch {
    return []
  }
}

/** The models and policies of a session that is kept. */
export const storedBulk = (key: string): Promise<StoredBulk | undefined> =>
  ask<StoredBulk | undefined>('bulk', 'readonly', (store) => store.get(key)).catch(() => undefined)

/** A file that is kept. */
export async function storedFile(print: string): Promise<File | undefined> {
  if (print === '') return undefined
  try {
    return (await ask<StoredFile | undefined>('files', 'readonly', (store) => store.get(print)))?.file
  } catch {
    return undefined
  }
}

/** Keeps a session in place of the one of the same tab and log, and forgets the oldest; the files that it needs stay. */
export async function storeSession(session: StoredSession): Promise<void> {
  await ask('sessions', 'readwrite', (store) => store.put(session))
  const all = await storedSessions()
  for (const { key } of all.slice(MOST_SESSIONS)) {
    await ask('sessions', 'readwrite', (store) => store.delete(key))
    await ask('bulk', 'readwrite', (store) => store.delete(key))
  }
  const needed = new Set(all.slice(0, MOST_SESSIONS).flatMap(({ prints }) => prints))
  for (const print of await ask<string[]>('files', 'readonly', (store) => store.getAllKeys()))
    if (!needed.has(print)) await ask('files', 'readwrite', (store) => store.delete(print))
}

export const storeBulk = (key: string, bulk: StoredBulk): Promise<void> =>
  ask('bulk', 'readwrite', (store) => store.put(bulk, key))

/** Keeps a file if the browser grants the space: at most half of what is left. */
export async function storeFile(print: string, file: File): Promise<void> {
  const known = await ask<unknown>('files', 'readonly', (store) => store.getKey(print))
  if (known !== undefined) return
  const { quota = 0, usage = 0 } = await navigator.storage.estimate()
  if (file.size > (quota - usage) / 2) return
  await ask('files', 'readwrite', (store) => store.put({ print, file } satisfies StoredFile))
}

/** Forgets everything that this browser keeps. */
export async function forgetStored(): Promise<void> {
  await ask('sessions', 'readwrite', (store) => store.clear())
  await ask('bulk', 'readwrite', (store) => store.clear())
  await ask('files', 'readwrite', (store) => store.clear())
}
