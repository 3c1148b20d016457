import { describe, expect, it } from 'vitest'
import { type Graph, graphOf } from '../graph/graph.js'
import type { KernelState } from '../kernels/kernel.js'
import { exampleSplit } from './example-split.js'
import { clickGraph } from './events.js'
import { DEFAULT_SETTINGS, type TrainSettings } from './settings.js'
import { settingsFor } from './settings-for.js'
import { startOf } from './start.js'

const { train: log } = exampleSplit({ users: 50, items: 20, exposures: 200 })
const graph = clickGraph(log)
const DIM = 8

/** The start of a ranking loss, which takes nothing from the log. */
const randomStart = (of: Graph, dim: number, seed: number): KernelState =>
  startOf(log, of, { ...DEFAULT_SETTINGS, dim, seed })

/** The policy of a user at the start. */
function policyOf(chosen: Partial<TrainSettings>, user: number): number[] {
  const settings = settingsFor(true, { loss: 'ips', model: 'mf', layers: 0, dim: DIM, ...chosen })
  const { embeddings } = startOf(log, graph, settings)
  const powers = Array.from({ length: graph.items }, (_, item) => {
    let score = 0
    for (let d = 0; d < DIM; d++)
      score += embeddings[user * DIM + d]! * embeddings[(graph.users + item) * DIM + d]!
    return Math.exp(score / settings.temperature)
  })
  const total = powers.reduce((a, b) => a + b)
  return powers.map((power) => power / total)
}

const distance = (one: readonly number[], other: readonly number[]): number =>
  one.reduce((sum, share, k) => sum + Math.abs(share - other[k]!), 0) / 2

describe('startOf', () => {
  const uniform = Array<number>(graph.items).fill(1 / graph.items)
  const counts = Array<number>(graph.items).fill(1)
  for (const item of log.item) counts[item]!++
  const shown = counts.map((count) => count / (log.rows + graph.items))

  it('is near the uniform policy, or near what was shown, at any temperature', () => {
    for (const user of [0, 17, 49])
      for (const temperature of [0.5, 1]) {
        const noise = 0.25 / temperature
        expect(distance(policyOf({ temperature }, user), uniform)).toBeLessThan(noise)
        expect(distance(policyOf({ temperature, start: 'logging' }, user), shown)).toBeLessThan(noise)
      }
    // The two are far apart in this world.
    expect(distance(uniform, shown)).toBeGreaterThan(0.3)
  })

  it('is exactly what was shown, but for the noise of the other columns', () => {
    const settings = settingsFor(true, { loss: 'ips', model: 'mf', layers: 0, dim: 1, start: 'logging' })
    const { embeddings } = startOf(log, graph, settings)
    const powers = Array.from(embeddings.subarray(graph.users), (score) => Math.exp(score))
    const total = powers.reduce((a, b) => a + b)
    powers.forEach((power, item) => expect(power / total).toBeCloseTo(shown[item]!, 6))
  })

  it('is that of any other training for losses, and for models with layers', () => {
    const plain = randomStart(graph, DIM, 0).embeddings
    for (const chosen of [
      { loss: 'bpr', layers: 0 },
      { loss: 'ips', layers: 2 },
    ] as const)
      expect(startOf(log, graph, settingsFor(true, { dim: DIM, ...chosen })).embeddings).toEqual(plain)
  })
})

const graphOfSize = (users: number, items: number) =>
  graphOf(users, items, new Uint32Array(0), new Uint32Array(0))
const bound = (rows: number, dim: number): number => Math.sqrt(6 / (rows + dim))

describe('a start without biases', () => {
  it('is uniform on ±√(6/(rows + dim)), for users and for items', () => {
    const dim = 32
    const { embeddings } = randomStart(graphOfSize(500, 300), dim, 1)
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
    const { mean, square, steps } = randomStart(graphOfSize(3, 2), 4, 1)
    expect([mean, square, steps]).toEqual([new Float32Array(20), new Float32Array(20), 0])
  })

  it('gives a row the same numbers whoever else there is, on the scale of their number', () => {
    const dim = 4
    const [small, large] = [
      randomStart(graphOfSize(3, 2), dim, 9),
      randomStart(graphOfSize(5, 7), dim, 9),
    ].map(({ embeddings }) => embeddings)
    for (let d = 0; d < 3 * dim; d++)
      expect(large![d]! / bound(5, dim)).toBeCloseTo(small![d]! / bound(3, dim), 6)
    for (let d = 0; d < 2 * dim; d++)
      expect(large![5 * dim + d]! / bound(7, dim)).toBeCloseTo(small![3 * dim + d]! / bound(2, dim), 6)
  })

  it('differs by seed, by row, and between users and items', () => {
    const dim = 4
    const { embeddings } = randomStart(graphOfSize(2, 2), dim, 9)
    const rows = [0, 1, 2, 3].map((row) => embeddings.subarray(row * dim, (row + 1) * dim).join())
    expect(new Set(rows).size).toBe(4)
    expect(randomStart(graphOfSize(2, 2), dim, 10).embeddings).not.toEqual(embeddings)
  })
})

describe('a start with biases', () => {
  it('ranks items by popularity for every user, and changes the last column alone', () => {
    const few = graphOf(3, 3, Uint32Array.of(0, 1, 2, 0, 1), Uint32Array.of(1, 1, 1, 2, 2))
    const plain = randomStart(few, 4, 7).embeddings
    const { embeddings } = startOf(log, few, {
      ...DEFAULT_SETTINGS,
      model: 'mf',
      layers: 0,
      dim: 4,
      seed: 7,
      biases: true,
    })
    embeddings.forEach((value, k) => k % 4 < 3 && expect(value).toBe(plain[k]))
    expect([3, 7, 11].map((k) => embeddings[k])).toEqual([1, 1, 1])
    const biases = [15, 19, 23].map((k) => embeddings[k]!)
    // Clicks of 0, 3 and 2: their logarithms less the mean.
    const logs = [0, Math.log(4), Math.log(3)]
    biases.forEach((bias, item) => expect(bias).toBeCloseTo(logs[item]! - (logs[1]! + logs[2]!) / 3, 6))
  })
})
