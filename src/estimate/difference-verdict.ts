import { decide, type Deciding, type Decision } from '../verdict/decision.js'
import type { Outcomes } from '../verdict/examine.js'
import { differenceOf, type Judged, judgeOutcomes } from '../verdict/judge.js'
import { REASONS } from '../verdict/registry.js'
import { accepted } from '../verdict/said.js'
import type { Verdict } from '../verdict/verdict.js'
import { type Computed, shiftsOf, withShifts } from './estimates.js'
import { beyondRounding, differenceInterval, liftOf, reachOf } from './intervals/difference.js'
import { pageReward } from './slate/page-estimators.js'
import { slates } from './slate/slate-term.js'
import { influencesOf } from './spread.js'
import { one, reward } from './term.js'
import { type Complaint, verdictFrom } from './verdict.js'

/** One policy of a difference: its verdict, and what checks made of the rows as it sees them. */
export interface Compared {
  readonly name: string
  readonly verdict: Verdict
  readonly outcomes: Outcomes
  /** What totals that are known say against an answer about its log. */
  readonly totals: (answer: Judged) => readonly Complaint[]
}

/** What repairs and totals do to a difference is judged by the difference; all else speaks against it as against either policy. */
const JUDGED_ANEW: ReadonlySet<string> = new Set(
  REASONS.filter(({ scope }) => scope === 'rows' || scope === 'totals').map(({ code }) => code),
)

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
  const judged: Judged = { ...difference, noun: 'the difference' }
  const { reasons, questions, hull } = judgeOutcomes(differenceOf(target.outcomes, baseline.outcomes), judged)
  const totals = target.totals(judged).map((reason) => accepted(reason, judged.accept))
  const verdict = verdictFrom(
    [...reasons, ...totals, ...others.filter(({ code }) => !JUDGED_ANEW.has(code))],
    [...questions, ...target.verdict.questions.filter(({ question }) => !isChecked(question))],
  )
  const shifts = totals.flatMap((reason) => shiftsOf(reason, judged))
  const widest = withShifts(judged.interval, shifts, hull)
  return widest ? { ...verdict, hull: widest } : verdict
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
