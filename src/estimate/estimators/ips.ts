import { row } from '../../sql/expression.js'
import type { Estimator } from '../estimator.js'
import { weighingRewards } from './weighing.js'

/** Inverse propensity scoring: V = S[wr]/n. Unbiased when the propensities are right. */
export const ips: Estimator<'ips'> = {
  name: 'ips',
  label: 'IPS',
  family: 'weighted',
  meaning: 'Inverse propensity scoring: rewards weighted by w. Unbiased, but with the largest variance.',
  docs: 'estimators/ips.md',
  rows: 'plain',
  ...weighingRewards(row.w),
  largestWeight: (maxWeight) => maxWeight,
}
