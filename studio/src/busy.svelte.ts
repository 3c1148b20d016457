import { untrack } from 'svelte'

/** Work in progress. */
interface Work {
  /** "Training 2 runs" */
  readonly text: string
  /** Whether it ends with the log that is open. */
  readonly isOfLog: boolean
}

let works: ReadonlyMap<string, Work> = $state.raw(new Map())

/** What is in progress, whatever view is open: the header and the title say so, and whoever leaves is asked. */
export const busy = {
  get text(): string {
    return [...works.values()].map(({ text }) => text).join('; ')
  },
  get isAny(): boolean {
    return works.size > 0
  },
  /** Whether something ends with the log that is open. */
  get isOfLog(): boolean {
    return [...works.values()].some(({ isOfLog }) => isOfLog)
  },
}

/** Says what a kind of work is doing; nothing once it is done. */
export function setBusy(kind: string, work: Work | undefined): void {
  // Whoever says so in an effect does not follow what else is in progress.
  const before = untrack(() => works)
  const others = [...before].filter(([other]) => other !== kind)
  if (work || others.length < before.size) works = new Map(work ? [...others, [kind, work]] : others)
}

/** Work that nobody need hear of if it is done sooner, in milliseconds. */
const SOON = 1000
const timers = new Map<string, ReturnType<typeof setTimeout>>()

/** Says so if a kind of work takes long; nothing once it is done. */
export function setBusyIfLong(kind: string, work: Work | undefined): void {
  if (!work) {
    clearTimeout(timers.get(kind))
    timers.delete(kind)
    setBusy(kind, undefined)
  } else if (!timers.has(kind))
    timers.set(
      kind,
      setTimeout(() => setBusy(kind, work), SOON),
    )
}

let waiting: (() => void) | undefined = $state.raw()

/** The question whether to leave, which ends what is in progress. */
export const leaving = {
  get isAsked(): boolean {
    return waiting !== undefined
  },
  leave(): void {
    const then = waiting
    waiting = undefined
    then?.()
  },
  stay(): void {
    waiting = undefined
  },
}

/** Does what ends the work on the log: at once where there is none, else once a person has said so. */
export function askBefore(then: () => void): void {
  if (busy.isOfLog) waiting = then
  else then()
}
