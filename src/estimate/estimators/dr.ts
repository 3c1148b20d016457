import { row } from '../../sql/expression.js'
import type { Estimator } from '../estimator.js'
import { weighingErrors } from './weighing.js'

/** Doubly robust: V = mean of v + w·(r − q) (Dudík et al. 2011). Unbiased when the propensities or the model are right. */
export const dr: Estimator<'dr'> = {
  name: 'dr',
  label: 'DR',
  family: 'doubly-robust',
  meaning:
    'Doubly robust: DM with its errors corrected by IPS. Unbiased if the model or the propensities are right.',
  docs: 'estimators/dr.md',
  rows: 'model',
  ...weighingErrors(row.w),
}
