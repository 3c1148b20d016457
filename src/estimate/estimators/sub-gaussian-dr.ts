import type { TunedEstimator } from '../estimator.js'
import { harmonic, shrinking } from './harmonic.js'
import { weighingErrors } from './weighing.js'

const card = {
  name: 'sub-gaussian-dr',
  label: 'Sub-Gaussian DR',
  family: 'doubly-robust',
  meaning: 'DR with weights shrunk towards 1: the larger λ, the more.',
  docs: 'estimators/sub-gaussian-dr.md',
  rows: 'model',
} as const

/** DR with weights shrunk harmonically, w/(1 − λ + λw): λ = 0 is DR. */
export const subGaussianDr: TunedEstimator<'sub-gaussian-dr'> = {
  ...card,
  tuning: shrinking('DR', 'no weights'),
  with: (lambda) => ({
    ...card,
    lambda,
    ...weighingErrors(harmonic(lambda)),
  }),
}
