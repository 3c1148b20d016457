import { describe, expect, it } from 'vitest'
import { randomStream } from '../random/stream.js'
import { minus, number, over, times, when } from '../sql/expression.js'
import { ArrayAnswers } from './array-answers.js'
import { exampleBatch } from './example-batch.js'
import { type Batch, col, type FactorQuery, type RowNumber, type Window } from './query.js' // prettier-ignore
import type { ArrayRows } from './sorted-rows.js'

const EMPTY: Batch = { windows: [], sums: {}, factors: {} }
const numbers = (...values: number[]): Float64Array => Float64Array.from(values)

/** Rows of users and items by their numbers; the bucket of each is its number. */
function rowsOf(
  user: readonly number[],
  item: readonly number[],
  columns: Partial<Record<'r' | 'b' | 't' | 'k' | 'n', readonly number[]>>,
): ArrayRows {
  const { r = user.map(() => 0), ...others } = columns
  return {
    rows: user.length,
    user: Uint32Array.from(user),
    users: Math.max(...user) + 1,
    item: Uint32Array.from(item),
    itemIds: Array.from({ length: Math.max(...item) + 1 }, (_, k) => `item ${k}`),
    columns: {
      r: numbers(...r),
      u: Uint16Array.from(user),
      i: Uint16Array.from(item),
      ...Object.fromEntries(Object.entries(others).map(([name, values]) => [name, numbers(...values)])),
    },
  }
}

/** What each row takes, in the order of the rows, whose rewards are their own numbers from 0. */
function taken(rows: ArrayRows, windows: readonly Window[], weights: Float64Array): number[] {
  const name = windows.at(-1)!.name
  const { sums } = new ArrayAnswers(rows).answer(
    { ...EMPTY, windows, sums: { of: { by: [{ of: col('r'), size: rows.rows }], sums: { x: col(name) } } } },
    weights,
  )
  return [...sums['of']!['x']!]
}

