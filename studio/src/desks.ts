import { callWorker, type Calls, type Waiting } from './desk/call.js'
import type { LogSource } from './desk/log-source.js'
import type { ChosenFile } from './desk/policy-files.js'
import type { Desk } from './desk/service.js'

type DeskCalls = Calls<Desk>

/** A worker that holds a log, or reads one. Each log has its own, so that it can be ended with all its work. */
class OneDesk {
  #worker: Worker | undefined
  #calls: DeskCalls | undefined
  /** Whether its program has been loaded. */
  #isThere = false
  readonly #waiting = new Map<number, Waiting>()
  /** The log that it holds. */
  source: LogSource | undefined
  /** Whether it holds what could not be read again. */
  hasModels = false

  /** The worker starts with the first question. */
  get calls(): DeskCalls {
    return (this.#calls ??= callWorker<Desk>(this.#start(), this.#waiting))
  }

  #start(): Worker {
    const worker = new Worker(new URL('./desk/desk.worker.ts', import.meta.url), { type: 'module' })
    // The first that it says is that it is there.
    worker.addEventListener('message', () => (this.#isThere = true), { once: true })
    return (this.#worker = worker)
  }

  get isIdle(): boolean {
    return this.#waiting.size === 0
  }

  /** Ends its work at once. What it was asked gets no answer: whoever asked is gone with its log. */
  end(): void {
    const worker = this.#worker
    this.#waiting.clear()
    // Until its program is loaded it does nothing, and browsers complain of programs that are not waited for.
    if (this.#isThere) worker?.terminate()
    else worker?.addEventListener('message', () => worker.terminate(), { once: true })
  }
}

let current = new OneDesk()
let next: OneDesk | undefined
/** The log that was open, while its desk is given up for the next one. */
let given: LogSource | undefined
/** Until the log that stays open after all is read again. */
let returning: Promise<unknown> | undefined
/** Policies from files, which outlive logs, by fingerprint. */
const policies = new Map<string, readonly ChosenFile[]>()

/** The desk of the log that is open. */
export const desk: DeskCalls = new Proxy({} as DeskCalls, {
  get:
    (_, name: keyof Desk) =>
    async (...question: Parameters<DeskCalls[keyof Desk]>) => {
      if (returning) await returning
      const of = current
      if (name === 'keepModel' || name === 'returnModel') of.hasModels = true
      const answer = await (of.calls[name] as (...asked: unknown[]) => Promise<unknown>)(...question)
      if (name === 'keepPolicy')
        policies.set((answer as { fingerprint: string }).fingerprint, question[0] as readonly ChosenFile[])
      if (name === 'forgetPolicy') policies.delete(question[0] as string)
      return answer
    },
})

/** Starts a desk for a log that is about to come: its program takes a moment to load. */
export const expectLog = (): void => void nextDesk()

/** The desk that reads the next log, beside the one that is open. */
export function nextDesk(): DeskCalls {
  // One that holds nothing and does nothing is as good as new.
  next ??= current.isIdle && !current.source && !returning ? current : new OneDesk()
  return next.calls
}

/** Ends what the next desk does, at once; a log whose desk was given up for it is read again. */
export function clearNext(): void {
  next?.end()
  if (next === current) current = new OneDesk()
  next = undefined
  if (given) returning = hold(given).finally(() => (returning = undefined))
  given = undefined
}

async function hold(source: LogSource): Promise<void> {
  current.source = source
  keepPolicies()
  await current.calls.open(source).catch(() => {})
}

/** Gives up what is being done with the open log, since another is being opened. */
export function leaveWork(): void {
  if (current.isIdle || current.hasModels || !current.source) return
  given = current.source
  current.end()
  current = new OneDesk()
}

/** Turns to the next desk, which has opened a log; the one before ends with all its work. */
export function turnToNext(source: LogSource): void {
  if (!next) return
  const before = current
  ;[current, next, given] = [next, undefined, undefined]
  current.source = source
  if (before === current) return
  before.end()
  keepPolicies()
}

/** The log that was open is closed: its desk ends with all its work. */
export function closeDesk(): void {
  if (!current.source) return
  current.end()
  current = new OneDesk()
}

function keepPolicies(): void {
  for (const files of policies.values()) void current.calls.keepPolicy(files)
}

/** A pause this long without a question, in milliseconds, is quiet. */
const QUIET = 150

/** Resolves once nothing was asked of the desk for a while: for work that nobody waits for. */
export async function whenQuiet(): Promise<void> {
  do await new Promise((resolve) => setTimeout(resolve, QUIET))
  while (!current.isIdle)
}
