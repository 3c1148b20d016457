import type { Format } from './format.js'

/**
 * Ratings as LensKit takes them: `user_id, item_id, rating`, or `user, item, rating` up to release 0.14. A rating of 4
 * or more counts as a click. Other tables have such names too, so this layout is not guessed.
 */
export const lenskit: Format = {
  name: 'lenskit',
  label: 'LensKit',
  family: 'table',
  docs: 'formats.md#lenskit',
  meaning: 'LensKit ratings: user_id, item_id, rating, timestamp; ratings of 4 or more are clicks.',
  columns: {
    user: { anyOf: ['user_id', 'user'] },
    item: { anyOf: ['item_id', 'item'] },
    reward: 'rating',
    time: 'timestamp',
  },
  withoutPropensity: true,
  clickFrom: 4,
  isGuessed: false,
}
