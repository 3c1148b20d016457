import binary from './binary-softmax.js'
import type { ScoreRow } from './softmax-shares.js'

interface Exports {
  softmax(
    scores: number,
    powers: number,
    shares: number,
    items: number,
    temperature: number,
    isSingle: number,
  ): void
}

/** Scores begin here in the kernel's memory, above the tables of its compiler; powers and shares follow them. */
const SCORES = 4096
const PAGE = 1 << 16
/** So many items go through the kernel together. */
const TOGETHER = 8

/** The softmax of `softmaxShares`, in the kernel's own memory: the next call overwrites it. */
export type SoftmaxKernel = (scores: ScoreRow, temperature: number) => Float64Array

/** The softmax in WebAssembly, several items at a time; undefined where there are no vectors. */
export function softmaxKernel(): SoftmaxKernel | undefined {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1 << 16 })
  let exports: Exports
  try {
    const module = new WebAssembly.Module(Uint8Array.from(atob(binary), (letter) => letter.charCodeAt(0)))
    exports = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Exports
  } catch {
    return undefined
  }
  return (scores, temperature) => {
    const items = scores.length
    const whole = TOGETHER * Math.ceil(items / TOGETHER)
    const isSingle = scores instanceof Float32Array
    const powers = SCORES + 8 * whole
    const shares = powers + 8 * whole
    const missing = shares + 8 * whole - memory.buffer.byteLength
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE))
    const { buffer } = memory
    const given = isSingle ? new Float32Array(buffer, SCORES, whole) : new Float64Array(buffer, SCORES, whole)
    given.set(scores)
    // What has no score has no share.
    given.fill(-Infinity, items)
    exports.softmax(SCORES, powers, shares, whole, temperature, isSingle ? 1 : 0)
    return new Float64Array(buffer, shares, items)
  }
}
