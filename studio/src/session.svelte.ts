import type { LocatedFinding } from '$core/doctor/finding.js'
import type { Progress } from '$core/progress.js'
import type { CheckedFile } from './desk/check-file.js'
import { type Problem, problemOf } from './desk/call.js'
import { fileFingerprint } from './desk/file-fingerprint.js'
import type { LogSource } from './desk/log-source.js'
import type { OpenedLog } from './desk/open-log.js'
import { clearNext, closeDesk, desk, leaveWork, nextDesk, turnToNext, whenQuiet } from './desks.js'
import { readingIn, readingText } from './kept/kept-reading.js'
import { storedFile } from './kept/store.js'
import { pending } from './kept/pending.svelte.js'
import { forgetSaidOfLog, leaveBehind, linked, place, show } from './linked.svelte.js'

const USUAL_SEED = 7

const NO_FILE = { file: '', print: '', reading: '', outcomes: '', outcomesPrint: '' }

/**
 * Which log is open, as a link stores it: a world by its name and seed; a file by its name and fingerprint, with how it is read
 * and the file with its outcomes, if it has one.
 */
export const logLink = linked('log', { door: '', ...NO_FILE, seed: USUAL_SEED, temperature: 1 })

/** The seed of the link, or the usual one where a link holds something else. */
export const seedAsked = (): number =>
  Number.isSafeInteger(logLink.seed) && logLink.seed >= 0 ? logLink.seed : USUAL_SEED

/** The log that is open or being opened. Stored raw: behind proxies, its numbers would be slow to draw. */
export const session = new (class {
  log: OpenedLog | undefined = $state.raw()
  opening: Progress | undefined = $state.raw()
  problem: Problem | undefined = $state.raw()
  /** What the doctor found in it, once that is known. */
  findings: readonly LocatedFinding[] | undefined = $state.raw()
  /** That it is not the file which a link or a session was made with. */
  notice = $state('')
})()

/** A log on its way. */
class Opening {
  cancel!: () => void
  readonly cancelled = new Promise<undefined>((resolve) => (this.cancel = () => resolve(undefined)))
}

let current: Opening | undefined
/** The open log, as links store it. */
let openLink = ''
/** Files that were open in this page, by fingerprint: whoever goes back finds them again. */
const seen = new Map<string, File>()
const MOST_SEEN = 6
const prints = new WeakMap<File, Promise<string>>()

/** Has a file at hand, by its fingerprint, for links that name it. */
export async function haveAtHand(file: File): Promise<void> {
  const print = await printOf(file)
  seen.delete(print)
  seen.set(print, file)
  for (const oldest of seen.keys()) if (seen.size > MOST_SEEN) seen.delete(oldest)
}

/** A file by its fingerprint: from this page, or from what the browser keeps. */
const atHand = async (print: string): Promise<File | undefined> =>
  seen.get(print) ?? (print === '' ? undefined : storedFile(print))

/** The fingerprint of a file, computed once. */
export function printOf(file: File): Promise<string> {
  const known = prints.get(file) ?? fileFingerprint(file)
  prints.set(file, known)
  return known
}

/**
 * How a log is opened: `isReturn` where the address already leads to it; with the view that it is looked at in; `onOpen` is
 * called with the log, before anything of it is shown.
 */
interface HowOpened {
  readonly isReturn?: boolean
  readonly view?: string
  readonly notice?: string
  readonly onOpen?: () => void
}

/** Opens a log in place of the one before; one that is being opened is cancelled. True once it is open. */
export async function openSource(
  source: LogSource,
  { isReturn = false, view, notice = '', onOpen }: HowOpened = {},
): Promise<boolean> {
  stopOpening()
  const own = (current = new Opening())
  leaveWork()
  session.problem = undefined
  pending.problem = undefined
  session.opening = { what: source.kind === 'file' ? 'reading' : 'drawing', done: 0, unit: 'rows' }
  try {
    const link = await linkOf(source)
    if (own !== current) return false
    const opened = nextDesk().open(source, {
      progress: (progress) => {
        if (own === current) session.opening = progress
      },
    })
    const log = await Promise.race([opened, own.cancelled])
    if (own !== current || !log) return false
    turnToNext(source)
    // Whoever opens a log can go back to where they were.
    if (!isReturn && place.view !== FILE_VIEW) leaveBehind()
    const isOther = link.door !== logLink.door || link.print !== logLink.print
    if (session.log && isOther && !isReturn) forgetSaidOfLog()
    if (view !== undefined) place.view = view
    session.log = log
    session.findings = undefined
    session.notice = notice
    Object.assign(logLink, link)
    openLink = JSON.stringify(logLink)
    onOpen?.()
    return true
  } catch (error) {
    if (own === current) session.problem = problemOf(error)
    return false
  } finally {
    if (own === current) [current, session.opening] = [undefined, undefined]
  }
}

