import type { OpenedLog } from '../../../desk/open-log.js'
import type { Part, PartBy } from '../../../desk/part.js'
import { linked } from '../../../linked.svelte.js'

/** The part of the log that is looked at, as links keep it. */
export const askedPart = linked('part', { day: '', position: '', rank: '' } satisfies Record<PartBy, string>)

/** Looks at the whole log again. */
export const wholeLog = (): void => void Object.assign(askedPart, { day: '', position: '', rank: '' })

const lookedAt = new WeakMap<OpenedLog, Set<string>>()

/** Counts a part whose numbers were shown; how many of this log were, each counted once. */
export function countLook(log: OpenedLog, part: Part): number {
  const known = lookedAt.get(log) ?? new Set<string>()
  lookedAt.set(log, known)
  known.add(JSON.stringify(part))
  return known.size
}
