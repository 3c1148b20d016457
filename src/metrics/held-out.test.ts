import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Adjacency, graphOf } from '../graph/graph.js'
import type { Log } from '../log/log.js'
import { randomStream } from '../random/stream.js'
import { heldOutClicks } from './held-out.js'

type Row = readonly [user: number, item: number, reward: number, propensity: number, weight?: number]

function logOf(rows: readonly Row[], users = 3, items = 4): Log {
  return {
    rows: rows.length,
    user: Uint32Array.from(rows, ([user]) => user),
    item: Uint32Array.from(rows, ([, item]) => item),
    userIds: Array.from({ length: users }, (_, user) => `${user}`),
    itemIds: Array.from({ length: items }, (_, item) => `${item}`),
    catalogueKnown: true,
    reward: Float64Array.from(rows, ([, , reward]) => reward),
    propensity: Float64Array.from(rows, ([, , , propensity]) => propensity),
    propensitySource: 'logged',
    ...(rows.some((row) => row.length > 4) && { weight: Float64Array.from(rows, (row) => row[4] ?? 1) }),
  }
}
const nothing = graphOf(3, 4, Uint32Array.of(), Uint32Array.of())
const pairsOf = ({ offsets, neighbours }: Adjacency): [number, number][] =>
  Array.from({ length: offsets.length - 1 }, (_, user) =>
    Array.from(neighbours.subarray(offsets[user], offsets[user + 1]), (item): [number, number] => [
      user,
      item,
    ]),
  ).flat()

describe('heldOutClicks', () => {
  it('are the clicks that training has not seen, each pair once, with its propensity', () => {
    const log = logOf([
      [2, 3, 1, 0.5],
      [0, 1, 0, 0.4],
      [0, 2, 5, 0.3],
      [2, 0, 1, 0.2],
      [0, 0, -1, 0.1],
      [1, 1, 1, 0.6],
    ])
    const training = graphOf(3, 4, Uint32Array.of(1, 0), Uint32Array.of(1, 1))
    const { clicks, propensity } = heldOutClicks(log, training)
    expect(pairsOf(clicks)).toEqual([
      [0, 2],
      [2, 0],
      [2, 3],
    ])
    expect(propensity).toEqual(Float64Array.of(0.3, 0.2, 0.5))
  })

  it('takes the harmonic mean of the propensities of a pair, clicked rows alone', () => {
    const { propensity } = heldOutClicks(
      logOf([
        [0, 1, 1, 0.1],
        [0, 1, 0, 0.9],
        [0, 1, 1, 0.4],
        [1, 1, 1, 0.3],
        [1, 1, 2, 0.3],
        [1, 1, 1, 0.3],
      ]),
      nothing,
    )
    expect(propensity![0]).toBeCloseTo(2 / (1 / 0.1 + 1 / 0.4), 15)
    expect(propensity![1]).toBe(0.3)
  })

  it('finds the mean chance of a row in the rows that showed the item, where it changes from row to row', () => {
    const random = randomStream(4, 'chances')
    const rows: Row[] = []
    let sum = 0
    for (let k = 0; k < 20_000; k++) {
      const b = random.uniform() < 0.5 ? 0.05 : 0.5
      sum += b
      if (random.uniform() < b) rows.push([0, 0, 1, b])
    }
    const { propensity } = heldOutClicks(logOf(rows), nothing)
    expect(propensity![0]! / (sum / 20_000)).toBeCloseTo(1, 1)
    expect(rows.reduce((total, row) => total + row[3], 0) / rows.length).toBeGreaterThan(0.4)
  })

  it('counts a click of a thinned log as found with its propensity over its weight', () => {
    const { propensity } = heldOutClicks(logOf([[0, 1, 1, 0.5, 4]]), nothing)
    expect(propensity).toEqual(Float64Array.of(0.125))
  })

  it('has no propensities where the log has none, and no clicks where it is empty', () => {
    const { propensity: _, ...log } = logOf([[0, 1, 1, 0.5]])
    expect(heldOutClicks({ ...log, propensitySource: 'none' }, nothing)).not.toHaveProperty('propensity')
    expect(heldOutClicks(logOf([]), nothing).clicks).toEqual({
      offsets: new Uint32Array(4),
      neighbours: new Uint32Array(0),
    })
  })

  it('does not depend on the order of rows', () => {
    const row = fc.tuple(
      fc.nat(2),
      fc.nat(3),
      fc.constantFrom(0, 1),
      fc.constantFrom(0.125, 0.25, 0.5),
    ) as fc.Arbitrary<Row>
    fc.assert(
      fc.property(fc.array(row, { maxLength: 30 }), (rows) => {
        expect(heldOutClicks(logOf(rows.toReversed()), nothing)).toEqual(heldOutClicks(logOf(rows), nothing))
      }),
      { seed: 1 },
    )
  })

  it('refuses a training graph of other users or items', () => {
    expect(() => heldOutClicks(logOf([], 2), nothing)).toThrow(
      /2 users and 4 items, but the training graph has 3 and 4/,
    )
  })
})
