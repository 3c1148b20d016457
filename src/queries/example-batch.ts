import { least, minus, number, over, plus, times, when } from '../sql/expression.js'
import {
  type Batch,
  col,
  floor,
  type Label,
  type RowNumber,
  remainder,
  userBucket,
  type Window,
} from './query.js'

/** What a log has, by which the batch differs. */
export interface ExampleShape {
  readonly hasTimes: boolean
  readonly hasPositions: boolean
  readonly hasPropensities: boolean
}

const [r, w, b, t, i] = ['r', 'w', 'b', 't', 'i'].map(col) as [
  RowNumber,
  RowNumber,
  RowNumber,
  RowNumber,
  RowNumber,
]
const clicked = when(r, '>', 0, 1, 0)
const hour = 3_600_000
const partOf = (parts: number): Label => ({
  of: least(number(parts - 1), floor(over(times(number(parts), minus(t, col('first'))), plus(minus(col('last'), col('first')), 1e-9)))), // prettier-ignore
  size: parts,
})
const anywhere: Label = { of: number(0), size: 1 }
const both = (...conditions: RowNumber[]): RowNumber => conditions.reduce((all, one) => times(all, one))

/** A batch as checks of a verdict ask it: with times some 25 windows, ten queries for sums and six factors. */
export function exampleBatch({ hasTimes, hasPositions, hasPropensities }: ExampleShape): Batch {
  const units = hasTimes ? ['visit', 'hour', 'day'] : []
  const partitions = { visit: [col('visit')], hour: [floor(over(t, hour))], day: [floor(over(t, 24 * hour))] }
  const counted = (name: string, partition: Window['over']): Window[] => [
    { name: `${name}Rows`, take: 'total', of: number(1), over: partition },
    { name: `${name}Clicks`, take: 'total', of: clicked, over: partition },
  ]
  const alike = [i, r, ...(hasPropensities ? [b] : []), ...(hasPositions ? [col('k')] : [])]
  const windows: Window[] = [
    ...counted('log', 'log'),
    ...counted('user', 'user'),
    ...counted('pair', 'pair'),
    ...counted('item', 'item'),
    { name: 'copies', take: 'total', of: number(1), over: hasTimes ? [t, ...alike] : alike },
    ...(hasTimes
      ? ([
          { name: 'first', take: 'least', of: t, over: 'log' },
          { name: 'last', take: 'most', of: t, over: 'log' },
          { name: 'lastTime', take: 'before', of: t, over: 'user', otherwise: -1e300 },
          { name: 'lastReward', take: 'before', of: r, over: 'user', otherwise: -1 },
          { name: 'lastWeight', take: 'before', of: w, over: 'user', otherwise: 1 },
          { name: 'visit', take: 'running', of: when(minus(t, col('lastTime')), '>', 1800_000, 1, 0), over: 'user' }, // prettier-ignore
          ...(['visit', 'hour', 'day'] as const).flatMap((unit) => [
            ...counted(unit, partitions[unit]),
            { name: `${unit}SoFar`, take: 'running', of: clicked, over: partitions[unit] } as const,
          ]),
        ] satisfies Window[])
      : []),
  ]
  const agreement = (unit: string) => {
    const [rows, clicks] = [col(`${unit}Rows`), col(`${unit}Clicks`)]
    const share = over(1, rows)
    const several = when(rows, '>=', 2, 1, 0)
    const rate = over(plus(minus(col('userClicks'), clicks), 0.1), plus(minus(col('userRows'), rows), 1))
    return {
      by: [anywhere],
      sums: {
        units: both(several, share),
        mixed: both(several, share, when(clicks, '>', 0, 1, 0), when(clicks, '<', rows, 1, 0)),
        expected: both(several, share, { kind: 'function', name: 'exp', of: times(rows, { kind: 'function', name: 'log', of: rate }) }), // prettier-ignore
        paid: both(several, share, when(clicks, '=', rows, 1, 0)),
      },
    }
  }
  const repaired = (weight: RowNumber, reward = r) => ({
    by: [userBucket],
    sums: { w: times(col('n'), weight), wr: times(col('n'), times(weight, reward)) },
  })
  const shares = over(1, b)
  const time = hasTimes ? { time: partOf(32) } : {}
  return {
    windows,
    sums: {
      users: repaired(w),
      copies: repaired(over(w, col('copies'))),
      ...Object.fromEntries(['pair', ...units].map((unit) => [unit, agreement(unit)])),
      sizes: { by: [{ of: least(31, col('userRows')), size: 32 }], sums: { rows: number(1), none: when(col('userClicks'), '=', 0, 1, 0) }, least: { fewest: col('userClicks') }, most: { heaviest: w } }, // prettier-ignore
      ...(hasTimes && {
        late: repaired(times(w, when(t, '<', minus(col('last'), 24 * hour), 1, 0))),
        first: repaired(times(w, when(col('visitSoFar'), '=', col('visitClicks'), 1, 0))),
        days: {
          by: [
            { of: minus(floor(over(col('last'), 24 * hour)), floor(over(t, 24 * hour))), size: 64 },
            userBucket,
          ],
          sums: { w, wr: times(w, r) },
        },
        next: repaired(col('lastWeight')),
      }),
    },
    factors: {
      ...(hasPropensities && {
        shares: { measure: shares, of: 'item', by: anywhere, ...time },
        ...(hasTimes && {
          eighths: { measure: shares, of: 'item', by: partOf(8), ...time },
          hours: { measure: shares, of: 'item', by: { of: floor(over(remainder(t, 24 * hour), 4 * hour)), size: 6 }, ...time }, // prettier-ignore
          after: { measure: shares, of: 'item', by: { of: when(col('lastReward'), '<', 0, 0, plus(1, when(col('lastReward'), '>', 0, 1, 0))), size: 3 }, ...time }, // prettier-ignore
        }),
        ...(hasPositions && {
          positions: { measure: shares, of: 'item', by: { of: col('k'), size: 4 }, ...time },
        }),
      }),
      weights: { measure: w, of: 'all', by: hasTimes ? partOf(16) : anywhere },
    },
    largest: { earned: { of: times(w, r), count: number(50) } },
  }
}