describe('a window over rows in memory', () => {
  //           row  0  1  2  3  4  5
  const user = [1, 0, 1, 1, 0, 1]
  const item = [0, 0, 1, 0, 1, 1]
  const time = [10, 20, 30, 40, 50, 60]
  const rows = rowsOf(user, item, { r: [0, 1, 2, 3, 4, 5], t: time })
  const w = numbers(1, 2, 4, 8, 16, 32)
  const seen = (window: Omit<Window, 'name'>, weights = w): number[] =>
    taken(rows, [{ ...window, name: 'x' } as Window], weights)
  const total = (over: Window['over']): number[] => seen({ take: 'total', of: col('w'), over } as Window)

  it('sums over the log, a user, an item, a pair', () => {
    expect(total('log')).toEqual([63, 63, 63, 63, 63, 63])
    expect(total('user')).toEqual([45, 18, 45, 45, 18, 45])
    expect(total('item')).toEqual([11, 11, 52, 11, 52, 52])
    expect(total('pair')).toEqual([9, 2, 36, 9, 16, 36])
  })

  it('takes the least and the most', () => {
    expect(seen({ take: 'least', of: col('w'), over: 'user' } as Window)).toEqual([1, 2, 1, 1, 2, 1])
    expect(seen({ take: 'most', of: col('w'), over: 'log' } as Window)).toEqual([32, 32, 32, 32, 32, 32])
  })

  it('takes the sum so far', () => {
    expect(seen({ take: 'running', of: col('w'), over: 'user' } as Window)).toEqual([1, 2, 5, 13, 18, 45])
    expect(seen({ take: 'running', of: col('w'), over: 'pair' } as Window)).toEqual([1, 2, 4, 9, 16, 36])
    expect(seen({ take: 'running', of: col('w'), over: 'item' } as Window)).toEqual([1, 3, 4, 11, 20, 52])
    expect(seen({ take: 'running', of: col('w'), over: 'log' } as Window)).toEqual([1, 3, 7, 15, 31, 63])
  })

  it('takes what came before, and what comes after', () => {
    const next = (take: 'before' | 'after', over: Window['over']): number[] =>
      seen({ take, of: col('w'), over, otherwise: -7 } as Window)
    expect(next('before', 'user')).toEqual([-7, -7, 1, 4, 2, 8])
    expect(next('after', 'user')).toEqual([4, 16, 8, 32, -7, -7])
    expect(next('before', 'item')).toEqual([-7, 1, -7, 2, 4, 16])
    expect(next('after', 'log')).toEqual([2, 4, 8, 16, 32, -7])
  })

  it.each([1, 0.1, 1e15])('orders rows by time, whatever their order in the log: times %d', (scale) => {
    const times = [30, -20, 10, 40, -50, 20].map((at) => scale * at)
    const shuffled = rowsOf(user, item, { r: [0, 1, 2, 3, 4, 5], t: times })
    const before = (over: Window['over']): number[] =>
      taken(shuffled, [{ name: 'x', take: 'before', of: col('r'), over, otherwise: -1 }], w)
    expect(before('log')).toEqual([5, 4, 1, 0, -1, 2])
    expect(before('user')).toEqual([5, 4, -1, 0, -1, 2])
  })

  it('parts the rows of a user by numbers, those of windows before it too', () => {
    const windows: Window[] = [
      { name: 'last', take: 'before', of: col('t'), over: 'user', otherwise: -1000 },
      { name: 'visit', take: 'running', of: when(minus(col('t'), col('last')), '>', 15, 1, 0), over: 'user' },
      { name: 'x', take: 'total', of: col('w'), over: [col('visit')] },
    ]
    // User 1 at 10 | 30, 40 | 60; user 0 at 20 | 50.
    expect(taken(rows, windows, w)).toEqual([1, 2, 12, 12, 16, 32])
  })

  it('orders rows of the same time by item, reward, propensity and weight, whatever their order in the log', () => {
    const tied = rowsOf([0, 0, 0, 0], [1, 0, 0, 0], { r: [0, 1, 2, 3], t: [5, 5, 5, 5] })
    const running: Window = { name: 'x', take: 'running', of: number(1), over: 'user' }
    expect(taken(tied, [running], numbers(1, 1, 1, 1))).toEqual([4, 1, 2, 3])
    const alike = rowsOf([0, 0, 0], [0, 0, 0], { r: [0, 0, 0], t: [5, 5, 5] })
    const weighed = (...weights: number[]): Float64Array =>
      new ArrayAnswers(alike).answer(
        {
          ...EMPTY,
          windows: [running],
          sums: { of: { by: [{ of: minus(col('x'), 1), size: 3 }], sums: { w: col('w') } } },
        },
        numbers(...weights),
      ).sums['of']!['w']!
    expect([...weighed(3, 1, 2)]).toEqual([1, 2, 3])
    expect([...weighed(2, 3, 1)]).toEqual([1, 2, 3])
  })

  it('takes rows without a time to be at the same one', () => {
    const timeless = rowsOf(user, item, { r: [0, 1, 2, 3, 4, 5] })
    const day = { name: 'x', take: 'total', of: number(1), over: [over(col('t'), 10)] } as const
    expect(taken(timeless, [day], w)).toEqual([4, 2, 4, 4, 2, 4])
    const late = { name: 'x', take: 'total', of: when(col('t'), '>', 0, 1, 0), over: 'log' } as const
    expect(taken(timeless, [late], w)).toEqual([0, 0, 0, 0, 0, 0])
  })
})

