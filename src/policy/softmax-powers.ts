import { badOption } from '../error.js'
import { exp } from '../portable-math.js'
import binary from './binary-softmax.js'
import { normalise } from './probabilities.js'

/** Scores of one user. */
export type ScoreRow = Float64Array | Float32Array

/** What the shares of a softmax are made of. */
interface SoftmaxPowers {
  /** One for each score, at most 1; 0 for scores of −Infinity. */
  readonly powers: Float64Array
  readonly sum: number
}

/** Made when first asked for; null where there are no vectors. */
let kernel: SoftmaxKernel | null | undefined

/**
 * exp((score − best) / temperature) of each score, none above `best`, and their sum. The array is overwritten by the next
 * call: for passes over many users, of which none is kept.
 */
export function powersOf(scores: ScoreRow, best: number, temperature: number): SoftmaxPowers {
  if (kernel === undefined) kernel = softmaxKernel() ?? null
  return kernel ? kernel(scores, best, temperature) : powersByLoop(scores, best, temperature)
}

/** The same without vectors: to the same bits, and several times slower. */
export function powersByLoop(scores: ScoreRow, best: number, temperature: number): SoftmaxPowers {
  const powers = new Float64Array(scores.length)
  // Even and odd items have a sum each, as vectors of two have them.
  const [sums, lost] = [new Float64Array(2), new Float64Array(2)]
  for (let item = 0; item < scores.length; item++) {
    if (scores[item] === -Infinity) continue
    const power = exp((scores[item]! - best) / temperature)
    powers[item] = power
    const lane = item % 2
    const sum = sums[lane]! + power
    lost[lane]! += lostIn(sums[lane]!, power, sum)
    sums[lane] = sum
  }
  const sum = sums[0]! + sums[1]!
  return { powers, sum: sum + (lostIn(sums[0]!, sums[1]!, sum) + lost[0]! + lost[1]!) }
}

/** What rounding lost in a sum, exactly, whichever of the two is larger (Knuth 1969). */
function lostIn(first: number, second: number, sum: number): number {
  const added = sum - first
  return first - (sum - added) + (second - added)
}

/** The largest of some scores. */
export function bestOf(scores: ScoreRow): number {
  let best = -Infinity
  for (let item = 0; item < scores.length; item++) if (scores[item]! > best) best = scores[item]!
  return best
}

/**
 * exp(score / temperature) divided by its sum, relative to the best score; 0 for scores of −Infinity. All others are
 * finite, and at least one is.
 */
export function softmaxShares(scores: ScoreRow, temperature: number): Float64Array {
  const { powers, sum } = powersOf(scores, bestOf(scores), temperature)
  const shares = new Float64Array(powers.length)
  for (let item = 0; item < shares.length; item++) shares[item] = powers[item]! / sum
  return shares
}

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
type SoftmaxKernel = (scores: ScoreRow, best: number, temperature: number) => SoftmaxPowers

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

/** exp(score / temperature) divided by its sum; 0 for scores of −Infinity. */
export const softmaxOf = (scores: Float64Array, temperature: number, whose: string): Float64Array =>
  areSound(scores) ? softmaxShares(scores, temperature) : normalise(whose, weightsOf(scores, temperature))

/** Whether no score is a fault, and one is of an item that can be shown: what is not so is said by `normalise`. */
function areSound(scores: Float64Array): boolean {
  let isAny = false
  for (let item = 0; item < scores.length; item++) {
    if (!(scores[item]! < Infinity)) return false
    isAny ||= scores[item]! > -Infinity
  }
  return isAny
}

/** Throws for anything but a number above 0; Infinity is allowed. */
export function requireTemperature(name: string, temperature: number): void {
  if (!(temperature > 0))
    throw badOption(
      `Policy ${name}: a temperature of ${temperature} is not above 0.`,
      'Use a number above 0: near 0 shows only the best item, Infinity is uniform.',
    )
}

/** exp(score / temperature) for each item, relative to the best, which has 1; 0 for scores of −Infinity. */
export function weightsOf(scores: Float64Array, temperature: number): Float64Array {
  const best = scores.reduce((a, b) => Math.max(a, b), -Infinity)
  // Subtracting the best score keeps exp within range and does not change the ratios.
  return scores.map((score) => (score === -Infinity ? 0 : exp((score - best) / temperature)))
}
