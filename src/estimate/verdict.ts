import { formatShare } from '../number-text.js'
import type { EstimateContext } from './estimate-complaints.js'
import type { Verdict, VerdictLevel } from './evaluation.js'
import { about } from './gate.js'
import type { Judgement } from './judgement.js'

export type Reason = Verdict['reasons'][number]

/** A reason against an answer, and how far it lowers the verdict. */
export interface Complaint extends Reason {
  readonly level: Exclude<VerdictLevel, 'trust'>
}

/** Trust, caution or refuse, from the complaints; without any, what speaks for the answer. */
export function verdictFrom(complaints: readonly Complaint[], praise: readonly Reason[]): Verdict {
  const ofLevel = (level: VerdictLevel): Reason[] =>
    complaints
      .filter((complaint) => complaint.level === level)
      .map(({ code, level, message, value }) => ({ code, level, message, value }))
  const [refused, cautions] = [ofLevel('refuse'), ofLevel('caution')]
  const reasons = [...refused, ...cautions]
  if (reasons.length === 0) return { level: 'trust', reasons: praise }
  return { level: refused.length > 0 ? 'refuse' : 'caution', reasons }
}

/** Two estimates of the same value that differ by more than chance: one of them is wrong. */
export const disagreement = (first: string, second: string, difference: number, z: number): Complaint => ({
  level: 'caution',
  code: 'estimators-disagree',
  message: `${first} and ${second} differ by ${Number(Math.abs(difference).toPrecision(2))}, ${Math.abs(z).toFixed(1)} times what chance explains: at least one of them is wrong.`,
  value: difference,
})

/** What speaks for an answer that passed every gate, the strongest first: short answers quote that one alone. */
export function praiseOf(
  judgement: Judgement,
  { unit, topShare }: Pick<EstimateContext, 'unit' | 'topShare'>,
  clusterUnit: string,
): Reason[] {
  const { effectiveClicks, topClusterShare, ess } = judgement
  const reasons: Reason[] = [
    {
      code: 'effective-clicks',
      message: `About ${about(effectiveClicks, 'effective click')}, and no ${clusterUnit} carries more than ${formatShare(topClusterShare)} of the answer.`,
      value: effectiveClicks,
    },
  ]
  if (topShare !== null)
    reasons.push({
      code: `no-${unit}-dominates`,
      message: `No ${unit} carries more than ${formatShare(topShare)} of the total weight.`,
      value: topShare,
    })
  if (ess !== null)
    reasons.push({
      code: 'effective-sample',
      message: `The effective sample size is ${about(ess, unit)}.`,
      value: ess,
    })
  return reasons
}
