import { describe, expect, it } from 'vitest'
import { graphOf } from '../graph/graph.js'
import { initialState } from './initial.js'

const graphOfSize = (users: number, items: number) =>
  graphOf(users, items, new Uint32Array(0), new Uint32Array(0))
const bound = (rows: number, dim: number): number => Math.sqrt(6 / (rows + dim))

describe('initialState', () => {
  it('is uniform on ±√(6/(rows + dim)), for users and for items', () => {
    const dim = 32
    const { embeddings } = initialState(graphOfSize(500, 300), dim, 1)
    for (const [values, most] of [
      [embeddings.subarray(0, 500 * dim), bound(500, dim)],
      [embeddings.subarray(500 * dim), bound(300, dim)],
    ] as const) {
      const relative = Array.from(values, (value) => value / most)
      const tenths = Array<number>(10).fill(0)
      for (const value of relative) tenths[Math.min(9, Math.floor((value + 1) * 5))]!++
      expect(relative.every((value) => Math.abs(value) <= 1 + 1e-6)).toBe(true)
      const expected = relative.length / 10
      const distance = tenths.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
      expect(distance).toBeLessThan(9 + 5 * Math.sqrt(18))
    }
  })

  it('begins with moments of 0 and no step', () => {
    const { mean, square, steps } = initialState(graphOfSize(3, 2), 4, 1)
    expect([mean, square, steps]).toEqual([new Float32Array(20), new Float32Array(20), 0])
  })

  it('gives a row the same numbers whoever else there is, on the scale of their number', () => {
    const dim = 4
    const [small, large] = [
      initialState(graphOfSize(3, 2), dim, 9),
      initialState(graphOfSize(5, 7), dim, 9),
    ].map(({ embeddings }) => embeddings)
    for (let d = 0; d < 3 * dim; d++)
      expect(large![d]! / bound(5, dim)).toBeCloseTo(small![d]! / bound(3, dim), 6)
    for (let d = 0; d < 2 * dim; d++)
      expect(large![5 * dim + d]! / bound(7, dim)).toBeCloseTo(small![3 * dim + d]! / bound(2, dim), 6)
  })

  it('differs by seed, by row, and between users and items', () => {
    const dim = 4
    const { embeddings } = initialState(graphOfSize(2, 2), dim, 9)
    const rows = [0, 1, 2, 3].map((row) => embeddings.subarray(row * dim, (row + 1) * dim).join())
    expect(new Set(rows).size).toBe(4)
    expect(initialState(graphOfSize(2, 2), dim, 10).embeddings).not.toEqual(embeddings)
  })
})

describe('initialState with biases', () => {
  it('ranks items by popularity for every user, and changes the last column alone', () => {
    const graph = graphOf(3, 3, Uint32Array.of(0, 1, 2, 0, 1), Uint32Array.of(1, 1, 1, 2, 2))
    const plain = initialState(graph, 4, 7).embeddings
    const { embeddings } = initialState(graph, 4, 7, { biases: true })
    embeddings.forEach((value, k) => k % 4 < 3 && expect(value).toBe(plain[k]))
    expect([3, 7, 11].map((k) => embeddings[k])).toEqual([1, 1, 1])
    const biases = [15, 19, 23].map((k) => embeddings[k]!)
    // Clicks of 0, 3 and 2: their logarithms less the mean.
    const logs = [0, Math.log(4), Math.log(3)]
    biases.forEach((bias, item) => expect(bias).toBeCloseTo(logs[item]! - (logs[1]! + logs[2]!) / 3, 6))
  })
})
