import { row, times } from '../../sql/expression.js'
import { pageColumn } from '../../sql/page-expression.js'
import { wholePage } from './page-weight.js'
import type { SlateEstimator } from './slate-estimator.js'
import { slates, slateTerm } from './slate-term.js'

const weighted = slateTerm(
  'Σ w_{1:k} r_k',
  ({ slots, w, r }) => {
    let sum = 0
    let above = 1
    for (let k = 0; k < slots; k++) {
      above *= w[k]!
      sum += above * r[k]!
    }
    return sum
  },
  pageColumn('earned'),
  times(row.w, row.r),
)

/**
 * Reward-interaction IPS: V = mean over slates of Σ_k w_{1:k} r_k, w_{1:k} = Π_{j≤k} w_j (McInerney et al.
 * 2020, not self-normalised). Unbiased under the cascade: the reward of a slot depends on its item and those
 * above, with w_k the ratio of the probabilities of the item given those above.
 */
export const rips: SlateEstimator<'rips'> = {
  name: 'rips',
  label: 'RIPS',
  family: 'weighted',
  meaning: 'Reward-interaction IPS for slates: each slot is weighted together with those above it.',
  docs: 'estimators/rips.md',
  rows: 'slates',
  propensities: 'conditional',
  judged: wholePage,
  ratios: [{ numerator: weighted, denominator: slates }],
}
