import { throwIfAborted } from '../error.js'
import type { SolverOptions } from '../kernels/solvers/solver-machine.js'
import type { ProgressListener } from '../progress.js'

/** Who is told of the progress of long work, and what may stop it. */
export interface WorkOptions {
  progress?: ProgressListener
  signal?: AbortSignal
  /** The threads that solve large systems; default one. */
  solver?: SolverOptions
}

/** The same without the signal: for what is done whether or not it was interrupted, such as judging a model that is to be saved. */
export const toTheEnd = ({ progress, solver }: WorkOptions): WorkOptions => ({
  ...(progress && { progress }),
  ...(solver && { solver }),
})

const SLICE = 50

/**
 * A pause to call between two pieces of work. Every 50 ms it lets other work run, such as the Ctrl-C that
 * aborts the signal; an aborted signal ends the work with an `interrupted` error.
 */
export function pauses(signal?: AbortSignal): () => Promise<void> | undefined {
  let last = performance.now()
  return () => {
    throwIfAborted(signal)
    if (performance.now() - last < SLICE) return undefined
    return new Promise((resolve) => setTimeout(resolve)).then(() => {
      last = performance.now()
      throwIfAborted(signal)
    })
  }
}
