import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { graphOf, propagate } from './graph.js'

/** A small graph with embeddings of width 2. */
const problem = fc
  .record({ users: fc.integer({ min: 1, max: 5 }), items: fc.integer({ min: 1, max: 5 }) })
  .chain(({ users, items }) =>
    fc.record({
      users: fc.constant(users),
      items: fc.constant(items),
      pairs: fc.array(fc.tuple(fc.nat({ max: users - 1 }), fc.nat({ max: items - 1 })), { maxLength: 20 }),
      embeddings: fc.array(fc.double({ min: -2, max: 2, noNaN: true }), {
        minLength: (users + items) * 2,
        maxLength: (users + items) * 2,
      }),
    }),
  )
const graphFrom = (users: number, items: number, pairs: readonly (readonly [number, number])[]) =>
  graphOf(
    users,
    items,
    Uint32Array.from(pairs, ([user]) => user),
    Uint32Array.from(pairs, ([, item]) => item),
  )

describe('propagate', () => {
  it('passes on 1/√(d_u·d_i) of each neighbour, by hand', () => {
    // u0 – i0, i1; u1 – i1: the degrees are 2, 1 and 1, 2.
    const layers = propagate(
      graphFrom(2, 2, [
        [0, 0],
        [0, 1],
        [1, 1],
      ]),
      Float32Array.of(1, 10, 100, 1000),
      1,
      2,
    )
    const [a, b] = [Math.SQRT1_2, 0.5]
    const first = [a * 100 + b * 1000, a * 1000, a * 1, b * 1 + a * 10]
    const second = [
      a * first[2]! + b * first[3]!,
      a * first[3]!,
      a * first[0]!,
      b * first[0]! + a * first[1]!,
    ]
    ;[[1, 10, 100, 1000], first, second].forEach((expected, layer) =>
      expected.forEach((value, node) => expect(layers[layer]![node]).toBeCloseTo(value, 11)),
    )
    expect(layers).toHaveLength(3)
  })

  it('is the product with the dense normalised matrix', () => {
    fc.assert(
      fc.property(problem, ({ users, items, pairs, embeddings }) => {
        const nodes = users + items
        const linked = Array.from({ length: nodes }, () => new Float64Array(nodes))
        for (const [user, item] of pairs) linked[user]![users + item] = linked[users + item]![user] = 1
        const degree = linked.map((row) => row.reduce((sum, edge) => sum + edge, 0))
        const layers = propagate(graphFrom(users, items, pairs), Float64Array.from(embeddings), 2, 3)
        for (let layer = 1; layer <= 3; layer++)
          for (let node = 0; node < nodes; node++)
            for (let column = 0; column < 2; column++) {
              let sum = 0
              for (let other = 0; other < nodes; other++)
                if (linked[node]![other])
                  sum += layers[layer - 1]![other * 2 + column]! / Math.sqrt(degree[node]! * degree[other]!)
              expect(layers[layer]![node * 2 + column]).toBeCloseTo(sum, 12)
            }
      }),
    )
  })

  it('keeps the vector of the roots of the degrees, and makes none longer', () => {
    fc.assert(
      fc.property(problem, ({ users, items, pairs, embeddings }) => {
        const graph = graphFrom(users, items, pairs)
        const { byUser, byItem } = graph
        const roots = [byUser, byItem].flatMap(({ offsets }) =>
          Array.from({ length: offsets.length - 1 }, (_, row) =>
            Math.sqrt(offsets[row + 1]! - offsets[row]!),
          ),
        )
        const [, kept] = propagate(graph, Float64Array.from(roots), 1, 1)
        roots.forEach((root, node) => expect(kept![node]).toBeCloseTo(root, 12))
        const norms = propagate(graph, Float64Array.from(embeddings), 2, 3).map((layer) =>
          Math.hypot(...layer),
        )
        for (let layer = 1; layer <= 3; layer++)
          expect(norms[layer]!).toBeLessThanOrEqual(norms[layer - 1]! * (1 + 1e-12))
      }),
    )
  })

  it('leaves nodes without edges at zero after layer 0, and the embeddings given as they were', () => {
    const embeddings = Float32Array.of(1, 2, 3, 4)
    const layers = propagate(graphFrom(2, 2, [[0, 0]]), embeddings, 1, 2)
    expect(Array.from(layers[0]!)).toEqual([1, 2, 3, 4])
    expect(Array.from(layers[1]!)).toEqual([3, 0, 1, 0])
    expect(Array.from(layers[2]!)).toEqual([1, 0, 3, 0])
    expect(Array.from(embeddings)).toEqual([1, 2, 3, 4])
  })

  it('refuses embeddings of another size', () => {
    expect(() => propagate(graphFrom(2, 2, [[0, 0]]), new Float32Array(5), 1, 1)).toThrow(
      '5 numbers do not fit embeddings of width 1 for 2 users and 2 items.',
    )
  })
})
