import type { Comparison, Difference } from '../estimate/comparison.js'
import type { Evaluation } from '../estimate/evaluation.js'
import { withinSentence } from '../listed.js'
import { counted, formatPercent, supportedDecimals } from '../number-text.js'
import type { Decision } from '../verdict/decision.js'
import { groundsOf, type Verdict } from '../verdict/verdict.js'
import {
  formatConfidence,
  formatEstimate,
  formatFixed,
  headlineOf,
  rangeText,
  targetInFull,
  formatSeen,
  valueDecimals,
} from './estimate-text.js'
import { loggedIn, perUnit, perUnitOf } from './unit.js'
import { sentences } from './seed-text.js'

/** What a decision is worded from. */
interface Deciding {
  readonly decision: Decision
  readonly baseline: string
  readonly confidence: number
  /** The policy that the numbers are of, as a sentence names it. */
  readonly rival: string
  readonly difference: number | null
  /** On that policy. */
  readonly verdict: Verdict
  /** Why there is no interval, where there is none. */
  readonly reason?: string | undefined
  /** "per impression". */
  readonly unit: string
}

/** The first sentence of an answer: what to do, by how much and how sure. The action is between `**`. */
function leadOf(deciding: Deciding): string {
  const { decision, baseline, rival, verdict } = deciding
  switch (decision.action) {
    case 'launch':
      return `**Launch ${decision.policy}**: it ${earns(deciding)}.`
    case 'test':
      return `**Test ${decision.policy} first**: it ${earns(deciding)}, ${holdsZero(decision) ? 'and' : 'but'} ${withinSentence(groundsOf(verdict))}`
    case 'keep':
      return `**Keep ${calledInSentences(baseline)}**: ${rival} ${earns(deciding)}.`
    case 'undecided':
      return sentences(`**Undecided**: ${rival} ${earns(deciding)}.`, neededText(decision))
    case 'cannot-tell':
      return cannotTell(rival, verdict, deciding.reason)
  }
}

/** Which of the two refusals it is, and why; no number. */
function cannotTell(policy: string, verdict: Verdict, reason?: string): string {
  const why = groundsAgainst(verdict, reason)
  return verdict.means === 'do-not-believe'
    ? `**Do not believe** what this log says of ${policy}: ${why}`
    : `**This log cannot tell** what ${policy} would earn: ${why}`
}

/** Why there is no answer for one policy among several: "cannot tell: only 7.9 effective clicks were seen." */
export const whyNot = ({ verdict, reason }: Pick<Difference, 'verdict' | 'reason'>): string =>
  `${verdict.means === 'do-not-believe' ? 'do not believe' : 'cannot tell'}: ${groundsAgainst(verdict, reason)}`

const groundsAgainst = (verdict: Verdict, reason = 'the difference has no interval'): string =>
  withinSentence(verdict.level === 'refuse' ? groundsOf(verdict) : `${reason.replace(/\.$/, '')}.`)

/** "earns 12 % more than logging (95 % CI 5–19 %)", or where the interval holds 0 "earns between 3 % less and 8 % more than logging (95 % CI)". */
function earns({ decision, baseline, confidence, difference, unit }: Deciding): string {
  const { lift, interval } = decision
  const level = `${formatConfidence(confidence)} CI`
  const than = decision.action === 'keep' ? '' : ` than ${calledInSentences(baseline)}`
  // Policies that never differ have no interval.
  if (!interval) return `never differs from ${calledInSentences(baseline)} in this log`
  const [low, high] = interval
  const decimals = lift === null ? valueDecimals(difference!, interval) : liftDecimals(interval)
  const amount = (value: number): string =>
    lift === null ? formatFixed(Math.abs(value), decimals) : formatPercent(Math.abs(value), decimals)
  const per = lift === null ? ` ${unit}` : ''
  if (holdsZero(decision))
    return `earns between ${amount(low)} less and ${amount(high)} more${per}${than} (${level})`
  const value = lift ?? difference!
  const of = lift === null ? `${level} of the difference` : level
  return `earns ${amount(value)} ${value > 0 ? 'more' : 'less'}${per}${than} (${of} ${between(interval, amount, lift !== null)})`
}

/** "5–19 %", "−19 to −5 %". */
function between(
  [low, high]: readonly [number, number],
  amount: (end: number) => string,
  isShare: boolean,
): string {
  const first = isShare ? amount(low).replace(' %', '') : amount(low)
  return low < 0 ? `−${first} to −${amount(high)}` : `${first}–${amount(high)}`
}

const holdsZero = ({ interval }: Decision): boolean =>
  interval === null || (interval[0] <= 0 && interval[1] >= 0)

const liftDecimals = ([low, high]: readonly [number, number]): number =>
  Math.min(2, supportedDecimals((high - low) / 4))