/** The name of the place where a file is looked at before it is opened. */
export const FILE_VIEW = 'file'

async function linkOf(source: LogSource): Promise<Partial<typeof logLink>> {
  if (source.kind !== 'file')
    return {
      ...NO_FILE,
      door: source.kind,
      seed: source.seed,
      ...(source.kind === 'movielens' && { temperature: source.temperature }),
    }
  const { file, outcomes, reading } = source
  const second = outcomes && 'file' in outcomes ? outcomes.file : undefined
  const [print, outcomesPrint] = await Promise.all([printOf(file), second ? printOf(second) : ''])
  await haveAtHand(file)
  if (second) await haveAtHand(second)
  const kinds = outcomes && 'kinds' in outcomes ? outcomes.kinds : undefined
  return {
    door: 'file',
    file: file.name,
    print,
    reading: readingText({ reading, ...(kinds && { kinds }) }),
    outcomes: second?.name ?? '',
    outcomesPrint,
  }
}

/** The log that the link names, as far as it is at hand. */
async function linkedSource(): Promise<LogSource | undefined> {
  const { door, temperature, print, outcomesPrint } = logLink
  const seed = seedAsked()
  if (door === 'shop' || door === 'toy') return { kind: door, seed }
  if (door === 'movielens') return { kind: door, seed, temperature }
  if (door !== 'file') return undefined
  const kept = readingIn(logLink.reading)
  const [file, second] = await Promise.all([atHand(print), atHand(outcomesPrint)])
  if (!file || !kept || (outcomesPrint !== '' && !second)) return undefined
  const { reading, kinds } = kept
  const outcomes = second ? { file: second } : kinds ? { kinds } : undefined
  return { kind: 'file', file, reading, ...(outcomes && { outcomes }) }
}

/** Opens the log that the link names; where it is a file that is not at hand, the start page asks for it. */
export async function followLog(): Promise<void> {
  if (session.log && JSON.stringify(logLink) === openLink) return stopOpening()
  const wanted = JSON.stringify(logLink)
  const source = await linkedSource()
  if (JSON.stringify(logLink) !== wanted) return
  if (source && (await openSource(source, { isReturn: true }))) return hearDoctor()
  // Meanwhile another may have been opened.
  if (source && (session.opening || JSON.stringify(logLink) === openLink)) return
  leaveLog()
  if (logLink.door !== 'file') logLink.door = ''
}

/** Lets the doctor look at the open log, if it is a file and nobody knows yet what is wrong with it. */
export async function hearDoctor(known?: CheckedFile): Promise<void> {
  const { log } = session
  if (log?.source.kind !== 'file') return
  const { kind: _, ...asked } = log.source
  // The first answers come first.
  if (!known) await whenQuiet()
  if (session.log !== log) return
  const { diagnosis } = known ?? (await desk.check(asked).catch(() => ({ diagnosis: undefined })))
  if (session.log === log) session.findings = diagnosis?.findings
}

/** Cancels opening a log. */
export function stopOpening(): void {
  if (current) clearNext()
  current?.cancel()
  current = undefined
  session.opening = undefined
}

function leaveLog(): void {
  stopOpening()
  closeDesk()
  session.log = undefined
  session.findings = undefined
  session.notice = ''
}

/** Closes the log and returns to the start page. */
export function closeLog(): void {
  show('')
  leaveLog()
  forgetSaidOfLog()
  session.problem = undefined
  Object.assign(logLink, { door: '', ...NO_FILE })
}
