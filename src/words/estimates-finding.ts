import type { Estimate } from '../estimate/evaluation.js'
import {
  againstLogged,
  estimatorLabel,
  formatEstimate,
  formatFixed,
  headlineOf,
  isDefined,
} from './estimate-text.js'

interface EstimatesInBrief {
  readonly estimates: readonly Estimate[]
  /** Mean reward of the logged policy. */
  readonly meanReward: number
  /** The true value, where it is known. */
  readonly truth?: number
}

/**
 * What estimates say together: which of their intervals hold the true value, or, where that is unknown, the headline
 * with its interval at `level` against what the logged policy earned.
 */
export function estimatesFinding(
  { estimates, meanReward, truth }: EstimatesInBrief,
  level: string,
  decimals: number,
): string {
  const best = headlineOf(estimates)
  if (!best) return 'No estimator has a value for this policy'
  const ranged = estimates.filter(isDefined).flatMap((estimate) => (estimate.interval ? [estimate] : []))
  if (truth !== undefined && ranged.length > 0) {
    const missed = ranged.filter(({ interval }) => truth < interval![0] || truth > interval![1])
    const names = missed.map(({ estimator }) => estimatorLabel(estimator))
    const value = `the true value of ${formatFixed(truth, decimals)}`
    if (ranged.length === 1)
      return `The interval of ${estimatorLabel(ranged[0]!.estimator)} ${missed.length === 0 ? 'holds' : 'misses'} ${value}`
    if (missed.length === 0) return `All ${ranged.length} intervals hold ${value}`
    if (missed.length === ranged.length) return `None of ${ranged.length} intervals holds ${value}`
    const which =
      missed.length <= 2 ? `; ${names.join(' and ')} ${missed.length === 1 ? 'misses' : 'miss'} it` : ''
    return `${ranged.length - missed.length} of ${ranged.length} intervals hold ${value}${which}`
  }
  const { value, interval } = formatEstimate(best.value, best.interval)
  return (
    `By ${estimatorLabel(best.estimator)} the target policy earns ${value} per impression ` +
    `(${interval === null ? 'no interval' : `${level} interval ${interval}`}), ` +
    againstLogged(best.value, best.interval, meanReward)
  )
}
