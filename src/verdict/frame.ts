import type { Guest } from '../log/guest.js'
import {
  col,
  floor,
  remainder,
  type Label,
  type Partition,
  type RowNumber,
  type Window,
} from '../queries/query.js'
import { least, minus, number, over, plus, times, when } from '../sql/expression.js'

/** What columns a log has, and what is asked of it: decides which checks apply. */
export interface LogShape {
  readonly hasTimes: boolean
  /** Its times are those of a clock, so that hours and days are known. */
  readonly hasClock: boolean
  readonly hasPropensities: boolean
  /** The target needs propensities, and the log has some. */
  readonly usesPropensities: boolean
  readonly hasPositions: boolean
  readonly hasPages: boolean
  /** Rows stand for several impressions each: a thinned log, whose rows are not counted. */
  readonly isThinned: boolean
  /** The user id that is no person, which batches do not depend on. */
  readonly guest?: Guest | null
  /** The target prefers no item, whoever is shown it. */
  readonly isBlind?: boolean
}

const [r, w, b, n, t, i] = ['r', 'w', 'b', 'n', 't', 'i'].map(col) as [
  RowNumber,
  RowNumber,
  RowNumber,
  RowNumber,
  RowNumber,
  RowNumber,
]
/** The columns of a row. */
export const row = { r, w, b, n, t, i, k: col('k') }

/** 1 where all of these hold, else 0. */
export const both = (...conditions: readonly RowNumber[]): RowNumber =>
  conditions.reduce((all, condition) => times(all, condition))
export const is = (
  left: RowNumber,
  relation: '=' | '!=' | '<' | '<=' | '>' | '>=',
  right: RowNumber | number,
): RowNumber => when(left, relation, right, 1, 0)

/** 1 for a row that earned something. */
export const clicked = is(r, '>', 0)

/** How many units of the log's times make a day, as `unitsPerDay` has it. */
const day = when<string>(
  col('last'),
  '>=',
  1e17,
  86_400e9,
  when<string>(col('last'), '>=', 1e14, 86_400e6, when<string>(col('last'), '>=', 1e11, 86_400e3, 86_400)),
)
const hour = over(day, 24)

/** Seconds since the row before it of the same user; huge for the first. */
export const gap = over(minus(t, col('lastTime')), over(day, 86_400))

/** Equal parts of the time that the log covers. */
export const partOf = (parts: number): Label => ({
  of: least(
    floor(over(times(minus(t, col('first')), parts), plus(minus(col('last'), col('first')), 1e-9))),
    parts - 1,
  ),
  size: parts,
})
/** The block of four hours of the day. */
export const hourBlock: Label = { of: floor(over(remainder(t, day), times(hour, 4))), size: 6 }
/** Days before the last one of the log, from 0. */
export const daysBack: Label = {
  of: minus(floor(over(col('last'), day)), floor(over(t, day))),
  size: 512,
}
/** Hours since the first row of the log, in a log of a year at most. */
export const hourOfLog: Label = {
  of: minus(floor(over(t, hour)), floor(over(col('first'), hour))),
  size: 8784,
}
export const hourOfDay: Label = { of: floor(over(remainder(t, day), hour)), size: 24 }
/** The place of a row in its visit, from its first row and from its last, which is 0. */
export const fromFirst = minus(col('visitPlace'), 1)
export const fromLast = minus(col('visitRows'), col('visitPlace'))
/** All rows alike. */
export const anywhere: Label = { of: number(0), size: 1 }

/** Rows of a user that were seen together, as logs and joins define it. */
export const UNITS = ['visit', 'hour', 'day'] as const
export type Unit = (typeof UNITS)[number]

const partitionOf: Readonly<Record<Unit, Partition>> = {
  visit: [col('visit')],
  hour: [floor(over(t, hour))],
  day: [floor(over(t, day))],
}

/** Rows of a unit, those that were clicked, and the clicks up to a row. */
export const ofUnit = (
  unit: Unit | 'user' | 'pair',
): { rows: RowNumber; clicks: RowNumber; soFar: RowNumber } => ({
  rows: col(`${unit}Rows`),
  clicks: col(`${unit}Clicks`),
  soFar: col(`${unit}SoFar`),
})

/** The click rate of a user's rows outside a unit; a row at the log's rate is added, so that it is never 0 or 1. */
export function rateElsewhere(unit: Unit | 'pair'): RowNumber {
  const own = ofUnit(unit)
  const all = ofUnit('user')
  const overall = over(plus(col('logClicks'), 1), plus(col('logRows'), 2))
  return over(plus(minus(all.clicks, own.clicks), overall), plus(minus(all.rows, own.rows), 1))
}

/** All windows that checks may name, each naming only those before it. */
export function windowsOf({ hasTimes, hasPropensities, hasPositions }: LogShape): Window[] {
  const one = number(1)
  const counted = (name: string, partition: Partition): Window[] => [
    { name: `${name}Rows`, take: 'total', of: one, over: partition },
    { name: `${name}Clicks`, take: 'total', of: clicked, over: partition },
  ]
  // What rows must agree in to be copies: those of a user and moment stand side by side.
  const alike = [i, r, ...(hasPropensities ? [b] : [])]
  return [
    ...counted('log', 'log'),
    ...counted('user', 'user'),
    ...counted('pair', 'pair'),
    {
      name: 'copies',
      take: 'total',
      of: one,
      over: hasTimes ? [t, ...alike, ...(hasPositions ? [row.k] : [])] : alike,
    },
    ...(hasTimes
      ? ([
          { name: 'first', take: 'least', of: t, over: 'log' },
          { name: 'last', take: 'most', of: t, over: 'log' },
          { name: 'momentRows', take: 'total', of: one, over: [t] },
          { name: 'lastTime', take: 'before', of: t, over: 'user', otherwise: -1e300 },
          { name: 'lastReward', take: 'before', of: r, over: 'user', otherwise: -1 },
          { name: 'lastItem', take: 'before', of: i, over: 'user', otherwise: -1 },
          { name: 'lastWeight', take: 'before', of: w, over: 'user', otherwise: 1 },
          { name: 'pairSoFar', take: 'running', of: clicked, over: 'pair' },
          { name: 'visit', take: 'running', of: is(gap, '>', 1800), over: 'user' },
          { name: 'visitPlace', take: 'running', of: one, over: partitionOf.visit },
          ...UNITS.flatMap((unit) => [
            ...counted(unit, partitionOf[unit]),
            { name: `${unit}SoFar`, take: 'running', of: clicked, over: partitionOf[unit] } as const,
          ]),
        ] satisfies Window[])
      : []),
  ]
}
