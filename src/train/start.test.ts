import { describe, expect, it } from 'vitest'
import { exampleSplit } from './example-split.js'
import { clickGraph } from './events.js'
import { initialState } from './initial.js'
import type { TrainSettings } from './settings.js'
import { settingsFor } from './settings-for.js'
import { startOf } from './start.js'

const { train: log } = exampleSplit({ users: 50, items: 20, exposures: 200 })
const graph = clickGraph(log)
const DIM = 8

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
    const plain = initialState(graph, DIM, 0).embeddings
    for (const chosen of [
      { loss: 'bpr', layers: 0 },
      { loss: 'ips', layers: 2 },
    ] as const)
      expect(startOf(log, graph, settingsFor(true, { dim: DIM, ...chosen })).embeddings).toEqual(plain)
  })
})
