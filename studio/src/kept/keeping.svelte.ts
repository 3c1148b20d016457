import { untrack } from 'svelte'
import { problemOf } from '../desk/call.js'
import type { OpenedLog } from '../desk/open-log.js'
import { counted } from '$core/number-text.js'
import { logPartOf, readLink } from '../link.js'
import { linkNow, takeLink } from '../linked.svelte.js'
import { models } from '../models.svelte.js'
import { desk, whenQuiet } from '../desks.js'
import { followLog, haveAtHand, logLink, printOf, session } from '../session.svelte.js'
import type { KeptModel, KeptSession } from './kept-session.js'
import { notes, takeNotes } from './notes.svelte.js'
import { pending } from './pending.svelte.js'
import { keptPolicies, namedPolicies, returnPolicies } from './policy-files.svelte.js'
import {
  storeBulk,
  storedBulk,
  type StoredSession,
  storedSessions,
  storeFile,
  storeSession,
} from './store.js'
import { tabName } from './tab-name.js'

/** The log whose session is complete: from then on changes are kept. */
let complete: OpenedLog | undefined = $state.raw()
/** A session is kept this long after its last change, in milliseconds. */
const PAUSE = 400
/** What is to be kept once nothing changes for a while. */
let waiting: StoredSession | undefined
let timer: ReturnType<typeof setTimeout> | undefined
let writing: Promise<void> = Promise.resolve()
/** The fingerprint of the file that was open before. */
let lastPrint = ''

const keyOf = (): string => `${tabName()} ${logPartOf(linkNow())}`

/** Takes back what was done with a log when it is opened, and keeps what is done with it from then on. */
export function keepSessions(): void {
  $effect(() => {
    const { log } = session
    untrack(() => void arriveAt(log))
  })
  $effect(() => {
    if (!complete || complete !== session.log) return
    const link = linkNow()
    const prints = [logLink.print, logLink.outcomesPrint].filter((print) => print !== '')
    keepSoon({
      link,
      notes: $state.snapshot(notes),
      key: keyOf(),
      log: logPartOf(link),
      name: complete.name,
      prints,
      when: Date.now(),
    })
  })
  // Settings change with every step of a slider; what is large is written only when a model or a policy comes or goes.
  const key = $derived(keyOf())
  const policies = $derived(namedPolicies(linkNow()).join(' '))
  $effect(() => {
    void [models.list, policies]
    const at = key
    if (complete && complete === session.log) untrack(() => void keepBulk(at))
  })
  $effect(() => {
    const leave = (): void => void keepNow()
    addEventListener('pagehide', leave)
    return () => removeEventListener('pagehide', leave)
  })
}

function keepSoon(stored: StoredSession): void {
  if (waiting && waiting.key !== stored.key) void keepNow()
  waiting = stored
  clearTimeout(timer)
  timer = setTimeout(() => void keepNow(), PAUSE)
}

/** Keeps at once what is to be kept; resolves when it is. */
export async function keepNow(): Promise<void> {
  clearTimeout(timer)
  const stored = waiting
  waiting = undefined
  // A browser that keeps nothing is no reason to disturb anybody.
  if (stored) writing = storeSession(stored).catch(() => {})
  await writing
}

async function keepBulk(key: string): Promise<void> {
  try {
    const [models, policies] = await Promise.all([trainedModels(), keptPolicies(linkNow())])
    await storeBulk(key, { models, policies })
  } catch {
    // A browser that keeps nothing, or a file that is gone, is no reason to disturb anybody.
  }
}

/** The models that were trained here; without any, what trains them need not be loaded. */
const trainedModels = async (): Promise<KeptModel[]> =>
  models.list.length === 0 ? [] : (await import('../train/runs.svelte.js')).keptModels()

async function arriveAt(log: OpenedLog | undefined): Promise<void> {
  void keepNow()
  // A file that is read in another way keeps its notes.
  const isAgain = logLink.print !== '' && logLink.print === lastPrint
  if (!isAgain) takeNotes({})
  lastPrint = logLink.print
  if (!log) return
  const given = takePending() ?? (await storedFor())
  if (session.log !== log) return
  if (given) {
    takeNotes(given.notes)
    returnPolicies(given.policies)
    await returnModels(log, given.models)
  }
  if (session.log !== log) return
  complete = log
  if (log.source.kind !== 'file') return
  // The first answers come first.
  await whenQuiet()
  if (session.log === log) await keepFiles(log.source)
}

async function keepFiles({ file, outcomes }: Extract<OpenedLog['source'], { kind: 'file' }>): Promise<void> {
  for (const one of [file, outcomes && 'file' in outcomes ? outcomes.file : undefined])
    if (one) await storeFile(await printOf(one), one).catch(() => {})
}

type Given = Pick<KeptSession, 'notes' | 'models' | 'policies'>

/** The session from a file, as far as it is about the log that was opened. */
function takePending(): Given | undefined {
  const given = pending.session
  pending.session = undefined
  if (!given) return undefined
  const was = readLink(given.link).settings
  const isSame =
    logPartOf(given.link) === logPartOf(linkNow()) ||
    (logLink.print !== '' && was.get('log.print') === logLink.print)
  if (isSame) return given
  if (was.get('log.door') !== 'file' || logLink.door !== 'file') return undefined
  if (given.models.length > 0)
    session.notice = `${session.notice} ${counted(given.models.length, 'model')} of the session learned from the other file, and ${given.models.length === 1 ? 'is' : 'are'} not opened.`
  return { ...given, models: [] }
}

/** What this browser keeps about the log that was opened: of this tab, else the newest. */
async function storedFor(): Promise<Given | undefined> {
  const log = logPartOf(linkNow())
  const about = (await storedSessions()).filter((stored) => stored.log === log)
  const key = keyOf()
  const found = about.find((stored) => stored.key === key) ?? about[0]
  return found && { notes: found.notes, models: [], policies: [], ...(await storedBulk(found.key)) }
}

async function returnModels(log: OpenedLog, given: readonly KeptModel[]): Promise<void> {
  if (given.length === 0) return
  const { returnRun } = await import('../train/runs.svelte.js')
  for (const model of given) {
    if (session.log !== log) return
    try {
      await returnRun(model)
    } catch (error) {
      session.notice = `${session.notice} ${problemOf(error).message}`.trim()
    }
  }
}

/** Everything that a person has done with the open log, to be saved; with its rows if they say so. */
export async function sessionNow(withRows: boolean): Promise<KeptSession> {
  const source = session.log!.source
  const files = source.kind === 'file' ? [source.file, source.outcomes] : []
  return {
    link: linkNow(),
    notes: $state.snapshot(notes),
    models: await trainedModels(),
    policies: await keptPolicies(linkNow()),
    log: withRows
      ? files.flatMap((one) => (one instanceof File ? [one] : one && 'file' in one ? [one.file] : []))
      : [],
  }
}

/** Opens a session from its file: its log if the rows are in it or at hand, else the start page asks for them. */
export async function openSession(file: File): Promise<void> {
  pending.problem = undefined
  try {
    const given = await desk.unpackSession(file)
    for (const one of given.log) await haveAtHand(one)
    pending.session = given
    const before = session.log
    takeLink(given.link)
    await followLog()
    // Where the log was open already, nothing else takes it back.
    if (before && session.log === before) await arriveAt(before)
  } catch (error) {
    pending.session = undefined
    pending.problem = problemOf(error)
  }
}

/** Whether a file is a session, by its name. */
export const isSessionName = (name: string): boolean => /\.hindcast(\.zip)?$/i.test(name)
