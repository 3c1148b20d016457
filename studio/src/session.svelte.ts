import type { LocatedFinding } from '$core/doctor/diagnosis.js'
import type { Progress } from '$core/progress.js'
import { callWorker, type Calls, type Problem, problemOf } from './desk/call.js'
import type { LogSource } from './desk/log-source.js'
import type { OpenedLog } from './desk/open-log.js'
import type { Desk } from './desk/service.js'
import { linked } from './linked.svelte.js'

/** The worker that holds the log. */
export const desk: Calls<Desk> = callWorker<Desk>(
  new Worker(new URL('./desk/desk.worker.ts', import.meta.url), { type: 'module' }),
)

const USUAL_SEED = 7

/** Which log is open, as a link stores it: a world by its name, a file by its name alone. */
export const logLink = linked('log', { door: '', file: '', seed: USUAL_SEED, temperature: 1 })

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
})()

let current: AbortController | undefined

/** Opens a log in place of the one before; one that is being opened is cancelled. True once it is open. */
export async function openSource(source: LogSource): Promise<boolean> {
  current?.abort()
  const own = (current = new AbortController())
  session.problem = undefined
  session.opening = { what: source.kind === 'file' ? 'reading' : 'drawing', done: 0, unit: 'rows' }
  try {
    const log = await desk.open(source, {
      signal: own.signal,
      progress: (progress) => {
        if (own === current) session.opening = progress
      },
    })
    if (own !== current) return false
    session.log = log
    session.findings = undefined
    Object.assign(
      logLink,
      source.kind === 'file'
        ? { door: 'file', file: source.file.name }
        : {
            file: '',
            door: source.kind,
            seed: source.seed,
            ...(source.kind === 'movielens' && { temperature: source.temperature }),
          },
    )
    return true
  } catch (error) {
    if (own === current && !own.signal.aborted) session.problem = problemOf(error)
    return false
  } finally {
    if (own === current) session.opening = undefined
  }
}

/** Cancels opening a log. */
export function stopOpening(): void {
  current?.abort()
  current = undefined
  session.opening = undefined
}

/** Closes the log and returns to the start page. */
export function closeLog(): void {
  stopOpening()
  session.log = undefined
  session.findings = undefined
  session.problem = undefined
  Object.assign(logLink, { door: '', file: '' })
}
