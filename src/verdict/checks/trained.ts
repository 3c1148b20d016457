import { col, type RowNumber, userBucket, type Window } from '../../queries/query.js'
import { minus, most, over, times, when } from '../../sql/expression.js'
import { normalCdf } from '../../normal.js'
import { type Check, withoutPreferences } from '../check.js'
import { row } from '../frame.js'

/** 1 for rows that the policy could show. */
const isShown = when<string>(row.w, '>', 0, 1, 0)
/** ln π of those. */
const preference: RowNumber = when(
  row.w,
  '>',
  0,
  { kind: 'function', name: 'log', of: most(times(row.w, row.b), 1e-300) },
  0,
)
const mean = (of: string, per: string): RowNumber => over(col(of), most(col(per), 1))

/** Less the mean of their item: what the policy prefers, and what a row earned. */
const preferred = times(isShown, minus(preference, mean('itemPreference', 'itemShown')))
const earned = times(isShown, minus(row.r, mean('itemEarned', 'itemShown')))
/** The same less the mean of the user's rows. */
const x = times(isShown, minus(preferred, mean('userPreference', 'userShown')))
const e = times(isShown, minus(earned, mean('userEarned', 'userShown')))
/** What is left of a row's reward when what goes with the policy's preference, the same for all users, is taken away. */
const left = minus(e, times(over(col('logTogether'), most(col('logSquares'), 1e-300)), x))

const windows: readonly Window[] = [
  { name: 'itemShown', take: 'total', of: isShown, over: 'item' },
  { name: 'itemPreference', take: 'total', of: preference, over: 'item' },
  { name: 'itemEarned', take: 'total', of: times(isShown, row.r), over: 'item' },
  { name: 'userShown', take: 'total', of: isShown, over: 'user' },
  { name: 'userPreference', take: 'total', of: preferred, over: 'user' },
  { name: 'userEarned', take: 'total', of: earned, over: 'user' },
  { name: 'logTogether', take: 'total', of: times(x, e), over: 'log' },
  { name: 'logSquares', take: 'total', of: times(x, x), over: 'log' },
  { name: 'userProducts', take: 'total', of: times(x, left), over: 'user' },
  { name: 'userSquares', take: 'total', of: times(times(x, left), times(x, left)), over: 'user' },
]

/** Standard errors below 0 that no policy made elsewhere came to. */
const BEYOND = 4.5

/**
 * Two rows of a user are drawn independently, so what a policy made elsewhere leaves of their rewards, along its own preferences,
 * has products that average a square: never less than 0. One trained on the rows has used up some of their chance.
 */
export const trainedCheck: Check = {
  code: 'trained-on-this-log',
  question: 'declared',
  finds: 'policies that were computed from the rewards of these rows',
  helps: 'Make the policy from other rows: set users or days aside for the evaluation.',
  without: withoutPreferences,
  asks: () => ({
    windows,
    sums: {
      pairs: {
        by: [userBucket],
        sums: {
          products: over(
            minus(times(col('userProducts'), col('userProducts')), col('userSquares')),
            col('userRows'),
          ),
        },
      },
    },
  }),
  judge: ({ sums }) => {
    const { products } = sums['pairs']!
    const sum = products!.reduce((all, own) => all + own, 0)
    const squares = products!.reduce((all, own) => all + own * own, 0)
    const errors = squares > 0 ? sum / Math.sqrt(squares) : 0
    if (errors > -BEYOND) return []
    return [
      {
        repaired: null,
        chance: normalCdf(errors),
        seen: `The residuals of users’ rewards vary together less than chance allows under this policy (${Math.abs(errors).toFixed(1)} standard errors): it seems to be trained on this log, so the answer is too high.`,
        value: errors,
      },
    ]
  },
}
