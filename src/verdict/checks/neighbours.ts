import { col, type RowNumber } from '../../queries/query.js'
import { number, over, times, when } from '../../sql/expression.js'
import type { Window } from '../../queries/query.js'
import { type Check, type Heard, type Suspicion, withoutPropensities, withoutTimes } from '../check.js'
import { anywhere, is, row } from '../frame.js'

/** Where a reward may have slipped from: the row before or after it, of the same user or of the whole log. */
const SLIPS = ['before.user', 'after.user', 'before.log', 'after.log'] as const
type Slip = (typeof SLIPS)[number]

const slipped = (slip: Slip): RowNumber => col(`r.${slip}`)

/** Rewards of neighbours, and how well items explain them: Σ over items of (Σ x)²/rows, less what no item explains. */
const slipWindows: readonly Window[] = [
  { name: 'itemRows', take: 'total', of: number(1), over: 'item' },
  { name: 'itemReward', take: 'total', of: row.r, over: 'item' },
  ...SLIPS.flatMap((slip): Window[] => {
    const [take, over] = slip.split('.') as ['before' | 'after', 'user' | 'log']
    return [
      { name: `r.${slip}`, take, of: row.r, over, otherwise: 0 },
      { name: `t.${slip}`, take, of: row.t, over, otherwise: 1e300 },
      { name: `item.${slip}`, take: 'total', of: slipped(slip), over: 'item' },
    ]
  }),
]

/** Rows at the same time stand in no order: with more of them than this share, nothing is said of neighbours. */
const MOST_TIED = 0.05

/** Items explain the rewards of a neighbour this many errors better than their own before these have slipped. */
const BEYOND = 6

function suspectSlip({ sums, repaired, rows }: Heard): Suspicion[] {
  const found = sums['explained']!
  const [own, items, reward, squares] = ['own', 'items', 'reward', 'squares'].map((name) => found[name]![0]!)
  const variance = squares! / rows - (reward! / rows) ** 2
  const error = 2 * variance * Math.sqrt(Math.max(1, items! - 1))
  const ordered = SLIPS.filter((slip) => found[`tied.${slip}`]![0]! <= MOST_TIED * rows)
  const best = ordered.toSorted((a, b) => found[b]![0]! - found[a]![0]!)[0]
  if (best === undefined) return []
  const excess = (found[best]![0]! - own!) / error
  if (!(excess > BEYOND)) return []
  const [side, of] = best.split('.') as [string, string]
  return [
    {
      repaired: repaired[best]!,
      chance: 1e-6,
      seen: `The items of rows explain the rewards ${side === 'before' ? 'above' : 'below'} them${of === 'user' ? ' of the same user' : ''} better than their own. Rewards seem to stand one row off.`,
      how: `with the reward of the row ${side === 'before' ? 'above' : 'below'}`,
      value: excess,
    },
  ]
}

export const neighbourChecks: readonly Check[] = [
  {
    code: 'rewards-shifted',
    question: 'rewards',
    finds: 'rewards that stand one row off, in the order of time',
    helps: 'Join rewards by the id of the impression.',
    without: withoutTimes,
    asks: () => ({
      windows: slipWindows,
      sums: {
        explained: {
          by: [anywhere],
          sums: {
            own: over(times(col('itemReward'), row.r), col('itemRows')),
            items: over(number(1), col('itemRows')),
            reward: row.r,
            squares: times(row.r, row.r),
            ...Object.fromEntries(
              SLIPS.flatMap((slip) => [
                [slip, over(times(col(`item.${slip}`), slipped(slip)), col('itemRows'))],
                [`tied.${slip}`, is(row.t, '=', col(`t.${slip}`))],
              ]),
            ),
          },
        },
      },
      repairs: Object.fromEntries(SLIPS.map((slip) => [slip, { reward: slipped(slip) }])),
    }),
    judge: suspectSlip,
  },
  {
    code: 'previous-row-matters',
    question: 'rewards',
    finds: 'rewards that depend on what the user was shown just before',
    helps:
      'Evaluate whole visits, or run a test: no weight of single rows knows what a policy does to the next row.',
    without: (log) => withoutPropensities(log) ?? withoutTimes(log),
    asks: () => ({
      sums: { ties: { by: [anywhere], sums: { tied: is(row.t, '=', col('lastTime')) } } },
      repairs: {
        together: {
          // First rows of users follow nothing.
          weight: when(col('lastReward'), '<', 0, row.w, times(row.w, col('lastWeight'))),
        },
      },
    }),
    judge: ({ repaired, sums, rows }) =>
      sums['ties']!['tied']![0]! > MOST_TIED * rows
        ? []
        : [
            {
              repaired: repaired['together']!,
              seen: 'What a row earns depends on what the user was shown just before.',
              how: 'with the row before weighed too',
            },
          ],
  },
]
