import type { Evaluation } from '$core/estimate/evaluation.js'
import { clusterUnit } from '$core/words/cluster-text.js'
import { formatFixed } from '$core/words/estimate-text.js'
import { formatCount, formatShare } from '$core/number-text.js'
import type { Fact } from '$core/report/facts.js'

/** What the estimates are based on, in numbers. */
export function evaluationFacts({ cluster, diagnostics }: Evaluation): Fact[] {
  const { ess, essRatio, effectiveClusterClicks, maxWeight, topPercentShare, meanWeight, paretoK } =
    diagnostics
  return [
    {
      label: 'Effective sample size',
      value: known(ess, whole),
      note: known(essRatio, (ratio) => `${formatShare(Math.min(1, ratio))} of the rows`),
    },
    {
      label: 'Effective clicks seen',
      value: known(effectiveClusterClicks, whole),
      note: `counted per ${clusterUnit(cluster)}`,
    },
    {
      label: 'Mean weight',
      value: known(meanWeight, (mean) =>
        mean < 0.1 ? String(Number(mean.toPrecision(2))) : mean.toFixed(3),
      ),
      note: 'should be 1',
    },
    {
      label: 'Largest weight',
      value: known(maxWeight, (weight) => formatCount(Number(weight.toPrecision(3)))),
      note: known(topPercentShare, (share) => `the top 1 % of rows hold ${formatShare(share)} of the weight`),
    },
    {
      label: 'Pareto k',
      value: paretoK === null ? 'none' : formatFixed(paretoK, 2),
      note: paretoK === null ? 'too few different weights to fit a tail' : 'above 0.7: heavy tail',
    },
    {
      label: 'Items never shown',
      value: known(diagnostics.unsupportedMass, formatShare),
      note: 'share of what the target would show',
    },
  ]
}

const known = (value: number | null, text: (value: number) => string): string =>
  value === null ? 'unknown' : text(value)

const whole = (value: number): string => formatCount(Math.round(value))
