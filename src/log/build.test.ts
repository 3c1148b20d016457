import { describe, expect, it } from 'vitest'
import type { Progress } from '../progress.js'
import { readLog } from '../read/read-log.js'
import { buildLog, BrokenCells } from './build.js'
import { bytesInput } from './bytes/input.js'
import { type Batch, MISSING, type RowSource } from './source.js'

const origins = { user: ['u'], item: ['i'], reward: ['r'], slate: ['s'] } as const

/** A source of batches whose users and items are called by letters of the alphabet, a code each. */
const sourceOf = (batches: readonly Batch[], more: Partial<RowSource> = {}): RowSource => ({
  name: 'made',
  lineUnit: 'row',
  async *batches() {
    yield* batches
  },
  codes: () => ({ count: 26, ordered: true }),
  idText: (_column, code) => String.fromCharCode(97 + code),
  rawRows: async (places) => places.map((place) => ({ line: place + 1, cells: {} })),
  ...more,
})
const batchOf = (user: number[], item: number[], reward: number[], more: Partial<Batch> = {}): Batch => ({
  rows: user.length,
  ids: { user: Uint32Array.from(user), item: Uint32Array.from(item), slate: Uint32Array.from(user) },
  numbers: { reward: Float64Array.from(reward) },
  ...more,
})

describe('buildLog', () => {
  it('puts batches one behind the other, and looks at their rows alone', async () => {
    // The arrays of a batch may be longer than its rows.
    const first = batchOf([25, 3, 9, 9], [1, 1, 9, 9], [1, 0, NaN, NaN], { rows: 2 })
    const { log } = await buildLog(sourceOf([first, batchOf([3], [0], [0.5])]), origins)
    expect(log).toMatchObject({ rows: 3, userIds: ['d', 'z'], itemIds: ['a', 'b'] })
    expect([log.user, log.item, log.reward].map((column) => Array.from(column))).toEqual([
      [1, 0, 0],
      [1, 1, 0],
      [1, 0, 0.5],
    ])
  })

  it('puts rows at their places where a reader does not keep the order', async () => {
    const later = batchOf([2, 0], [0, 0], [0.2, 0], { places: Uint32Array.of(2, 0) })
    const sooner = batchOf([1], [0], [0.1], { places: Uint32Array.of(1) })
    const { log } = await buildLog(sourceOf([later, sooner]), origins)
    expect(Array.from(log.reward)).toEqual([0, 0.1, 0.2])
    expect(Array.from(log.user)).toEqual([0, 1, 2])
  })

  it('grows with the rows', async () => {
    const many = Array.from({ length: 3000 }, (_, k) => batchOf([k % 26], [k % 3], [k]))
    const { log } = await buildLog(sourceOf(many), origins)
    expect(log.rows).toBe(3000)
    expect(Array.from(log.reward)).toEqual(Array.from({ length: 3000 }, (_, k) => k))
    expect(log.user[2999]).toBe(2999 % 26)
  })

  it('orders ids whose codes are in no order', async () => {
    const source = sourceOf([batchOf([0, 1, 2], [0, 0, 0], [0, 0, 0])], {
      codes: () => ({ count: 3, ordered: false }),
      idText: (_column, code) => ['10', '9', '2'][code]!,
    })
    const { log } = await buildLog(source, origins)
    expect(log.userIds).toEqual(['2', '9', '10'])
    expect(Array.from(log.user)).toEqual([2, 1, 0])
  })

  it('leaves out bad rows, and says where the others stood', async () => {
    const batch = batchOf([0, MISSING, 2, 3], [0, 0, 0, 0], [0, 1, NaN, 3], {
      broken: new Map([[3, 'is no row']]),
    })
    const { log, skipped, places, broken } = await buildLog(
      sourceOf([batch, batchOf([4], [0], [4])]),
      origins,
      {
        onBadRow: 'skip',
      },
    )
    expect(Array.from(log.reward)).toEqual([0, 4])
    expect([skipped, Array.from(places!)]).toEqual([3, [0, 4]])
    // A missing user is a missing slate here; a row that is none is told once.
    expect(broken.cells.map(({ row, column }) => `${row} ${column}`)).toEqual([
      '1 user',
      '1 slate',
      '2 reward',
      '3 undefined',
    ])
  })

  it('tells every row that it leaves out, however many', async () => {
    const rewards = Array.from({ length: 2001 }, (_, k) => (k === 7 ? 1 : NaN))
    const batch = batchOf(
      rewards.map(() => 0),
      rewards.map(() => 0),
      rewards,
    )
    const told: number[] = []
    const { skipped } = await buildLog(sourceOf([batch]), origins, {
      onBadRow: 'skip',
      onSkipped: (bad) => void told.push(...bad.map(({ cell }) => cell.line)),
    })
    expect([skipped, told.length, told[0], told[7], told.at(-1)]).toEqual([2000, 2000, 1, 9, 2001])
  })

  it('keeps them for the doctor: missing ids stand together under the empty one', async () => {
    const batch = batchOf([1, MISSING, 0, MISSING], [0, 0, 0, 0], [0, 1, 2, 3])
    const { log, skipped, places } = await buildLog(sourceOf([batch]), origins, { onBadRow: 'keep' })
    expect([log.rows, skipped, places]).toEqual([4, 0, undefined])
    expect(Array.from(log.user, (user) => log.userIds[user])).toEqual(['b', '', 'a', ''])
  })

  it('tells how far it is: in rows where their number is known, else in bytes', async () => {
    const seen: Progress[] = []
    const batches = [batchOf([0], [0], [0]), batchOf([0, 1], [0, 0], [0, 0])]
    const progress = (at: Progress): void => void seen.push(at)
    await buildLog(sourceOf(batches, { expectedRows: 3 }), origins, { progress })
    await buildLog(sourceOf(batches, { bytes: { read: 7, total: 9 } }), origins, { progress })
    await buildLog(sourceOf(batches), origins, { progress })
    expect(seen).toEqual([
      { what: 'reading', done: 1, total: 3, unit: 'rows' },
      { what: 'reading', done: 3, total: 3, unit: 'rows' },
      { what: 'reading', done: 7, total: 9, unit: 'bytes' },
      { what: 'reading', done: 7, total: 9, unit: 'bytes' },
      { what: 'reading', done: 1, unit: 'rows' },
      { what: 'reading', done: 3, unit: 'rows' },
    ])
  })

  it('turns rewards that are numbers into others', async () => {
    const { log } = await buildLog(sourceOf([batchOf([0, 1], [0, 0], [3, 5])]), origins, {
      rewardOf: (rating) => (rating >= 4 ? 1 : 0),
    })
    expect(Array.from(log.reward)).toEqual([0, 1])
  })
})

