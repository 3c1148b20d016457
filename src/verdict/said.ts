import type { PolicyMade } from '../policy/policy.js'
import type { Totals } from '../read/totals.js'
import type { Reason } from './verdict.js'

export type { PolicyMade } from '../policy/policy.js'
export type { Totals } from '../read/totals.js'

/** What only the user can know of a log, by the word that says it on the command line. */
export const FACTS = [
  'drawn-propensities',
  'complete',
  'joined-by-impression',
  'item-only',
  'people',
] as const

export type Fact = (typeof FACTS)[number]

/** What the user says of a log and of the policy; what is absent was not said. */
export interface Said {
  readonly policyMade?: PolicyMade
  readonly facts?: { readonly [fact in Fact]?: boolean }
}

/** What was told to a verdict, as results keep it. */
export interface SaidOfLog extends Said, Omit<VerdictOptions, 'said'> {}

/** What a user may tell a verdict. */
export interface VerdictOptions {
  readonly said?: Said
  readonly totals?: Totals
  /** What was not said lowers the verdict (default: it is listed as taken for granted). */
  readonly strict?: boolean
  /** The smallest difference that matters, as a share of the value: a fault that moves the answer by less is none. */
  readonly matters?: number
  /** Faults that the user knows to be harmless: why, by code. */
  readonly accept?: Readonly<Record<string, string>>
}

/** A reason that the user knows to be harmless is said, and lowers nothing. That there is no answer at all is no fault to accept. */
export function accepted<One extends Pick<Reason, 'code' | 'level' | 'message'>>(
  reason: One,
  accept: NonNullable<VerdictOptions['accept']>,
): One {
  const why = accept[reason.code]
  return why === undefined || reason.code === 'no-answer'
    ? reason
    : { ...reason, level: 'note', message: `${reason.message} Accepted: ${why}.` }
}

/** What was told to a verdict, to be kept with its result; undefined where nothing was. */
export function saidOfLog({ said, totals, strict, matters, accept }: VerdictOptions): SaidOfLog | undefined {
  const kept: SaidOfLog = {
    ...said,
    ...(totals && { totals }),
    ...(strict && { strict }),
    ...(matters !== undefined && { matters }),
    ...(accept && { accept }),
  }
  return Object.keys(kept).length > 0 ? kept : undefined
}
