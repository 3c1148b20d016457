import { col, floor, type Label, type RowNumber, type Sums } from '../../queries/query.js'
import { counted, formatCount } from '../../number-text.js'
import { exp, log } from '../../portable-math.js'
import { least, number, over, plus, times } from '../../sql/expression.js'
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
  // Items are told apart by how many rows show them: by powers of two, half a row from where engines round apart.
  items: [
    'item',
    'items',
    { of: floor(over(logarithm(plus(col('itemRows'), 0.5)), number(Math.LN2))), size: 40 },
  ],
} as const satisfies Readonly<Record<string, readonly [string, string, Label]>>
type Group = keyof typeof GROUPS

function logarithm(of: RowNumber): RowNumber {
  return { kind: 'function', name: 'log', of }
}

const groupsOf = ({ hasTimes, hasClock, hasPositions, hasPages }: LogShape): readonly Group[] => [
  ...(hasTimes ? (['stretches'] as const) : []),
  ...(hasClock ? (['hours', 'clock'] as const) : []),
  ...(hasClock && !hasPages ? (['first', 'last'] as const) : []),
  ...(hasPositions ? (['positions'] as const) : []),
  'items',
]

const itemRows = col('itemRows')
const itemClicks = col('itemClicks')
const isSilentItem = is(itemClicks, '=', 0)
const weight = times(row.n, row.w)

/** Groups of nearly as many rows: how many there are, and how many of them have no reward. */
interface Stratum {
  readonly groups: number
  readonly silent: number
  /** Of one group. */
  readonly rows: number
  readonly clicks: number
  /** Squared clicks of its groups that have some. */
  readonly squares: number
  /** Σ w of the silent ones. */
  readonly weight: number
}

function strataOf(group: Group, { groups, silent, rows, clicks, squares, weight: w }: Sums): Stratum[] {
  return Array.from(rows!.keys()).flatMap((cell): Stratum[] => {
    if (rows![cell] === 0) return []
    if (group !== 'items') {
      const count = clicks![cell]!
      const isSilent = count === 0
      return [
        {
          groups: 1,
          silent: isSilent ? 1 : 0,
          rows: rows![cell]!,
          clicks: count,
          squares: count ** 2,
          weight: isSilent ? w![cell]! : 0,
        },
      ]
    }
    const count = Math.round(groups![cell]!)
    return [
      {
        groups: count,
        silent: Math.round(silent![cell]!),
        rows: rows![cell]! / count,
        clicks: clicks![cell]! / count,
        squares: squares![cell]!,
        weight: w![cell]!,
      },
    ]
  })
}

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
function silenceOf(group: Group, strata: readonly Stratum[], cluster: number, overall: number): Silence[] {
  return LEAST_DUE.flatMap((due): Silence[] => {
    const looked = strata.filter(({ rows }) => rows * overall >= due * cluster)
    let [seen, rowsOfSilent, weightOfSilent, all, earned] = [0, 0, 0, 0, 0]
    for (const { groups, silent, rows, clicks, weight: w } of looked) {
      seen += silent
      rowsOfSilent += silent * rows
      weightOfSilent += w
      all += (groups - silent) * rows
      earned += groups * clicks
    }
    // What groups that have rewards are like.
    const rate = all > 0 ? earned / all : overall
    let [products, squares] = [0, 0]
    for (const { groups, silent, rows, clicks, squares: ofClicks } of looked) {
      const [mean, loud] = [rows * rate, groups - silent]
      products += ofClicks - 2 * mean * groups * clicks + loud * mean ** 2 - cluster * loud * mean
      squares += loud * mean ** 2
    }
    if (seen === 0) return []
    const spread = Math.max(LEAST_SPREAD, squares > 0 ? products / squares : 1)
    let expected = 0
    for (const { groups, rows } of looked)
      expected += groups * exp(-log(1 + (spread * rows * rate) / cluster) / spread)
    return [
      {
        group,
        groups: seen,
        due: rowsOfSilent * rate,
        rows: rowsOfSilent,
        weight: weightOfSilent,
        beyond: Math.max(0, 1 - expected / seen),
        chance: poissonTail(seen, MARGIN * expected),
      },
    ]
  })
}

/** So improbable is what lowers a verdict, over all groups that are looked at. */
const BEYOND = 1e-5

function suspectSilence({ sums, rows }: Heard, log: LogShape): Suspicion[] {
  const { clicks, ofPair, ofVisit, tied, weight: w, weighted } = sums['log']!
  const rate = clicks![0]! / rows
  if (!(rate > 0)) return []
  const clusterOf = (group: Group): number =>
    Math.max(1, (ofVisit && group !== 'items' ? ofVisit : ofPair!)[0]! / clicks![0]!)
  const isTied = tied !== undefined && tied[0]! > MOST_TIED * rows
  const [most] = groupsOf(log)
    .filter((group) => !isTied || (group !== 'first' && group !== 'last'))
    .flatMap((group) => silenceOf(group, strataOf(group, sums[group]!), clusterOf(group), rate))
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
  finds: 'hours, places in visits, positions or items without any reward, where many are due',
  helps: 'Leave out what rewards were not recorded for.',
  without: ofThinned,
  asks: (log) => ({
    windows: [
      { name: 'itemRows', take: 'total', of: number(1), over: 'item' },
      { name: 'itemClicks', take: 'total', of: clicked, over: 'item' },
    ],
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
            sums: {
              rows: number(1),
              clicks: clicked,
              ...(group === 'items'
                ? {
                    groups: over(number(1), itemRows),
                    silent: over(isSilentItem, itemRows),
                    squares: over(times(itemClicks, itemClicks), itemRows),
                    weight: both(weight, isSilentItem),
                  }
                : { weight }),
            },
          },
        ]),
      ),
    },
  }),
  judge: suspectSilence,
}
