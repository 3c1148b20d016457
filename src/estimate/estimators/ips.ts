import type { Estimator } from '../estimator.js'
import { one, weightedReward } from '../term.js'

/** Inverse propensity scoring: V = S[wr]/n. Unbiased when the propensities are right. */
export const ips: Estimator<'ips'> = {
  name: 'ips',
  label: 'IPS',
  family: 'weighted',
  meaning: 'Inverse propensity scoring: rewards weighted by w. Unbiased, but with the largest variance.',
  docs: 'estimators/ips.md',
  rows: 'plain',
  ratios: [{ numerator: weightedReward, denominator: one }],
  largestWeight: (maxWeight) => maxWeight,
}
