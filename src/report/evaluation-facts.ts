import type { Evaluation } from '../estimate/evaluation.js'
import { formatCount, formatShare } from '../number-text.js'
import { clusterUnit } from '../words/cluster-text.js'
import { formatFixed } from '../words/estimate-text.js'
import type { Fact } from './report.js'

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
      value: known(paretoK, (k) => formatFixed(k, 2)),
      note: tailText(paretoK),
    },
    {
      label: 'Items never shown',
      value: known(diagnostics.unsupportedMass, formatShare),
      note: 'share of what the target would show',
    },
  ]
}

/** Above it the mean of the largest weights converges too slowly to be trusted. */
const HEAVY_TAIL = 0.7

function tailText(k: number | null): string {
  if (k === null) return 'no tail of the weights could be fitted'
  return k > HEAVY_TAIL
    ? `above ${HEAVY_TAIL}: the tail of the weights is heavy`
    : `at most ${HEAVY_TAIL}: no heavy tail`
}

const known = (value: number | null, text: (value: number) => string): string =>
  value === null ? 'unknown' : text(value)

const whole = (value: number): string => formatCount(Math.round(value))