describe('broken cells', () => {
  it('are all counted, and the first of a column kept however they come', () => {
    const cells = new BrokenCells(false)
    for (let row = 5000; row > 0; row--) cells.add({ row, column: 'reward' })
    cells.add({ row: 7, column: 'user' })
    expect([cells.count('reward'), cells.count('user'), cells.count('item')]).toEqual([5000, 1, 0])
    expect(cells.rows.size).toBe(5000)
    expect(cells.cells.slice(0, 3).map(({ row }) => row)).toEqual([1, 2, 3])
    expect(cells.cells.length).toBeLessThan(1100)
  })

  it('are all kept where all are wanted', () => {
    const cells = new BrokenCells(true)
    for (let row = 5000; row > 0; row--) cells.add({ row, column: 'reward' })
    expect(cells.cells.map(({ row }) => row)).toEqual(Array.from({ length: 5000 }, (_, k) => k + 1))
  })
})

describe('text that comes byte by byte', () => {
  it('is read as text that comes at once, letters of several bytes too', async () => {
    const bytes = new TextEncoder().encode(
      'user_id,item_id,reward,propensity\nZoë,日本,1,0.5\r\n"a ""q""",ü,0,0.25\n',
    )
    const dripping = {
      ...bytesInput('log.csv', bytes),
      async *stream() {
        for (let at = 0; at < bytes.length; at++) yield bytes.subarray(at, at + 1)
      },
    }
    const { log } = await readLog(dripping)
    expect(log.userIds).toEqual(['Zoë', 'a "q"'])
    expect(log.itemIds).toEqual(['ü', '日本'])
    expect(Array.from(log.reward)).toEqual([1, 0])
  })
})
