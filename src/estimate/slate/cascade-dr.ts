import { plus, row, times } from '../../sql/expression.js'
import { pageColumn } from '../../sql/page-expression.js'
import { error } from '../term.js'
import { wholePage } from './page-weight.js'
import type { SlateEstimator } from './slate-estimator.js'
import { slates, slateTerm } from './slate-term.js'

const corrected = slateTerm(
  'Σ w_{1:k} e_k + w_{1:k-1} v_k',
  ({ slots, w, r, q, v }) => {
    let sum = 0
    let above = 1
    for (let k = 0; k < slots; k++) {
      sum += above * v[k]!
      above *= w[k]!
      sum += above * (r[k]! - q[k]!)
    }
    return sum
  },
  pageColumn('corrected'),
  plus(row.v, times(row.w, error)),
)

/**
 * Cascade doubly robust: V = mean over slates of Σ_k [w_{1:k}(r_k − Q̂_k) + w_{1:k−1} E_π Q̂_k] (Kiyohara et
 * al. 2022). Unbiased under the cascade whatever the model, and less variable than RIPS where the model is good.
 */
export const cascadeDr: SlateEstimator<'cascade-dr'> = {
  name: 'cascade-dr',
  label: 'Cascade-DR',
  family: 'doubly-robust',
  meaning: 'Cascade DR for slates: RIPS combined with a reward model.',
  docs: 'estimators/cascade-dr.md',
  rows: 'slates',
  propensities: 'conditional',
  judged: wholePage,
  ratios: [{ numerator: corrected, denominator: slates }],
}
