import type { Format } from './format.js'

/**
 * MovieLens ratings: 100K `u.data` (tabs), 1M `ratings.dat` (`::`, with or without the timestamp), and
 * `ratings.csv` of the later releases. A rating of 4 or more counts as a click. Users, not a
 * policy, chose what they rated, so there are no propensities.
 */
export const movielens: Format = {
  name: 'movielens',
  label: 'MovieLens',
  family: 'table',
  docs: 'formats.md#movielens',
  meaning: 'MovieLens 100K, 1M or latest: a file or its folder; ratings of 4 or more are clicks.',
  columns: { user: 'userId', item: 'movieId', reward: 'rating', time: 'timestamp' },
  withoutPropensity: true,
  headerless: ['userId', 'movieId', 'rating', 'timestamp'],
  files: ['u.data', 'ratings.dat', 'ratings.csv'],
  clickFrom: 4,
}
