import type { Loss } from './loss.js'

const rating = { form: 'squared', learnsFrom: 'impressions' } as const

/** (s − r)² of every rating. */
export const mse: Loss<'mse'> = {
  ...rating,
  name: 'mse',
  label: 'MSE',
  family: 'plain',
  weights: 'none',
  meaning: 'Squared error of every rating: predicts the ratings of pairs that users chose to rate.',
  docs: 'ratings.md#mse',
}

/** ω · (s − r)², ω being weights 1/b with mean 1 (Schnabel et al. 2016). */
export const ipsMse: Loss<'ips-mse'> = {
  ...rating,
  name: 'ips-mse',
  label: 'IPS-MSE',
  family: 'weighted',
  weights: 'ips',
  unweighted: mse.name,
  meaning:
    'Squared error with every rating weighted by 1/propensity, as if all pairs had been rated (MF-IPS; Schnabel et al. 2016).',
  docs: 'ratings.md#ips-mse',
}

/** (s − r̃)² of all pairs + ω · ((s − r)² − (s − r̃)²) of the rated ones, r̃ imputed by a second model (Wang et al. 2019). */
export const drJl: Loss<'dr-jl'> = {
  ...rating,
  name: 'dr-jl',
  label: 'DR-JL',
  family: 'weighted',
  weights: 'ips',
  imputes: true,
  withoutResampling:
    'takes imputed errors back from rated pairs, and events cannot be drawn with negative probability',
  unweighted: mse.name,
  meaning:
    'Doubly robust: errors of all pairs imputed by a second model learnt beside the first, corrected on the rated ones (Wang et al. 2019).',
  docs: 'ratings.md#dr-jl',
}
