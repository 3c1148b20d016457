import { describe, expect, it } from 'vitest'
import { requireMemory, type TrainingPlace, trainingMemory, type TrainingSize } from './training-memory.js'
import { DEFAULT_SETTINGS } from './settings.js'

const size = (clicks: number, users = clicks / 20): TrainingSize => ({
  rows: clicks,
  users,
  items: 1000,
  clicks,
  columns: { ids: 2, numbers: 2 },
})
const place = (more: Partial<TrainingPlace> = {}): TrainingPlace => ({
  backend: 'wasm',
  mayHaveGpu: false,
  available: 64e9,
  ...more,
})
const required = (asked: TrainingSize, more?: Partial<TrainingPlace>, settings = DEFAULT_SETTINGS): string =>
  requireMemory('t', asked, trainingMemory(asked, settings, 0.8), place(more))

describe('the memory of a training', () => {
  it('is about what two million clicks were seen to take', () => {
    // 104,000 users and items in 64 dimensions, one layer: 646 MB resident, of which 100 are Node's own.
    const two = { ...size(2e6, 1e5), items: 4000 }
    const { host, wasm } = trainingMemory(two, { ...DEFAULT_SETTINGS, layers: 1, batch: 262_144 }, 0.8)
    expect(host + wasm).toBeGreaterThan(0.85 * 546e6)
    expect(host + wasm).toBeLessThan(1.5 * 546e6)
  })

  it('grows with rows, users, columns and dimensions', () => {
    const total = (asked: TrainingSize, dim = 64): number => {
      const { host, wasm } = trainingMemory(asked, { ...DEFAULT_SETTINGS, dim }, 0.8)
      return host + wasm
    }
    const base = total(size(1e6))
    expect(total(size(2e6, 5e4))).toBeGreaterThan(base)
    expect(total(size(1e6, 1e5))).toBeGreaterThan(base)
    expect(total({ ...size(1e6), columns: { ids: 2, numbers: 5 } })).toBe(base + 2 * 3 * 8e6)
    expect(total(size(1e6), 128)).toBeGreaterThan(base)
  })

  it('is said where it fits', () => {
    expect(required(size(1e6))).toMatch(
      /^t: 1,000,000 rows of 50,000 users and 1,000 items, 1,000,000 clicks\. Training takes about 0\.\d+ GB of memory, of 64 GB\.$/,
    )
  })

  it('is refused where it does not fit: 4 GiB of WebAssembly, 2 GiB of a piece of a GPU, the machine', () => {
    expect(() => required(size(80e6, 4e6))).toThrow(/WebAssembly’s memory, which has 4\.3 GB/)
    expect(required(size(80e6, 4e6), { backend: 'auto', mayHaveGpu: true })).toContain('80,000,000 clicks')
    expect(() => required(size(400e6, 4e6), { backend: 'webgpu' })).toThrow(/in a GPU’s memory/)
    expect(() => required(size(1e6), { available: 1e8 })).toThrow(/this machine has 0\.1 GB/)
    expect(() => required(size(20e6, 20e6))).toThrow(/at most 16,777,216 users/)
  })
})
