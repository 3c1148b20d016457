import { degreesOfFreedomOf } from '../degrees-of-freedom.js'
import { counted } from '../number-text.js'
import type { Verdict, VerdictLevel } from './evaluation.js'
import type { Influences } from './spread.js'
import type { Complaint } from './verdict.js'

const GRAVITY: readonly VerdictLevel[] = ['refuse', 'caution', 'trust']

/** Below so many effective degrees of freedom a difference needs care, or is no answer. */
const FEW = { caution: 20, refuse: 5 }

/** The verdicts on the two policies of a difference, and what else decides. */
export interface DifferenceContext {
  readonly target: Verdict
  readonly baseline: { readonly name: string; readonly verdict: Verdict }
  /** The influences on the difference; absent where it has no spread. */
  readonly influences?: Influences
  /** What a cluster is. */
  readonly unit: string
}

/** The gravest of the verdicts on target, baseline and the difference itself, with the reasons of all that are not `trust`. */
export function differenceVerdict(context: DifferenceContext): Verdict {
  const { target, baseline, influences, unit } = context
  const own = influences ? fewMakeIt(influences, unit) : []
  const said = new Set(target.reasons.map(({ message }) => message))
  const verdicts: Verdict[] = [
    ...own.map(({ level, ...reason }): Verdict => ({ level, reasons: [reason] })),
    target,
    {
      level: baseline.verdict.level,
      reasons: baseline.verdict.reasons
        .filter(({ message }) => !said.has(message))
        .map((reason) => ({ ...reason, message: `${baseline.name}: ${reason.message}` })),
    },
  ]
  const level = GRAVITY.find((one) => verdicts.some((verdict) => verdict.level === one))!
  if (level === 'trust') return target
  const reasons = GRAVITY.slice(0, 2).flatMap((one) =>
    verdicts.filter((verdict) => verdict.level === one).flatMap((verdict) => verdict.reasons),
  )
  return { level, reasons }
}

/** Policies that are mostly alike differ in few clusters, however many the log has. */
function fewMakeIt(influences: Influences, unit: string): Complaint[] {
  const freedom = degreesOfFreedomOf(influences[0]!.influence)
  if (freedom >= FEW.caution) return []
  return [
    {
      level: freedom < FEW.refuse ? 'refuse' : 'caution',
      code: 'few-make-the-difference',
      message: `The difference is as uncertain as if it came from only ${counted(Number(freedom.toPrecision(2)), unit)}.`,
      value: freedom,
    },
  ]
}
