import type { Format } from './format.js'

/**
 * Exposures of a GrowthBook bandit: the columns of its assignment query, with `variation_weights` as contextual bandits
 * log them. The weight of the variation shown is the propensity; variations are numbered from 0.
 */
export const growthbook: Format = {
  name: 'growthbook',
  label: 'GrowthBook',
  family: 'table',
  docs: 'formats.md#growthbook',
  meaning:
    'GrowthBook bandit exposures: user_id, variation_id, variation_weights; the weight shown is the propensity, the reward must be joined.',
  columns: {
    user: { anyOf: ['user_id', 'anonymous_id', 'device_id'] },
    item: 'variation_id',
    reward: { anyOf: ['reward', 'outcome'] },
    propensity: { anyOf: ['variation_weights[variation_id]', 'variation_weight', 'propensity'] },
    time: 'timestamp',
  },
  exposuresOnly: true,
}
