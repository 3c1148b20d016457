import { counted } from '../number-text.js'
import type { Complaint } from './verdict.js'

/** A gate: beyond `caution` an answer needs care, beyond `refuse` it is not an answer. */
export interface Gate {
  readonly code: string
  readonly value: number | null
  readonly caution: number
  readonly refuse: number
  /** Which side is bad. */
  readonly bad: 'low' | 'high'
  readonly message: (value: number) => string
}

export function judge({ code, value, caution, refuse, bad, message }: Gate): Complaint[] {
  if (value === null) return []
  const isBeyond = (limit: number): boolean => (bad === 'low' ? value < limit : value > limit)
  if (!isBeyond(caution)) return []
  return [{ level: isBeyond(refuse) ? 'refuse' : 'caution', code, message: message(value), value }]
}

/** The gravest complaint of each code. */
export const onePerCode = (complaints: readonly Complaint[]): Complaint[] => {
  const kept = new Map<string, Complaint>()
  for (const complaint of complaints)
    if (kept.get(complaint.code)?.level !== 'refuse') kept.set(complaint.code, complaint)
  return [...kept.values()]
}

/** A number to two digits, with its noun. */
export const about = (value: number, noun: string): string => counted(Number(value.toPrecision(2)), noun)