/** How large a log would decide. */
function neededText({ needed, interval }: Decision): string {
  if (!interval) return ''
  if (!needed) return 'Even a hundred times as much data would not decide so small a difference.'
  const size =
    needed.days === null
      ? counted(Number(needed.rows.toPrecision(2)), 'impression')
      : counted(Math.ceil(Number(needed.days.toPrecision(2))), 'day')
  return `About ${size} like these would decide it, if the difference is as estimated.`
}

/** The logging policy has a name for files and one for sentences. */
const calledInSentences = (policy: string): string => (policy === 'logging' ? 'the logging policy' : policy)

/**
 * The answer to "what would this policy have earned?": what to do, where there is something to decide, then the value with its
 * interval. What matters most is between `**`.
 */
export function evaluationAnswer(evaluation: Evaluation): string {
  const { target, estimates, log, confidence, verdict, decision } = evaluation
  const best = headlineOf(estimates)
  const who = targetInFull(target, best?.unit)
  if (!best || verdict.level === 'refuse') return cannotTell(withinSentence(who), verdict)
  const { value, interval } = formatEstimate(best.value, best.interval)
  const range = rangeText(interval, formatConfidence(confidence))
  // What the logging policy earned is no matter of what it would have.
  const earned = `${who} ${target === 'logging' ? 'earned' : 'would have earned'} ${value} ${perUnit(best)} (${range})`
  const logged = target === 'logging' ? undefined : loggedIn(log, best)
  const beside =
    logged === undefined
      ? ''
      : `; the logging policy earned ${formatSeen(logged, valueDecimals(best.value, best.interval))}`
  if (!decision) return `${earned}${beside}.`
  const lead = leadOf({
    decision,
    baseline: 'logging',
    confidence,
    rival: target,
    difference: logged === undefined ? null : best.value - logged,
    verdict,
    unit: perUnit(best),
  })
  return [
    lead,
    `${earned}${beside}.`,
    ...(decision.errorRate === null
      ? []
      : [
          `Were it no better, this rule would launch it in ${chance(decision.errorRate)} of logs like this one.`,
        ]),
  ].join(' ')
}

/** What to do about the policies of a comparison: the first sentence, then how often the rule errs, as far as it is one to go by. */
export function decisionSentences(comparison: Omit<Comparison, 'evaluations' | 'schema'>): string[] {
  const { decision, differences, baseline, confidence, estimator, choice } = comparison
  const { action } = decision
  const named = differences.find(({ target }) => target === decision.policy)
  const [best] = differences
    .filter((one) => one.action === action)
    .toSorted((a, b) => (b.difference ?? 0) - (a.difference ?? 0))
  const { target, difference, verdict, reason } = named ?? best!
  const isOne = differences.length === 1
  const someUnknown = differences.some((one) => one.action === 'cannot-tell')
  const rival =
    action !== 'keep' || isOne
      ? target
      : `the best of ${someUnknown ? 'those that this log can answer for' : 'the others'}, ${target},`
  const known = { decision, baseline, confidence, difference, verdict, reason, unit: perUnitOf(estimator) }
  if (action === 'cannot-tell' && !isOne)
    return [
      `**This log cannot tell** what ${differences.length === 2 ? 'either policy' : `any of the ${differences.length} policies`} would earn. ${target}: ${groundsAgainst(verdict, reason)}`,
    ]
  const lead = leadOf({ ...known, rival })
  if (!choice || action === 'test' || action === 'cannot-tell') return [lead]
  const { errors } = choice
  return [
    lead,
    `If no policy were better than ${calledInSentences(baseline)}, this rule would launch one in ${chance(errors.wrongIfNoneIsBetter)} of logs like this one.`,
    `If every policy earned what it is estimated to earn, it would launch one that is worse than ${calledInSentences(baseline)} in ${chance(errors.wrongAsEstimated)}, ` +
      `and miss the best in ${chance(errors.notBestAsEstimated)}.${waitingText(errors.expectedLossOfWaiting, comparison)}`,
  ]
}

/** What is forgone where the baseline is kept. */
function waitingText(
  loss: number,
  { baseline, estimator }: Pick<Comparison, 'baseline' | 'estimator'>,
): string {
  if (loss === 0) return ''
  const decimals = Math.max(0, 1 - Math.floor(Math.log10(loss)))
  return ` By keeping ${calledInSentences(baseline)} where no difference is detected it would forgo ${formatFixed(loss, decimals)} ${perUnitOf(estimator)} on average.`
}

/** A simulated probability: "2.5 %", "34 %", "less than 0.1 %". */
function chance(probability: number): string {
  if (probability < 0.001) return 'less than 0.1 %'
  if (probability > 0.999) return 'more than 99.9 %'
  return formatPercent(probability, probability < 0.1 ? 1 : 0)
}
