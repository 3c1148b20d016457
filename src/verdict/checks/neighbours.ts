import { col, type RowNumber } from '../../queries/query.js'
import { number, over, times, when } from '../../sql/expression.js'
import type { Window } from '../../queries/query.js'
import {
  type Asked,
  type Check,
  type Heard,
  MOST_TIED,
  type RowRepair,
  type Suspicion,
  withoutPreferences,
  withoutPropensities,
  withoutTimes,
} from '../check.js'
import { both, is, row } from '../frame.js'

/** Where a number may have slipped from: the row before or after it, of the same user or of the whole log. */
const SLIPS = ['before.user', 'after.user', 'before.log', 'after.log'] as const
type Slip = (typeof SLIPS)[number]

/** What may stand one row off: a reward, or the probability of the policy. */
interface Slipping {
  readonly letter: 'r' | 'p'
  readonly slips: readonly Slip[]
  readonly of: RowNumber
  readonly what: string
  readonly repair: (neighbour: RowNumber, hasOne: RowNumber) => RowRepair
}

const rewards: Slipping = {
  letter: 'r',
  slips: SLIPS,
  of: row.r,
  what: 'Rewards',
  // What a row without a neighbour earned is not known.
  repair: (neighbour, hasOne) => ({ reward: neighbour, weight: both(row.w, hasOne) }),
}
const probabilities: Slipping = {
  letter: 'p',
  // A column that slipped has done so in the order of the log.
  slips: ['before.log', 'after.log'],
  of: times(row.w, row.b),
  what: 'Probabilities of the policy',
  repair: (neighbour) => ({ weight: over(neighbour, row.b) }),
}

/** Numbers of neighbours, and their sums by item. */
const windowsOf = ({ letter, of, slips }: Slipping): readonly Window[] => [
  { name: 'itemRows', take: 'total', of: number(1), over: 'item' },
  { name: `item.${letter}`, take: 'total', of, over: 'item' },
  ...slips.flatMap((slip): Window[] => {
    const [take, over] = slip.split('.') as ['before' | 'after', 'user' | 'log']
    return [
      { name: `${letter}.${slip}`, take, of, over, otherwise: 0 },
      { name: `t.${slip}`, take, of: row.t, over, otherwise: NEVER },
      { name: `item.${letter}.${slip}`, take: 'total', of: col(`${letter}.${slip}`), over: 'item' },
    ]
  }),
]

/** The time of a row that is not there. */
const NEVER = 1e300
/** Numbers that differ by less than this share of their size differ by rounding. */
const ROUNDING = 1e-9
/** Items explain the number of a neighbour this many errors better than their own before it has slipped. */
const BEYOND = 6

/** How well items explain a number: Σ over items of (Σ x)²/rows. */
const explained = ({ letter, of, slips }: Slipping): Asked['sums'] => ({
  explained: {
    by: [],
    sums: {
      own: over(times(col(`item.${letter}`), of), col('itemRows')),
      items: over(number(1), col('itemRows')),
      total: of,
      squares: times(of, of),
      ...Object.fromEntries(
        slips.flatMap((slip) => [
          [slip, over(times(col(`item.${letter}.${slip}`), col(`${letter}.${slip}`)), col('itemRows'))],
          [`tied.${slip}`, is(row.t, '=', col(`t.${slip}`))],
        ]),
      ),
    },
  },
})

function suspectSlip({ sums, repaired, rows }: Heard, { what, slips }: Slipping): Suspicion[] {
  const found = sums['explained']!
  const [own, items, sum, squares] = ['own', 'items', 'total', 'squares'].map((name) => found[name]![0]!)
  const variance = squares! / rows - (sum! / rows) ** 2
  // Numbers that are all alike fit every row.
  if (!(variance > (ROUNDING * squares!) / rows)) return []
  const error = 2 * variance * Math.sqrt(Math.max(1, items! - 1))
  const ordered = slips.filter((slip) => found[`tied.${slip}`]![0]! <= MOST_TIED * rows)
  const best = ordered.toSorted((a, b) => found[b]![0]! - found[a]![0]!)[0]
  if (best === undefined) return []
  const excess = (found[best]![0]! - own!) / error
  if (!(excess > BEYOND)) return []
  const [side, of] = best.split('.') as [string, string]
  const where = side === 'before' ? 'above' : 'below'
  return [
    {
      repaired: repaired(best),
      chance: 1e-6,
      seen: `${what} seem to stand one row off: those of the row ${where}${of === 'user' ? ' of the same user' : ''} fit the items of rows better than their own.`,
      how: `with those of the row ${where}`,
      value: excess,
    },
  ]
}

const slipCheck = (
  slipping: Slipping,
  named: Pick<Check, 'code' | 'question' | 'finds' | 'helps' | 'without'>,
): Check => ({
  ...named,
  asks: () => ({
    windows: windowsOf(slipping),
    sums: explained(slipping)!,
    repairs: Object.fromEntries(
      slipping.slips.map((slip) => [
        slip,
        slipping.repair(col(`${slipping.letter}.${slip}`), is(col(`t.${slip}`), '<', NEVER)),
      ]),
    ),
  }),
  judge: (heard) => suspectSlip(heard, slipping),
})

export const neighbourChecks: readonly Check[] = [
  slipCheck(rewards, {
    code: 'rewards-shifted',
    question: 'rewards',
    finds: 'rewards that stand one row off, in the order of time',
    helps: 'Join rewards by the id of the impression.',
    without: withoutTimes,
  }),
  slipCheck(probabilities, {
    code: 'target-shifted',
    question: 'propensities',
    finds: 'probabilities of the policy that stand one row off',
    helps: 'Join them by the id of the impression.',
    without: (log) => withoutPreferences(log) ?? withoutTimes(log),
  }),
  {
    code: 'previous-row-matters',
    question: 'rewards',
    finds: 'rewards that depend on what the user was shown just before',
    helps:
      'Evaluate whole visits, or run a test: no weight of single rows knows what a policy does to the next row.',
    without: (log) => withoutPropensities(log) ?? withoutTimes(log),
    asks: () => ({
      sums: { ties: { by: [], sums: { tied: is(row.t, '=', col('lastTime')) } } },
      repairs: {
        together: {
          // First rows of users follow nothing.
          weight: when(col('lastReward'), '<', 0, row.w, times(row.w, col('lastWeight'))),
          isAlwaysAsked: true,
        },
      },
    }),
    judge: ({ repaired, sums, rows }) =>
      sums['ties']!['tied']![0]! > MOST_TIED * rows
        ? []
        : [
            {
              repaired: repaired('together'),
              seen: 'What a row earns depends on what the user was shown just before.',
              how: 'with the row before weighed too',
              harmless: { level: 'caution', text: 'Wrong propensities may look the same.' },
            },
          ],
  },
]
