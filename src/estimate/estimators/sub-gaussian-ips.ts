import type { TunedEstimator } from '../estimator.js'
import { harmonic, shrinking } from './harmonic.js'
import { weighingRewards } from './weighing.js'

const card = {
  name: 'sub-gaussian-ips',
  label: 'Sub-Gaussian IPS',
  family: 'weighted',
  meaning: 'IPS with weights shrunk towards 1: the larger λ, the more.',
  docs: 'estimators/sub-gaussian-ips.md',
  rows: 'plain',
} as const

/** IPS with weights shrunk harmonically, w/(1 − λ + λw) (Metelli et al. 2021): λ = 0 is IPS, λ = 1 the mean reward. */
export const subGaussianIps: TunedEstimator<'sub-gaussian-ips'> = {
  ...card,
  tuning: shrinking('IPS', 'logged mean'),
  with: (lambda) => ({
    ...card,
    lambda,
    ...weighingRewards(harmonic(lambda)),
    largestWeight: (maxWeight) => {
      if (maxWeight !== undefined) return maxWeight / (1 - lambda + lambda * maxWeight)
      return lambda > 0 ? Math.max(1, 1 / lambda) : undefined
    },
  }),
}
