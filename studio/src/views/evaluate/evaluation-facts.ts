import type { Evaluation } from '$core/estimate/evaluation.js'
import { formatFixed } from '$core/words/estimate-text.js'
import { formatCount, formatShare } from '$core/number-text.js'
import type { Fact } from '$core/report/facts.js'

/** What the estimates rest on, in numbers. */
export function evaluationFacts({ cluster, diagnostics }: Evaluation): Fact[] {
  const { ess, essRatio, effectiveClusterClicks, maxWeight, topPercentShare, meanWeight, paretoK } =
    diagnostics
  return [
    {
      label: 'Effective sample',
      value: known(ess, whole),
      note: known(essRatio, (ratio) => `${formatShare(Math.min(1, ratio))} of the rows`),
    },
    {
      label: 'Effective clicks',
      value: known(effectiveClusterClicks, whole),
      note: `counted by ${cluster === 'column' ? 'cluster' : cluster}`,
    },
    {
      label: 'Mean weight',
      value: known(meanWeight, (mean) => mean.toFixed(3)),
      note: '1 when all is well',
    },
    {
      label: 'Largest weight',
      value: known(maxWeight, (weight) => formatCount(Number(weight.toPrecision(3)))),
      note: known(topPercentShare, (share) => `the top 1 % of rows hold ${formatShare(share)}`),
    },
    {
      label: 'Pareto k',
      value: known(paretoK, (k) => formatFixed(k, 2)),
      note: 'above 0.7 the tail is heavy',
    },
    {
      label: 'Items never shown',
      value: known(diagnostics.unsupportedMass, formatShare),
      note: 'share of what the target shows',
    },
  ]
}

const known = (value: number | null, text: (value: number) => string): string =>
  value === null ? 'unknown' : text(value)

const whole = (value: number): string => formatCount(Math.round(value))
