import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { graphOf, neighboursOf } from '../../graph/graph.js'
import { type DeviceGraph, deviceGraph } from './layout.js'

const graphs = fc
  .record({ users: fc.integer({ min: 1, max: 12 }), items: fc.integer({ min: 1, max: 12 }) })
  .chain(({ users, items }) =>
    fc.array(fc.tuple(fc.nat(users - 1), fc.nat(items - 1)), { maxLength: 120 }).map((pairs) =>
      graphOf(
        users,
        items,
        Uint32Array.from(pairs, ([user]) => user),
        Uint32Array.from(pairs, ([, item]) => item),
      ),
    ),
  )

/** The neighbours of a node, those of its pieces in their place. */
const reached = ({ starts, neighbours, nodes }: DeviceGraph, node: number): number[] =>
  Array.from(neighbours.subarray(starts[node], starts[node + 1])).flatMap((other) =>
    other < nodes ? [other] : Array.from(neighbours.subarray(starts[other], starts[other + 1])),
  )

describe('deviceGraph', () => {
  it('leads each node to its neighbours in ascending order, also where lists are cut', () => {
    fc.assert(
      fc.property(graphs, fc.integer({ min: 1, max: 5 }), (graph, piece) => {
        const device = deviceGraph(graph, { cutAbove: 2 * piece, piece })
        for (let user = 0; user < graph.users; user++)
          expect(reached(device, user)).toEqual(
            Array.from(neighboursOf(graph.byUser, user), (item) => graph.users + item),
          )
        for (let item = 0; item < graph.items; item++)
          expect(reached(device, graph.users + item)).toEqual([...neighboursOf(graph.byItem, item)])
      }),
    )
  })

  it('cuts all lists to pieces of what they may be where one is too long, and else none', () => {
    fc.assert(
      fc.property(graphs, fc.integer({ min: 1, max: 5 }), (graph, piece) => {
        const { starts, neighbours, nodes, pieces } = deviceGraph(graph, { cutAbove: 2 * piece, piece })
        const lengths = Array.from({ length: nodes + pieces }, (_, k) => starts[k + 1]! - starts[k]!)
        const isUncut = (node: number): boolean => lengths[node] === 0 || neighbours[starts[node]!]! < nodes
        const uncut = lengths.filter((_, k) => k >= nodes || isUncut(k))
        expect(Math.max(0, ...uncut)).toBeLessThanOrEqual(pieces > 0 ? piece : 2 * piece)
        expect(starts.at(-1)).toBe(2 * graph.edges + pieces)
      }),
    )
  })

  it('orders all nodes by length, longest first, and counts the long ones', () => {
    const users = Uint32Array.from({ length: 90 }, (_, k) => k)
    const graph = graphOf(
      91,
      3,
      users,
      Uint32Array.from(users, (user) => (user < 70 ? 1 : 2)),
    )
    const { order, longRows, scale } = deviceGraph(graph)
    expect([...order.subarray(0, 4)]).toEqual([92, 93, 0, 1])
    expect([...order.subarray(-2)]).toEqual([90, 91])
    expect(longRows).toBe(1)
    expect(scale[92]).toBeCloseTo(1 / Math.sqrt(70), 7)
    expect(scale[90]).toBe(0)
  })
})
