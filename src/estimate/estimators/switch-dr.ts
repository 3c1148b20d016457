import { row, when } from '../../sql/expression.js'
import type { TunedEstimator } from '../estimator.js'
import { cutting } from './cutting.js'
import { weighingErrors } from './weighing.js'

const card = {
  name: 'switch-dr',
  label: 'Switch-DR',
  family: 'doubly-robust',
  meaning: 'DR where weights are at most λ, the reward model alone above λ.',
  docs: 'estimators/switch-dr.md',
  rows: 'model',
} as const

/** DR that trusts the model alone where the weight is above λ (Wang et al. 2017): λ → ∞ is DR, λ = 0 is DM. */
export const switchDr: TunedEstimator<'switch-dr'> = {
  ...card,
  tuning: cutting('DR', 'DM'),
  with: (lambda) => ({
    ...card,
    lambda,
    ...weighingErrors(when(row.w, '<=', lambda, row.w, 0)),
  }),
}
