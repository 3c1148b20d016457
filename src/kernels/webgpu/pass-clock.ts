import { USAGE, readBack } from './device-memory.js'

/** GPU time of passes by name since the last report: milliseconds in all, and how often each ran. */
export type PassTimes = ReadonlyMap<string, { readonly milliseconds: number; readonly runs: number }>

/** What a query set may hold. */
const MOST_QUERIES = 4096

/** Times passes by the device's own clock. Only as many as its queries last for between two reports. */
export class PassClock {
  readonly #device: GPUDevice
  readonly #queries: GPUQuerySet
  readonly #ticks: GPUBuffer
  #names: string[] = []

  constructor(device: GPUDevice) {
    this.#device = device
    this.#queries = device.createQuerySet({ type: 'timestamp', count: MOST_QUERIES })
    this.#ticks = device.createBuffer({
      size: 8 * MOST_QUERIES,
      usage: USAGE.queryResolve | USAGE.copySource,
    })
  }

  /** Begins a pass that is timed, while there are queries left. */
  begin(encoder: GPUCommandEncoder, name: string): GPUComputePassEncoder {
    const first = 2 * this.#names.length
    if (first + 2 > MOST_QUERIES) return encoder.beginComputePass()
    this.#names.push(name)
    return encoder.beginComputePass({
      timestampWrites: {
        querySet: this.#queries,
        beginningOfPassWriteIndex: first,
        endOfPassWriteIndex: first + 1,
      },
    })
  }

  /** Times since the last call. */
  async report(): Promise<PassTimes> {
    const names = this.#names
    this.#names = []
    const times = new Map<string, { milliseconds: number; runs: number }>()
    if (names.length === 0) return times
    const encoder = this.#device.createCommandEncoder()
    encoder.resolveQuerySet(this.#queries, 0, 2 * names.length, this.#ticks, 0)
    this.#device.queue.submit([encoder.finish()])
    const nanoseconds = new BigUint64Array(
      await readBack(this.#device, this.#ticks, 16 * names.length).bytes(),
    )
    names.forEach((name, k) => {
      const { milliseconds, runs } = times.get(name) ?? { milliseconds: 0, runs: 0 }
      const taken = Number(nanoseconds[2 * k + 1]! - nanoseconds[2 * k]!) / 1e6
      times.set(name, { milliseconds: milliseconds + taken, runs: runs + 1 })
    })
    return times
  }

  /** Frees its memory. */
  dispose(): void {
    this.#queries.destroy()
    this.#ticks.destroy()
  }
}
