import { least, row, times } from '../../sql/expression.js'
import type { TunedEstimator } from '../estimator.js'
import { one, term } from '../term.js'
import { cutting } from './cutting.js'

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
  tuning: cutting('IPS', 'zero'),
  with: (lambda) => ({
    ...card,
    lambda,
    ratios: [{ numerator: term(times(least(row.w, lambda), row.r)), denominator: one }],
    largestWeight: (maxWeight = Infinity) => Math.min(lambda, maxWeight),
  }),
}