describe('sums over rows in memory', () => {
  it('go into the cells of two labels, the first of which moves slowest; rows outside are in none', () => {
    const rows = rowsOf([0, 1, 2, 0, 1], [0, 1, 2, 0, 1], { r: [1, 2, 3, 4, 5], k: [0, 1, 1, 2, -1] })
    const by = [
      { of: col('u'), size: 3 },
      { of: col('k'), size: 2 },
    ]
    const { sums } = new ArrayAnswers(rows).answer(
      { ...EMPTY, sums: { cells: { by, sums: { rows: number(1), wr: times(col('w'), col('r')) } } } },
      numbers(1, 10, 100, 1000, 10_000),
    )
    expect([...sums['cells']!['rows']!]).toEqual([1, 0, 0, 1, 0, 1])
    expect([...sums['cells']!['wr']!]).toEqual([1, 0, 0, 20, 0, 300])
  })

  it('have the least and the largest beside them, infinite in a cell without rows', () => {
    const rows = rowsOf([0, 0, 2], [0, 1, 0], { r: [3, -1, 2] })
    const by = [{ of: col('u'), size: 3 }]
    const { sums } = new ArrayAnswers(rows).answer(
      { ...EMPTY, sums: { cells: { by, sums: {}, least: { r: col('r') }, most: { w: col('w') } } } },
      numbers(1, 10, 100),
    )
    expect([...sums['cells']!['r']!]).toEqual([-1, Infinity, 2])
    expect([...sums['cells']!['w']!]).toEqual([10, -Infinity, 100])
  })

  it('are asked again for each target, those without weights once', () => {
    const answers = new ArrayAnswers(rowsOf([0, 1, 0], [0, 1, 1], { r: [1, 2, 3], t: [1, 2, 3] }))
    const sum = (of: RowNumber) => ({ by: [{ of: number(0), size: 1 }], sums: { x: of } })
    const before = (of: RowNumber): Window => ({
      name: 'last',
      take: 'before',
      of,
      over: 'user',
      otherwise: 0,
    })
    const ask = (of: RowNumber, ...w: number[]): (number | undefined)[] => {
      const { sums } = answers.answer(
        { windows: [before(of)], sums: { a: sum(col('last')), b: sum(col('r')) }, factors: {} },
        numbers(...w),
      )
      return [sums['a']!['x']![0], sums['b']!['x']![0]]
    }
    expect(ask(col('w'), 1, 2, 3)).toEqual([1, 6])
    expect(ask(col('w'), 7, 2, 3)).toEqual([7, 6])
    // The same name for another window.
    expect(ask(col('t'), 7, 2, 3)).toEqual([1, 6])
  })
})

describe('a repair by groups of rows in memory', () => {
  // Two items that are shown in turn; item 0 has b = ½ and is shown in 3 of 4 rows.
  const rows = rowsOf([0, 1, 2, 3], [0, 0, 0, 1], { r: [1, 0, 1, 0], b: [0.5, 0.5, 0.5, 0.5] })
  const query: FactorQuery = { measure: over(1, col('b')), of: 'item', by: { of: number(0), size: 1 } }
  const answer = (asked = query, of = rows, w = numbers(2, 2, 2, 2)) =>
    new ArrayAnswers(of).answer({ ...EMPTY, factors: { x: asked } }, w).factors['x']!

  it('divides weights by what the measure averages, drawn towards 1', () => {
    // One row counts twice as much for the target.
    const found = answer(query, rows, numbers(2, 2, 4, 2))
    const [first, second] = [1 + (3 / 13) * (6 / 4 - 1), 1 + (1 / 11) * (2 / 4 - 1)]
    expect(found.weight).toBeCloseTo(8 / first + 2 / second, 12)
    expect(found.reward).toBeCloseTo(6 / first, 12)
    expect(found.level).toBe(1)
    const shifts = [6 - 0.6 * 8, 0 - 0.6 * 2].map(
      (own, k) => own / [first, second][k]! / found.weight - own / 10,
    )
    expect(found.largest).toEqual([
      { item: 'item 1', group: 0, ratio: expect.closeTo(second, 12), shift: expect.closeTo(shifts[1]!, 12) },
      { item: 'item 0', group: 0, ratio: expect.closeTo(first, 12), shift: expect.closeTo(shifts[0]!, 12) },
    ])
    expect([found.below, found.above]).toEqual([0, 0])
  })

  it('leaves rows alone whose item may not have been there, or which are in no group', () => {
    const timed = rowsOf([0, 1, 2, 3, 4], [0, 1, 0, 0, 1], { r: [1, 0, 1, 1, 1], b: [0.5, 0.5, 0.5, 0.5, 0.5], t: [0, 1, 2, 3, 4] }) // prettier-ignore
    const w = numbers(1, 1, 1, 1, 1)
    // Item 0 is first shown at 0 and last at 3, item 1 at 1 and 4: of item 0 counts the row at 2, among those of 1 and 2.
    const found = answer({ ...query, time: { of: col('t'), size: 5 } }, timed, w)
    const ratio = 1 + (1 / 11 / 2) * (2 - 2)
    expect(found.weight).toBeCloseTo(4 + 1 / ratio, 12)
    // Both items were there for two rows each; one of them showed an item within.
    expect(found.level).toBeCloseTo(2 / 4, 12)
    const outside = answer({ ...query, by: { of: minus(0, col('u')), size: 1 } }, rows)
    expect(outside.weight).toBeCloseTo(6 + 2 / (1 + (1 / 11) * (2 - 1)), 12)
  })

  it('has an influence by user like that of a jackknife that leaves each user out', () => {
    const log = randomRows(7, 3000)
    const weights = randomWeights(7, log.rows)
    const asked: FactorQuery = { ...query, by: { of: col('k'), size: 2 }, time: { of: col('t'), size: 8 } }
    const shiftOf = (of: ArrayRows, w: Float64Array): number => {
      const { weight, reward } = answer(asked, of, w)
      const { r, n } = of.columns
      const [sw, swr] = [0, 1].map((power) =>
        w.reduce((sum, x, row) => sum + n![row]! * x * r[row]! ** power, 0),
      )
      return reward / weight - swr! / sw!
    }
    const whole = shiftOf(log, weights)
    let [jackknife, linear] = [0, 0]
    const { users } = answer(asked, log, weights)
    for (let user = 0; user < log.users; user++) {
      const rest = Uint32Array.from(log.user.keys()).filter((row) => log.user[row] !== user)
      const without = shiftOf(
        pick(log, rest),
        Float64Array.from(rest, (row) => weights[row]!),
      )
      jackknife += (whole - without) ** 2
      linear += users[user]! ** 2
    }
    expect(linear / jackknife).toBeGreaterThan(0.9)
    expect(linear / jackknife).toBeLessThan(1.1)
  })
})

