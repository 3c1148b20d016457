import { expect, it } from 'vitest'
import { exampleBatch, exampleGraph, exampleState } from '../kernels/example-graph.js'
import { wasmKernel } from '../kernels/wasm/wasm-kernel.js'
import { holdOnes, isHoldDue, withRatingBiases } from './start.js'

it('holds the ones of biases to the bit over many steps, while all else moves', async () => {
  const settings = {
    graph: exampleGraph(),
    dim: 4,
    layers: 0,
    learningRate: 0.05,
    l2: 0.5,
    form: 'squared',
    itemsPerSample: 1,
    batch: 24,
  } as const
  const { users } = settings.graph
  const kernel = await wasmKernel(settings)
  kernel.load(withRatingBiases(exampleState(settings), settings.graph, 4))
  for (let step = 0; step < 3000; step++) kernel.step(exampleBatch(settings, 24, step % 50))
  const { embeddings } = await kernel.state()
  const moved = [0, 0, 0, 0]
  for (let node = 0; node < embeddings.length / 4; node++) {
    const row = embeddings.subarray(4 * node, 4 * node + 4)
    expect(row[node < users ? 1 : 0]).toBe(1)
    if (row[node < users ? 0 : 1] !== 0) moved[node < users ? 0 : 1]!++
  }
  expect(moved[0]).toBeGreaterThan(30)
  expect(moved[1]).toBeGreaterThan(20)
  await kernel.dispose()
})

it('holds them anew after twenty thousand steps, and in every epoch that is longer', () => {
  expect([1, 199, 200, 400].map((epoch) => isHoldDue(epoch, 100))).toEqual([false, false, true, true])
  expect([1, 2, 3].map((epoch) => isHoldDue(epoch, 50_000))).toEqual([true, true, true])
  const graph = exampleGraph()
  const { square } = holdOnes(exampleState({ graph, dim: 2 }), graph, 2)
  expect([...square.subarray(0, 4)]).toEqual([0, Math.fround(1e30), 0, Math.fround(1e30)])
})
