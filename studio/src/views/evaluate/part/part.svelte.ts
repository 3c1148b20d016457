import type { OpenedLog } from '../../../desk/open-log.js'
import type { Part, PartBy } from '../../../desk/part.js'
import { linked } from '../../../linked.svelte.js'

/** The part of the log that is looked at, as links keep it, and how many were. */
export const askedPart = linked('part', { day: '', position: '', rank: '', looks: 0 } satisfies Record<
  PartBy,
  string
> & { looks: number })

/** Looks at the whole log again. */
export const wholeLog = (): void => void Object.assign(askedPart, { day: '', position: '', rank: '' })

/** The parts of a log whose numbers were shown, and how many were before a link or a reload. */
interface Looks {
  readonly before: number
  readonly parts: Set<string>
}

const lookedAt = new WeakMap<OpenedLog, Looks>()

/** How many looks a link counts; it may hold anything. */
const looksBefore = (): number =>
  Number.isSafeInteger(askedPart.looks) && askedPart.looks > 0 ? askedPart.looks : 0

/** Takes a part that a link leads to for one of those that it counts. */
export function returnToPart(log: OpenedLog, part: Part): void {
  if (part.length === 0 || looksBefore() === 0 || lookedAt.has(log)) return
  lookedAt.set(log, { before: looksBefore() - 1, parts: new Set([JSON.stringify(part)]) })
}

/** Counts a part whose numbers were shown; how many of this log were, each counted once. */
export function countLook(log: OpenedLog, part: Part): number {
  const known = lookedAt.get(log) ?? { before: looksBefore(), parts: new Set() }
  lookedAt.set(log, known)
  known.parts.add(JSON.stringify(part))
  return known.before + known.parts.size
}
