import type { SqlView } from '../weighed-rows.js'
import { named, type Step } from './layout.js'
import { MOST_RECORDED } from './script-format.js'

/** About so many rows come back. */
const MOST_SENT = MOST_RECORDED
/** There are so many buckets of users. */
const BUCKETS = 65_536

/**
 * Steps for `sample_rows`: all rows of some users, for the checks that look at rows: copies, a floor under the propensities,
 * items that were shown too rarely, balance by time and position. Users are numbered, so that no id of one comes back.
 */
export function sampleSteps({ dialect }: SqlView): Step[] {
  const { double, number, text } = dialect
  const every = `greatest(${number(1)}, least(${number(BUCKETS)}, ${double(`ceil(row_count / ${number(MOST_SENT)})`)}))`
  return [
    {
      name: 'sampled_users',
      about: `Some users, taken by the MD5 of their ids, so that they have about ${MOST_SENT.toLocaleString('en-US')} rows together.`,
      select: {
        columns: ['sampled'],
        from: `(SELECT cluster AS sampled, n, ${double(dialect.bucket(text('cluster')))} AS bucket, ${every} AS every FROM by_user CROSS JOIN counts) AS hashed_users`,
        where: `bucket = every * ${dialect.floor('(bucket / every)')} AND n <= ${number(MOST_SENT)}`,
      },
    },
    {
      name: 'sample_rows',
      about: 'Their rows, with a number for each user in place of the id.',
      select: {
        columns: [
          named(double('dense_rank() OVER (ORDER BY sampled)'), 'user_number'),
          ...['shown_item', 'r', 'b', 'place_shown', 'shown_at', 'number_of'].map(
            (column) => `weighed.${column}`,
          ),
        ],
        from: 'weighed JOIN sampled_users ON weighed.cluster = sampled_users.sampled',
      },
    },
  ]
}
