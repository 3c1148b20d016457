import { CHECKS } from '../verdict/checks/index.js'
import { type Outcomes } from '../verdict/examine.js'
import { differenceOf, type Judged, judgeOutcomes } from '../verdict/judge.js'
import type { Verdict } from './evaluation.js'
import { verdictFrom } from './verdict.js'

/** One policy of a difference: its verdict, and what checks made of the rows as it sees them. */
export interface Compared {
  readonly name: string
  readonly verdict: Verdict
  readonly outcomes: Outcomes
}

/** What repairs do to a difference is judged by the difference; all else speaks against it as against either policy. */
const REPAIRED: ReadonlySet<string> = new Set(CHECKS.map(({ code }) => code))

/** The verdict on a difference: what faults do to it, and whatever else speaks against one of its policies. */
export function differenceVerdict(
  target: Compared,
  baseline: Compared,
  difference: Omit<Judged, 'noun'> | undefined,
): Verdict {
  const said = new Set(target.verdict.reasons.map(({ message }) => message))
  const others = [
    ...target.verdict.reasons,
    ...baseline.verdict.reasons
      .filter(({ message }) => !said.has(message))
      .map((reason) => ({ ...reason, message: `${baseline.name}: ${reason.message}` })),
  ]
  if (!difference) return verdictFrom(others, target.verdict.questions)
  const { reasons, questions, hull } = judgeOutcomes(differenceOf(target.outcomes, baseline.outcomes), {
    ...difference,
    noun: 'the difference',
  })
  const verdict = verdictFrom(
    [...reasons, ...others.filter(({ code }) => !REPAIRED.has(code))],
    [...questions, ...target.verdict.questions.filter(({ question }) => !isChecked(question))],
  )
  return hull ? { ...verdict, hull } : verdict
}

const isChecked = (question: string): boolean => question === 'propensities' || question === 'rewards'
