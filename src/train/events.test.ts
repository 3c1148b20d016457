import { describe, expect, it } from 'vitest'
import { clickGraph, eventsOf, learnsFromImpressions } from './events.js'
import { logOf, type Row } from './example-split.js'
import type { LossName } from './settings.js'

const eventsIn = (rows: readonly Row[], loss: LossName, shape: { users?: number; items?: number } = {}) => {
  const log = logOf(rows, shape)
  return eventsOf(log, clickGraph(log), loss)
}

describe('clickGraph', () => {
  it('links users to what earned more than nothing, once', () => {
    const graph = clickGraph(
      logOf([
        [0, 2, 1],
        [0, 2, 0.5],
        [0, 1, 0],
        [1, 0, -1],
        [1, 1, 7],
      ]),
    )
    expect(graph.edges).toBe(2)
    expect(Array.from(graph.byUser.neighbours)).toEqual([2, 1])
  })
})

describe('events', () => {
  const rows: Row[] = [
    [0, 0, 1],
    [0, 1, 0],
    [0, 0, 1],
    [1, 2, -1],
    [1, 1, 2],
  ]

  it.each<LossName>(['bpr', 'ips-bpr', 'softmax', 'relmf', 'ubpr'])(
    'of %s are the rows with a click, each of them',
    (loss) => {
      const events = eventsIn(rows, loss)
      expect(Array.from(events.rows)).toEqual([0, 2, 4])
      expect(Array.from(events.users)).toEqual([0, 0, 1])
      expect(Array.from(events.items)).toEqual([0, 0, 1])
      expect(Array.from(events.clicked)).toEqual([1, 1, 1])
      expect(events.count).toBe(3)
    },
  )

  it.each<LossName>(['bce', 'ips-bce', 'sn-bce'])(
    'of %s are all impressions, a negative reward being no click',
    (loss) => {
      const events = eventsIn(rows, loss)
      expect(Array.from(events.clicked)).toEqual([1, 0, 1, 0, 1])
      expect(learnsFromImpressions(logOf(rows), loss)).toBe(true)
    },
  )

  it('of bce are the clicks where every row is one', () => {
    const clicksOnly = rows.filter(([, , reward]) => reward > 0)
    expect(learnsFromImpressions(logOf(clicksOnly, { items: 3 }), 'bce')).toBe(false)
    expect(eventsIn(clicksOnly, 'bce', { items: 3 }).count).toBe(3)
  })

  it('may be a single one', () => {
    expect(eventsIn([[0, 0, 1]], 'bpr', { items: 2 }).count).toBe(1)
  })

  it('leave out, and count, the clicks of users who clicked every item', () => {
    const everything: Row[] = [
      [0, 0, 1],
      [0, 1, 1],
      [0, 1, 1],
      [1, 0, 1],
    ]
    const events = eventsIn(everything, 'bpr')
    expect(Array.from(events.rows)).toEqual([3])
    expect(events.leftOut).toBe(3)
    // Impressions without a click stand for themselves, so that nothing has to be drawn.
    expect(eventsIn([...everything, [1, 1, 0]], 'bce')).toMatchObject({ count: 5, leftOut: 0 })
  })

  it.each<[string, readonly Row[], { users?: number; items?: number }, RegExp]>([
    ['a log without rows', [], { users: 1, items: 2 }, /has no rows/],
    [
      'rewards that are all 0',
      [
        [0, 0, 0],
        [0, 1, 0],
      ],
      {},
      / 2 rows and no click: every reward is 0 or below/,
    ],
    [
      'rewards that are all negative',
      [
        [0, 0, -1],
        [0, 1, -3],
      ],
      {},
      /every reward is 0 or below/,
    ],
    ['a single item', [[0, 0, 1]], {}, /a single item/],
    [
      'users who all clicked everything',
      [
        [0, 0, 1],
        [0, 1, 1],
      ],
      {},
      /clicked every item/,
    ],
  ])('are refused for %s', (_, bad, shape, message) => {
    expect(() => eventsIn(bad, 'bpr', shape)).toThrow(message)
    expect(() => eventsIn(bad, 'bpr', shape)).toThrow(expect.objectContaining({ code: 'bad-rows' }))
  })
})