describe('answers of typed arrays', () => {
  it.each([true, false])('do not depend on the order of the rows, with times: %s', (hasTimes) => {
    const { t, ...columns } = randomRows(3, 900).columns
    const log = { ...randomRows(3, 900), columns: { ...columns, ...(hasTimes && { t }) } }
    const weights = randomWeights(3, log.rows)
    const batch = exampleBatch({ hasTimes, hasPositions: true, hasPropensities: true })
    const { uniform } = randomStream(5, 'conformance')
    const keys = weights.map(uniform)
    const order = Uint32Array.from(keys.keys()).sort((a, b) => keys[a]! - keys[b]!)
    const shuffled = new ArrayAnswers(pick(log, order)).answer(batch, Float64Array.from(order, (row) => weights[row]!)) // prettier-ignore
    expect(shuffled).toEqual(new ArrayAnswers(log).answer(batch, weights))
  })
})

function pick(log: ArrayRows, rows: Uint32Array): ArrayRows {
  const taken = <Column extends Float64Array | Uint16Array | Uint32Array>(column: Column): Column =>
    (column.constructor as unknown as { from(values: Iterable<number>): Column }).from(
      Array.from(rows, (row) => column[row]!),
    )
  const columns = Object.entries(log.columns).map(([name, column]) => [name, taken(column as Float64Array)])
  return {
    ...log,
    rows: rows.length,
    user: taken(log.user),
    item: taken(log.item),
    columns: Object.fromEntries(columns) as ArrayRows['columns'],
  }
}

/** Rows of 60 users and 8 items, many of them at the same time. */
function randomRows(seed: number, rows: number): ArrayRows {
  const { uniform } = randomStream(seed, 'conformance')
  const draw = (below: number): number[] => Array.from({ length: rows }, () => Math.floor(uniform() * below))
  const item = draw(8)
  return rowsOf(draw(60), item, {
    r: draw(2),
    b: item.map((k) => [0.1, 0.125, 0.2][k % 3]!),
    t: draw(8),
    k: draw(2),
    n: draw(2).map((n) => n + 1),
  })
}

function randomWeights(seed: number, rows: number): Float64Array {
  const { uniform } = randomStream(seed + 1, 'conformance')
  return new Float64Array(rows).map(() => Math.floor(uniform() * 4) / 2)
}

describe('the largest numbers of rows in memory', () => {
  const answers = new ArrayAnswers(rowsOf([0, 1, 0, 1], [0, 1, 1, 0], { r: [4, 1, 3, 2] }))
  const largest = (count: RowNumber): number[] => [
    ...answers.answer({ ...EMPTY, largest: { r: { of: col('r'), count } } }, numbers(1, 1, 1, 1)).largest[
      'r'
    ]!,
  ]

  it('are as many as was asked for, ascending, and all where there are fewer', () => {
    expect(largest(number(2.9))).toEqual([3, 4])
    expect(largest(number(0))).toEqual([])
    expect(largest(number(10))).toEqual([1, 2, 3, 4])
  })
})
