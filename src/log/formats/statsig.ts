import type { Format } from './format.js'

/**
 * Exposures of Statsig, as its first_exposures report names them. They do not say how likely the group was: where
 * weights change over time, as in Autotune, the weight at the time of the exposure must be joined.
 */
export const statsig: Format = {
  name: 'statsig',
  label: 'Statsig',
  family: 'table',
  docs: 'formats.md#statsig',
  meaning:
    'Statsig exposures: unit_id, experiment_group, first_exposure_utc; the weight of the group and the reward must be joined.',
  columns: {
    user: { anyOf: ['unit_id', 'user_id', 'stable_id'] },
    item: { anyOf: ['experiment_group', 'group_id'] },
    reward: { anyOf: ['reward', 'outcome'] },
    propensity: { anyOf: ['propensity', 'weight'] },
    time: { anyOf: ['first_exposure_utc', 'timestamp'] },
  },
  exposuresOnly: true,
}
