import { row, times } from '../../sql/expression.js'
import { pageColumn } from '../../sql/page-expression.js'
import { meanOfSlots } from './page-weight.js'
import type { SlateEstimator } from './slate-estimator.js'
import { slates, slateTerm } from './slate-term.js'

const weighted = slateTerm(
  'Σ w_k r_k',
  ({ slots, w, r }) => {
    let sum = 0
    for (let k = 0; k < slots; k++) sum += w[k]! * r[k]!
    return sum
  },
  pageColumn('weighted'),
  times(row.w, row.r),
)

/**
 * Independent IPS: V = mean over slates of Σ_k w_k r_k (Li et al. 2018). Unbiased where the reward of a
 * slot depends on its own item alone, with w_k the ratio of the marginal probabilities of the item in slot k.
 */
export const iips: SlateEstimator<'iips'> = {
  name: 'iips',
  label: 'IIPS',
  family: 'weighted',
  meaning: 'Independent IPS for slates: each slot is weighted on its own.',
  docs: 'estimators/iips.md',
  rows: 'slates',
  propensities: 'marginal',
  judged: meanOfSlots,
  ratios: [{ numerator: weighted, denominator: slates }],
}
