import { CHECKS } from '../verdict/checks/index.js'
import { decide, type Deciding, type Decision } from '../verdict/decision.js'
import type { Outcomes } from '../verdict/examine.js'
import { differenceOf, type Judged, judgeOutcomes } from '../verdict/judge.js'
import type { Verdict } from '../verdict/verdict.js'
import type { Computed } from './estimates.js'
import { beyondRounding, differenceInterval, liftOf, reachOf } from './intervals/difference.js'
import { pageReward } from './slate/page-estimators.js'
import { slates } from './slate/slate-term.js'
import { influencesOf } from './spread.js'
import { one, reward } from './term.js'
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

/** What the logging policy earned per impression, and per page. */
const LOGGED = {
  plain: { ratios: [{ numerator: reward, denominator: one }] },
  slates: { ratios: [{ numerator: pageReward, denominator: slates }] },
} as const

/** A target whose value is judged, beside what the logging policy earned on the same rows. */
interface AgainstLogged extends Pick<Deciding, 'confidence' | 'log'> {
  readonly target: string
  /** The estimate that answers; undefined where none does. */
  readonly computed: Computed | undefined
  readonly verdict: Verdict
}

/** What to do about a target, with the logging policy as the baseline: by the paired difference, for what moves both alike cancels. */
export function decideAgainstLogged({ target, computed, verdict, confidence, log }: AgainstLogged): Decision {
  const rival = { target, verdict, difference: null, simultaneous: null, lift: null }
  const decideOn = (compared: Deciding['differences'][number]): Decision =>
    decide({ baseline: 'logging', differences: [compared], confidence, log })
  if (!computed?.moments || !computed.influences || computed.estimate.value === null) return decideOn(rival)
  const { moments, influences, estimator } = computed
  const logged = LOGGED[estimator.rows === 'slates' ? 'slates' : 'plain']
  const [{ numerator, denominator }] = logged.ratios
  const before = {
    value: moments.total(numerator) / moments.total(denominator),
    influences: influencesOf(logged, moments),
  }
  const after = { value: computed.estimate.value, influences }
  const difference = beyondRounding(after.value, before.value)
  const { interval, spread } = differenceInterval(influences, before.influences, confidence, difference)
  if (!interval || !spread) return decideOn({ ...rival, difference })
  const reach = reachOf(confidence, spread.freedom)
  return decideOn({
    ...rival,
    difference,
    simultaneous: interval,
    lift: liftOf(after, before, [reach, reach]),
  })
}
