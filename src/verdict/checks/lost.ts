import { col, type Label, type Sums } from '../../queries/query.js'
import { counted, formatCount } from '../../number-text.js'
import { exp, log } from '../../portable-math.js'
import { least, number, times } from '../../sql/expression.js'
import { poissonTail } from '../chance.js'
import { type Check, type Heard, MOST_TIED, ofThinned, type Suspicion } from '../check.js'
import {
  both,
  clicked,
  fromFirst,
  fromLast,
  hourOfDay,
  hourOfLog,
  is,
  type LogShape,
  ofUnit,
  partOf,
  row,
} from '../frame.js'

/** Groups of rows that are looked at for rewards: what one is called, and in which group a row is. */
const GROUPS = {
  stretches: ['stretch of time', 'stretches of time', partOf(32)],
  hours: ['hour', 'hours', hourOfLog],
  clock: ['hour of the day', 'hours of the day', hourOfDay],
  first: ['place in visits', 'places in visits', { of: least(fromFirst, 15), size: 16 }],
  last: [
    'place from the end of visits',
    'places from the end of visits',
    { of: least(fromLast, 15), size: 16 },
  ],
  positions: ['position', 'positions', { of: row.k, size: 16 }],
} as const satisfies Readonly<Record<string, readonly [string, string, Label]>>
type Group = keyof typeof GROUPS

const groupsOf = ({ hasTimes, hasClock, hasPositions, hasPages }: LogShape): readonly Group[] => [
  ...(hasTimes ? (['stretches'] as const) : []),
  ...(hasClock ? (['hours', 'clock'] as const) : []),
  ...(hasClock && !hasPages ? (['first', 'last'] as const) : []),
  ...(hasPositions ? (['positions'] as const) : []),
]

const weight = times(row.n, row.w)

/** A group of rows: those it has, those with a reward, and Σ w. */
interface Counted {
  readonly rows: number
  readonly clicks: number
  readonly weight: number
}

/** The groups that have rows. */
const countedIn = ({ rows, clicks, weight: w }: Sums): Counted[] =>
  Array.from(rows!.keys())
    .filter((cell) => rows![cell] !== 0)
    .map((cell) => ({ rows: rows![cell]!, clicks: clicks![cell]!, weight: w![cell]! }))

/** Groups in which fewer rewards are due may be silent by chance. */
const LEAST_DUE = [1.5, 3, 6, 12, 24, 48]
/** Rates of groups differ by this squared coefficient of variation at least. */
const LEAST_SPREAD = 0.1
/** More groups may be silent by chance than a Gamma distribution of rates has it, but not by this factor. */
const MARGIN = 1.3

/** Silent groups beyond chance. */
interface Silence {
  readonly group: Group
  readonly groups: number
  readonly due: number
  readonly rows: number
  readonly weight: number
  /** The share of them that chance does not explain. */
  readonly beyond: number
  readonly chance: number
}

/**
 * How probable it is that so many groups have no reward. Rates of groups follow a Gamma distribution, whose spread is that of the
 * groups that have rewards; rewards come in clusters of so many, those of a visit, or of a user
 * and item.
 */
function silenceOf(group: Group, counts: readonly Counted[], cluster: number, overall: number): Silence[] {
  return LEAST_DUE.flatMap((due): Silence[] => {
    const looked = counts.filter(({ rows }) => rows * overall >= due * cluster)
    const [silent, loud] = [
      looked.filter(({ clicks }) => clicks === 0),
      looked.filter(({ clicks }) => clicks > 0),
    ]
    if (silent.length === 0) return []
    // What groups that have rewards are like.
    const rate = loud.length > 0 ? sumOf(loud, 'clicks') / sumOf(loud, 'rows') : overall
    let [products, squares] = [0, 0]
    for (const { rows, clicks } of loud) {
      const mean = rows * rate
      products += (clicks - mean) ** 2 - cluster * mean
      squares += mean ** 2
    }
    const spread = Math.max(LEAST_SPREAD, squares > 0 ? products / squares : 1)
    let expected = 0
    for (const { rows } of looked) expected += exp(-log(1 + (spread * rows * rate) / cluster) / spread)
    const rowsOfSilent = sumOf(silent, 'rows')
    return [
      {
        group,
        groups: silent.length,
        due: rowsOfSilent * rate,
        rows: rowsOfSilent,
        weight: sumOf(silent, 'weight'),
        beyond: Math.max(0, 1 - expected / silent.length),
        chance: poissonTail(silent.length, MARGIN * expected),
      },
    ]
  })
}

const sumOf = (counts: readonly Counted[], of: keyof Counted): number =>
  counts.reduce((sum, one) => sum + one[of], 0)

/** So improbable is what lowers a verdict, over all groups that are looked at. */
const BEYOND = 1e-5

function suspectSilence({ sums, rows }: Heard, log: LogShape): Suspicion[] {
  const { clicks, ofPair, ofVisit, tied, weight: w, weighted } = sums['log']!
  const rate = clicks![0]! / rows
  if (!(rate > 0)) return []
  const cluster = Math.max(1, (ofVisit ?? ofPair!)[0]! / clicks![0]!)
  const isTied = tied !== undefined && tied[0]! > MOST_TIED * rows
  const [most] = groupsOf(log)
    .filter((group) => !isTied || (group !== 'first' && group !== 'last'))
    .flatMap((group) => silenceOf(group, countedIn(sums[group]!), cluster, rate))
    .filter(({ chance }) => chance < BEYOND)
    .toSorted((a, b) => b.due * b.beyond - a.due * a.beyond)
  if (!most) return []
  const [X, Y, lost] = [w![0]!, weighted![0]!, most.weight * most.beyond]
  const [one, several] = GROUPS[most.group]
  return [
    {
      repaired: {
        shift: X > lost ? Y / (X - lost) - Y / X : 0,
        users: new Float64Array(0),
        effectiveUsers: 0,
      },
      chance: most.chance,
      seen: `${formatCount(Math.round(most.rows))} rows in ${counted(most.groups, one, several)} have no reward at all, where about ${formatCount(Math.round(most.due))} are expected.`,
      how: `without ${most.groups === 1 ? 'it' : 'them'}`,
      driver: most.groups === 1 ? one : several,
      value: most.rows,
    },
  ]
}

export const lostCheck: Check = {
  code: 'rewards-lost',
  question: 'rewards',
  finds: 'hours, places in visits or positions without any reward, where many are due',
  helps: 'Leave out what rewards were not recorded for.',
  without: (log) =>
    ofThinned(log) ?? (groupsOf(log).length === 0 ? 'the log has neither times nor positions' : undefined),
  asks: (log) => ({
    sums: {
      log: {
        by: [],
        sums: {
          clicks: clicked,
          weight,
          weighted: times(weight, row.r),
          ofPair: both(clicked, ofUnit('pair').clicks),
          ...(log.hasTimes && {
            ofVisit: both(clicked, ofUnit('visit').clicks),
            tied: is(row.t, '=', col('lastTime')),
          }),
        },
      },
      ...Object.fromEntries(
        groupsOf(log).map((group) => [
          group,
          {
            by: [GROUPS[group][2]],
            sums: { rows: number(1), clicks: clicked, weight },
          },
        ]),
      ),
    },
  }),
  judge: suspectSilence,
}
