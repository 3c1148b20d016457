import { describe, expect, it } from 'vitest'
import { exampleGraph } from '../example-graph.js'
import type { KernelSettings } from '../kernel.js'
import { deviceGraph, layoutOf } from './layout.js'

const graph = exampleGraph()
const settings: KernelSettings = {
  graph,
  dim: 8,
  layers: 3,
  learningRate: 0.01,
  l2: 0,
  form: 'pairwise',
  itemsPerSample: 2,
  batch: 16,
}
const AMPLE = { maxStorageBufferBindingSize: 2 ** 31, maxBufferSize: 2 ** 31 }
const layout = (given: Partial<KernelSettings> = {}, limits = AMPLE) =>
  layoutOf({ ...settings, ...given }, deviceGraph(graph), limits)

describe('layoutOf', () => {
  it('gives every row enough lanes, and every lane of a workgroup a row', () => {
    for (let dim = 1; dim <= 1024; dim++) {
      const { width, laneBits, slices } = layout({ dim }).shape
      expect(4 * width).toBeGreaterThanOrEqual(dim)
      expect(4 * width).toBeLessThan(dim + 4)
      expect(2 ** laneBits).toBeGreaterThanOrEqual(width)
      expect(2 ** laneBits).toBeLessThan(2 * width)
      expect(slices * 2 ** laneBits).toBe(256)
    }
  })

  it('puts the parts of a block one after the other', () => {
    const { shape, bytes, slots } = layout({ form: 'softmax', itemsPerSample: 5 })
    const room = graph.users + graph.items
    expect([
      shape.blockNodes,
      shape.blockStarts,
      shape.blockUserPlaces,
      shape.blockItemPlaces,
      shape.blockEntries,
      shape.blockWeights,
      shape.blockExtra,
      shape.blockLength,
    ]).toEqual([
      1,
      1 + room,
      2 + 2 * room,
      18 + 2 * room,
      98 + 2 * room,
      258 + 2 * room,
      274 + 2 * room,
      354 + 2 * room,
    ])
    expect(bytes.blocks).toBe(4 * slots * shape.blockLength)
  })

  it('keeps as many tables as there are hops to store', () => {
    const spares = [0, 1, 2, 3, 6].map((layers) => {
      const { spare0, spare1, scaled } = layout({ layers }).bytes
      return [spare0 === scaled, spare1 === scaled]
    })
    expect(spares).toEqual([
      [false, false],
      [true, false],
      [true, true],
      [true, true],
      [true, true],
    ])
  })

  it('sends fewer steps at a time where they are heavy', () => {
    expect(layout().slots).toBe(64)
    expect(layout({ batch: 2 ** 20 }).slots).toBe(1)
    const edges = new Uint32Array(2 ** 24)
    expect(
      layoutOf({ ...settings, dim: 64 }, { ...deviceGraph(graph), neighbours: edges }, AMPLE).slots,
    ).toBe(5)
  })

  it('says what is too large for one buffer, how large it may be, and what to reduce', () => {
    const tight = { maxStorageBufferBindingSize: 2 ** 20, maxBufferSize: 2 ** 31 }
    const many = { ...graph, users: 100_000 }
    expect(() =>
      layoutOf({ ...settings, graph: many }, { ...deviceGraph(graph), nodes: 100_030 }, tight),
    ).toThrow(
      expect.objectContaining({
        code: 'device-full',
        message:
          'The GPU would need a buffer of 4 MiB for 100,030 users and items in 8 dimensions, but allows at most 1 MiB.',
        remedy: expect.stringContaining('(dim)'),
      }),
    )
    expect(() => layout({ batch: 2 ** 18 }, tight)).toThrow(
      expect.objectContaining({
        code: 'device-full',
        message: expect.stringContaining('a batch of 262,144 samples of 2 items'),
        remedy: expect.stringContaining('(batch)'),
      }),
    )
    expect(() => layout({ dim: 1025 })).toThrow('1,025 dimensions')
  })
})
