import { type Expression, number, over, plus, row, times } from '../../sql/expression.js'
import type { TunedEstimator } from '../estimator.js'
import { weighingErrors } from './weighing.js'

const card = {
  name: 'dr-os',
  label: 'DR-OS',
  family: 'doubly-robust',
  meaning: 'DR with optimistic shrinkage: the larger a weight, the more it is shrunk.',
  docs: 'estimators/dr-os.md',
  rows: 'model',
} as const

/** λw/(w² + λ); its limits where λ is 0 or ∞. */
const shrunk = (lambda: number): Expression =>
  lambda === 0
    ? number(0)
    : lambda === Infinity
      ? row.w
      : over(times(lambda, row.w), plus(times(row.w, row.w), lambda))

/** DR with optimistic shrinkage, weights λw/(w² + λ) (Su et al. 2020): λ → ∞ is DR, λ = 0 is DM. */
export const drOs: TunedEstimator<'dr-os'> = {
  ...card,
  tuning: {
    unchanged: { lambda: Infinity, is: 'DR' },
    other: { lambda: 0, is: 'DM' },
    takingHoldOf: (weight) => weight * weight,
  },
  with: (lambda) => ({
    ...card,
    lambda,
    ...weighingErrors(shrunk(lambda)),
  }),
}
