import { least, row } from '../../sql/expression.js'
import type { TunedEstimator } from '../estimator.js'
import { cutting } from './cutting.js'
import { weighingRewards } from './weighing.js'

const card = {
  name: 'clipped-ips',
  label: 'Clipped IPS',
  family: 'weighted',
  meaning: 'IPS with weights clipped at λ: less variance, but biased where weights exceed λ.',
  docs: 'estimators/clipped-ips.md',
  rows: 'plain',
} as const

/** IPS with weights cut at λ: V = S[min(w, λ) r]/n. λ → ∞ is IPS. */
export const clippedIps: TunedEstimator<'clipped-ips'> = {
  ...card,
  tuning: { ...cutting('IPS', 'zero'), coversWhenTuned: true },
  with: (lambda) => ({
    ...card,
    lambda,
    ...weighingRewards(least(row.w, lambda)),
    largestWeight: (maxWeight = Infinity) => Math.min(lambda, maxWeight),
  }),
}
