import type { Format } from './format.js'

/**
 * RecBole's atomic files, `NAME.inter`: tabs, and a header that names a type with each column. Rewards are kept as they
 * are, since a file has ratings or labels. Users, not a policy, chose what they rated, so there are no propensities.
 */
export const recbole: Format = {
  name: 'recbole',
  label: 'RecBole',
  family: 'table',
  docs: 'formats.md#recbole',
  meaning: 'RecBole atomic files (.inter): user_id:token, item_id:token, label:float or rating:float.',
  columns: {
    user: 'user_id:token',
    item: 'item_id:token',
    reward: { anyOf: ['label:float', 'rating:float'] },
    time: 'timestamp:float',
  },
  withoutPropensity: true,
}
