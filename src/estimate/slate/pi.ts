import { row, times } from '../../sql/expression.js'
import { pageColumn } from '../../sql/page-expression.js'
import { pseudoInverse } from './page-weight.js'
import type { SlateEstimator } from './slate-estimator.js'
import { slates, slateTerm } from './slate-term.js'

const weighted = slateTerm(
  '(1 − L + Σ w_k) r',
  ({ slots, w, r }) => {
    let weight = 1 - slots
    let reward = 0
    for (let k = 0; k < slots; k++) {
      weight += w[k]!
      reward += r[k]!
    }
    return weight * reward
  },
  times(pseudoInverse.weight.page, pageColumn('rewards')),
  times(row.w, row.r),
)

/**
 * Pseudo-inverse: V = mean over slates of (1 − L + Σ_k w_k)·r, r the reward of the whole slate (Swaminathan
 * et al. 2017). Unbiased where r is on average a sum of one part for each slot, and the logging policy drew
 * the slots independently of each other.
 */
export const pi: SlateEstimator<'pi'> = {
  name: 'pi',
  label: 'PI',
  family: 'weighted',
  meaning: 'Pseudo-inverse for slates: the reward of the whole slate, weighted by the sum over its slots.',
  docs: 'estimators/pi.md',
  rows: 'slates',
  propensities: 'marginal',
  drawsSlotsApart: true,
  judged: pseudoInverse,
  ratios: [{ numerator: weighted, denominator: slates }],
}
