import { describe, expect, it } from 'vitest'
import { exampleGraph } from '../example-graph.js'
import type { KernelSettings } from '../kernel.js'
import { layoutOf, pagesOf, panelsFor } from './layout.js'

describe('panelsFor', () => {
  it('covers all columns, padded to four, with panels of one width', () => {
    for (let dim = 1; dim <= 200; dim++)
      for (let threads = 1; threads <= 16; threads++) {
        const panels = panelsFor(dim, threads)
        expect(panels.dim).toBe(Math.ceil(dim / 4) * 4)
        expect(panels.width * panels.count).toBe(panels.dim)
        expect([4, 8, 16]).toContain(panels.width)
      }
  })

  it('takes narrow panels only where threads would have nothing to do', () => {
    expect(panelsFor(64, 1)).toEqual({ dim: 64, width: 16, count: 4 })
    expect(panelsFor(64, 2).width).toBe(16)
    expect(panelsFor(64, 8).width).toBe(8)
    expect(panelsFor(64, 16).width).toBe(4)
    expect(panelsFor(16, 2).width).toBe(8)
  })
})

describe('layoutOf', () => {
  const settings: KernelSettings = {
    graph: exampleGraph(),
    dim: 8,
    layers: 2,
    learningRate: 0.01,
    l2: 0,
    batch: 16,
    form: 'pairwise',
    itemsPerSample: 2,
  }

  it('begins regions at cache lines, behind the page of the plan, one after the other', () => {
    const { address, bytes } = layoutOf(settings, 1)
    const starts = (['control', 'offsets', 'neighbours', 'embeddings', 'tables', 'askedScores'] as const).map(
      address,
    )
    expect(starts[0]).toBe(65536)
    for (const start of starts) expect(start % 64).toBe(0)
    expect(starts).toEqual(starts.toSorted((a, b) => a - b))
    expect(bytes).toBeGreaterThan(starts.at(-1)!)
    expect(pagesOf(layoutOf(settings, 1)) * 65536).toBeGreaterThanOrEqual(bytes)
  })

  it('refuses what 32-bit addresses cannot reach, and says what to reduce', () => {
    expect(() =>
      layoutOf({ ...settings, dim: 1024, graph: { ...settings.graph, users: 3_000_000 } }, 1),
    ).toThrow(/more than the 4 GiB that WebAssembly can address/)
  })
})
