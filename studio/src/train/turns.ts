/** What a run uses of the machine. */
export interface Turn {
  readonly isWaiting: boolean
  readonly isBusy: boolean
  readonly threads: number
}

/** The threads that runs may take together: one core stays free for the page. */
const mostThreads = (cores: number): number => Math.max(1, cores - 1)

/**
 * Which waiting runs may begin now, as places in the list. They begin in order, as many as fit on all cores but
 * one; where nothing runs, the first may begin whatever it needs.
 */
export function nextTurns(runs: readonly Turn[], cores: number): number[] {
  let taken = runs.reduce((sum, { isBusy, threads }) => sum + (isBusy ? threads : 0), 0)
  const next: number[] = []
  for (const [place, { isWaiting, threads }] of runs.entries()) {
    if (!isWaiting) continue
    if (taken > 0 && taken + threads > mostThreads(cores)) break
    taken += threads
    next.push(place)
  }
  return next
}

/** The default number of threads of a run: half of the cores, so that another can run beside it; one where memory cannot be shared. */
export const usualThreads = (cores: number, isIsolated: boolean): number =>
  isIsolated ? Math.max(1, Math.min(4, Math.floor(cores / 2))) : 1
