import binary from './binary-softmax.js'
import type { ScoreRow, SoftmaxPowers } from './softmax-powers.js'

interface Exports {
  prepare(): void
  raise(
    scores: number,
    powers: number,
    items: number,
    best: number,
    temperature: number,
    isSingle: number,
  ): number
}

/** Scores begin here in the kernel's memory, above its numbers; powers follow them. */
const SCORES = 4096
const PAGE = 1 << 16
/** So many items go through the kernel together. */
const TOGETHER = 8

/** `powersOf`, in the kernel's own memory: the next call overwrites it. */
export type SoftmaxKernel = (scores: ScoreRow, best: number, temperature: number) => SoftmaxPowers

/** The exponentials of a softmax in WebAssembly, several items at a time; undefined where there are no vectors. */
export function softmaxKernel(): SoftmaxKernel | undefined {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1 << 16 })
  let exports: Exports
  try {
    const module = new WebAssembly.Module(Uint8Array.from(atob(binary), (letter) => letter.charCodeAt(0)))
    exports = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Exports
  } catch {
    return undefined
  }
  exports.prepare()
  return (scores, best, temperature) => {
    const items = scores.length
    const whole = TOGETHER * Math.ceil(items / TOGETHER)
    const isSingle = scores instanceof Float32Array
    const powers = SCORES + 8 * whole
    const missing = powers + 8 * whole - memory.buffer.byteLength
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE))
    const { buffer } = memory
    const given = isSingle ? new Float32Array(buffer, SCORES, whole) : new Float64Array(buffer, SCORES, whole)
    given.set(scores)
    // What has no score has no share.
    given.fill(-Infinity, items)
    const sum = exports.raise(SCORES, powers, whole, best, temperature, isSingle ? 1 : 0)
    return { powers: new Float64Array(buffer, powers, items), sum }
  }
}
