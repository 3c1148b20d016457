import { HindcastError } from '$core/error.js'
import type { BadCell } from '$core/log/bad-rows.js'
import type { Progress } from '$core/progress.js'
import { asControls } from './control-words.js'

/** What went wrong, in the words shown to a person, whether in a worker or here. */
export interface Problem {
  readonly code?: string
  readonly message: string
  readonly remedy?: string
  /** The cells of a file that break a rule, with their lines. */
  readonly cells?: readonly BadCell[]
}

/** A problem on its way through the page. */
class ProblemError extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.message)
    this.problem = problem
  }
}

/** How work in a worker is followed and cancelled. */
export interface Watch {
  progress?: (progress: Progress) => void
  signal?: AbortSignal
}

/** The functions of a worker: one argument each, and a watch. */
export type Service = Readonly<Record<string, (argument: never, watch: Watch) => unknown>>

/** A service as the page sees it. */
export type Calls<S extends Service> = {
  readonly [Name in keyof S]: (
    argument: Parameters<S[Name]>[0],
    watch?: Watch,
    transfer?: Transferable[],
  ) => Promise<Awaited<ReturnType<S[Name]>>>
}

interface Question {
  readonly id: number
  readonly name?: string
  readonly argument?: unknown
  /** Ends the call of this id. */
  readonly abort?: true
}

interface Answer {
  readonly id: number
  readonly progress?: Progress
  readonly problem?: Problem
  readonly result?: unknown
}

/** A call that has no answer yet. */
export interface Waiting {
  resolve(result: unknown): void
  reject(error: Error): void
  readonly watch: Watch
}

/** The service behind a worker: each call resolves, rejects with a `ProblemError`, or is cancelled by its signal. `waiting` is to hold the calls without an answer. */
export function callWorker<S extends Service>(
  worker: Worker,
  waiting: Map<number, Waiting> = new Map<number, Waiting>(),
): Calls<S> {
  let last = 0
  worker.onmessage = ({ data }: MessageEvent<Answer>) => {
    const call = waiting.get(data.id)
    if (!call) return
    if (data.progress) return call.watch.progress?.(data.progress)
    waiting.delete(data.id)
    if (data.problem) call.reject(new ProblemError(data.problem))
    else call.resolve(data.result)
  }
  worker.onerror = (event) => {
    const problem = {
      message: event.message || 'A background worker of this page could not start.',
      remedy: 'Reload the page.',
    }
    for (const { reject } of waiting.values()) reject(new ProblemError(problem))
    waiting.clear()
  }
  const call = (
    name: string,
    argument: unknown,
    watch: Watch = {},
    transfer: Transferable[] = [],
  ): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = ++last
      waiting.set(id, { resolve, reject, watch })
      watch.signal?.addEventListener('abort', () =>
        worker.postMessage({ id, abort: true } satisfies Question),
      )
      worker.postMessage({ id, name, argument } satisfies Question, transfer)
    })
  return new Proxy({} as Calls<S>, {
    get: (_, name) => (argument: unknown, watch?: Watch, transfer?: Transferable[]) =>
      call(String(name), argument, watch, transfer),
  })
}

/** Progress is reported at most this often, in milliseconds. */
const REPORT_EVERY = 50

/** Answers calls in a worker. */
export function serve(service: Service): void {
  const running = new Map<number, AbortController>()
  const say = (answer: Answer): void => postMessage(answer)
  onmessage = async ({ data: { id, name, argument, abort } }: MessageEvent<Question>) => {
    if (abort) return running.get(id)?.abort()
    const controller = new AbortController()
    running.set(id, controller)
    let reported = 0
    const progress = (progress: Progress): void => {
      const now = performance.now()
      if (now - reported < REPORT_EVERY) return
      reported = now
      say({ id, progress })
    }
    try {
      const result = await service[name!]!(argument as never, { progress, signal: controller.signal })
      say({ id, result })
    } catch (error) {
      say({ id, problem: problemOf(error) })
    } finally {
      running.delete(id)
    }
  }
}

/** An error in the words shown to a person: settings are named by the page's controls. */
export function problemOf(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem
  if (!(error instanceof HindcastError))
    return { message: (error as Partial<Error> | undefined)?.message ?? String(error) }
  const { code, cells } = error as HindcastError & Pick<Problem, 'cells'>
  return { code, ...error.worded(asControls), ...(cells && { cells }) }
}
