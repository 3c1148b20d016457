import type { PlainEstimate, Sensitivity, Verdict } from '../estimate/evaluation.js'
import {
  againstLogged,
  differenceDetected,
  estimatorLabel,
  formatEstimate,
  formatFixed,
  headlineOf,
  isDefined,
  rangeText,
} from './estimate-text.js'
import { noAnswer } from './verdict-text.js'
import { type Logged, loggedIn, perUnit, unitOf } from './unit.js'

interface EstimatesInBrief extends Logged {
  readonly estimates: readonly PlainEstimate[]
  /** The true value, where it is known. */
  readonly truth?: number
  /** What the estimates may be used for, where that was judged. */
  readonly verdict?: Pick<Verdict, 'level'>
  /** Where it is known, it holds the paired difference from the logging policy: a title agrees with the answer above it. */
  readonly sensitivity?: Pick<Sensitivity, 'flipsAt'> | null
}

/**
 * What estimates say together: which of their intervals cover the true value, or, where that is unknown, the headline
 * with its interval at `level` against what the logging policy earned. Refused estimates give no finding.
 */
export function estimatesFinding(brief: EstimatesInBrief, level: string, decimals: number): string {
  const { estimates, truth, verdict } = brief
  if (verdict?.level === 'refuse') return noAnswer('estimates not to rely on')
  const best = headlineOf(estimates)
  if (!best) return 'No estimator gives a value for this policy'
  // A known truth is one per impression.
  const ranged = estimates
    .filter(isDefined)
    .filter((estimate) => estimate.interval && unitOf(estimate) === 'impression')
  if (truth !== undefined && ranged.length > 0) {
    const missed = ranged.filter(({ interval }) => truth < interval![0] || truth > interval![1])
    const names = missed.map(({ estimator }) => estimatorLabel(estimator))
    const value = `the true value of ${formatFixed(truth, decimals)}`
    if (ranged.length === 1)
      return `The interval of ${estimatorLabel(ranged[0]!.estimator)} ${missed.length === 0 ? 'covers' : 'misses'} ${value}`
    if (missed.length === 0) return `All ${ranged.length} intervals cover ${value}`
    if (missed.length === ranged.length) return `None of ${ranged.length} intervals covers ${value}`
    const which =
      missed.length <= 2 ? `; ${names.join(' and ')} ${missed.length === 1 ? 'misses' : 'miss'} it` : ''
    return `${ranged.length - missed.length} of ${ranged.length} intervals cover ${value}${which}`
  }
  const { value, interval } = formatEstimate(best.value, best.interval)
  const logged = loggedIn(brief, best)
  return (
    `The target policy earns ${value} ${perUnit(best)} by ${estimatorLabel(best.estimator)} ` +
    `(${rangeText(interval, level)})` +
    (logged === undefined
      ? ''
      : `, ${againstLogged(best.value, best.interval, logged, differenceDetected(brief.sensitivity))}`)
  )
}
