import { degreesOfFreedomOf } from '../degrees-of-freedom.js'
import { counted } from '../number-text.js'
import type { Verdict } from './evaluation.js'
import type { Influences } from './spread.js'
import { type Complaint, verdictFrom } from './verdict.js'

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
  /** What else speaks against the difference. */
  readonly found?: readonly Complaint[]
}

/** The verdict with all reasons against target, baseline and the difference itself. */
export function differenceVerdict(context: DifferenceContext): Verdict {
  const { target, baseline, influences, unit, found = [] } = context
  const said = new Set(target.reasons.map(({ message }) => message))
  return verdictFrom(
    [
      ...(influences ? fewMakeIt(influences, unit) : []),
      ...found,
      ...target.reasons,
      ...baseline.verdict.reasons
        .filter(({ message }) => !said.has(message))
        .map((reason) => ({ ...reason, message: `${baseline.name}: ${reason.message}` })),
    ],
    target.questions,
  )
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
