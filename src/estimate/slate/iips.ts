import type { Estimator } from '../estimator.js'
import { slates, slateTerm } from './slate-term.js'

const weighted = slateTerm(
  'Σ w_k r_k',
  ({ slots, w, r }) => {
    let sum = 0
    for (let k = 0; k < slots; k++) sum += w[k]! * r[k]!
    return sum
  },
  'w * r',
)

/**
 * Independent IPS: V = mean over slates of Σ_k w_k r_k (Li et al. 2018). Unbiased where the reward of a
 * slot depends on its own item alone, with w_k the ratio of the marginal probabilities of the item in slot k.
 */
export const iips: Estimator = { name: 'iips', ratios: [{ numerator: weighted, denominator: slates }] }
