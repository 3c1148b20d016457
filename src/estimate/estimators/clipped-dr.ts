import { least, row } from '../../sql/expression.js'
import type { TunedEstimator } from '../estimator.js'
import { cutting } from './cutting.js'
import { weighingErrors } from './weighing.js'

const card = {
  name: 'clipped-dr',
  label: 'Clipped DR',
  family: 'doubly-robust',
  meaning: 'DR with weights clipped at λ: the smaller λ, the closer to the model.',
  docs: 'estimators/clipped-dr.md',
  rows: 'model',
} as const

/** DR with weights cut at λ: V = mean of v + min(w, λ)(r − q). λ → ∞ is DR, λ = 0 is DM. */
export const clippedDr: TunedEstimator<'clipped-dr'> = {
  ...card,
  tuning: cutting('DR', 'DM'),
  with: (lambda) => ({
    ...card,
    lambda,
    ...weighingErrors(least(row.w, lambda)),
  }),
}
