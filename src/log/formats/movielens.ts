import type { Format } from './format.js'

/**
 * MovieLens ratings: 100K `u.data` (tabs), 1M `ratings.dat` (`::`, with or without the timestamp), and
 * `ratings.csv` of the later releases. A rating of 4 or more counts as a click. Users chose what they
 * rated, no policy did, so there are no propensities to be had.
 */
export const movielens: Format = {
  name: 'movielens',
  label: 'MovieLens',
  family: 'table',
  docs: 'formats.md#movielens',
  meaning: 'MovieLens 100K, 1M or latest: a file or its folder; ratings of 4 and more are clicks.',
  columns: { user: 'userId', item: 'movieId', reward: 'rating', time: 'timestamp' },
  withoutPropensity: true,
  headerless: ['userId', 'movieId', 'rating', 'timestamp'],
  files: ['u.data', 'ratings.dat', 'ratings.csv'],
  clickFrom: 4,
}
