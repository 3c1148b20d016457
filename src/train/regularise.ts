import { HindcastError } from '../error.js'
import { exp, log } from '../portable-math.js'
import { CompensatedSum } from '../sum.js'
import type { Regulariser } from './settings.js'

/**
 * The effective weights ω of raw weights w, as a regulariser makes them:
 * - `none`, `literal`, `variance`: ω ∝ w. A penalty α·mean(w²) on weights that do not depend on the model has no
 *   gradient, so `literal` cannot change the model; `variance` acts inside the kernel, on the losses;
 * - `shrink`: ω = w/(1 + αw), which minimises Σ (ω − w)²/(2w) + (α/2)·ω². α = 0 is IPS, α → ∞ no weights at all,
 *   and no weight is above 1/α;
 * - `clip`: ω = min(w, bound);
 * - `power`: ω = w^power, from 1 (IPS) to 0 (no weights);
 * - `ess`: with w brought to mean 1, minimises Σ (ω − w)²/(2w) + α·n·log(n Σω²/(Σω)²), that is α·n times the
 *   log of how many times the effective sample is smaller than the sample.
 *
 * `counts` says how many events each weight stands for (default 1 each); the sums of `ess` count them as often.
 */
export function regularise(
  weights: Float64Array,
  regulariser: Regulariser,
  counts: Float64Array = new Float64Array(weights.length).fill(1),
): Float64Array {
  requireStrength(regulariser)
  const { kind, strength } = regulariser
  if (kind === 'shrink') return weights.map((w) => w / (1 + strength * w))
  if (kind === 'clip') return weights.map((w) => Math.min(w, strength))
  if (kind === 'power') return weights.map((w) => (w === 0 ? 0 : exp(strength * log(w))))
  if (kind === 'ess') return towardsEffectiveSample(weights, strength, counts)
  return weights
}

/**
 * ω = w·(1 + 2αn/S)/(1 + 2αn·w/Q) with S = Σω and Q = Σω², by going round until it stands still. The second part
 * does not know the scale of ω, so the first alone decides it; set each round, it need not be crept up to.
 */
function towardsEffectiveSample(weights: Float64Array, strength: number, counts: Float64Array): Float64Array {
  const n = sumOf(counts)
  const total = (of: (event: number) => number): number => sumOf(counts.map((count, k) => count * of(k)))
  const mean = requireMean(total((k) => weights[k]!) / n)
  const raw = weights.map((w) => w / mean)
  const pull = 2 * strength * n
  let omega = raw
  for (let round = 0; round < 1000; round++) {
    const now = omega
    const s = total((k) => now[k]!)
    const q = total((k) => now[k]! * now[k]!)
    const next = raw.map((w) => (w * (1 + pull / s)) / (1 + (pull * w) / q))
    const scale = total((k) => next[k]!) / total((k) => (raw[k] === 0 ? 0 : (next[k]! * next[k]!) / raw[k]!))
    omega = next.map((one) => one * scale)
    if (omega.every((one, k) => Math.abs(one - now[k]!) <= 1e-12 * (1 + one))) break
  }
  return omega
}

/** The weights divided by their mean, so that the learning rate and the penalty keep their meaning. */
export function toMeanOne(weights: Float64Array): Float64Array {
  const mean = requireMean(sumOf(weights) / weights.length)
  return weights.map((w) => w / mean)
}

function requireMean(mean: number): number {
  if (mean > 0 && mean < Infinity) return mean
  throw new HindcastError('bad-rows', `The training weights have a mean of ${mean}.`, {
    remedy: 'Check the propensities and the target: some event must have a weight, and none an infinite one.',
  })
}

export function sumOf(values: Float64Array): number {
  const sum = new CompensatedSum()
  for (const value of values) sum.add(value)
  return sum.value
}

/** Refuses a strength that its regulariser cannot have. */
export function requireStrength({ kind, strength }: Regulariser): void {
  const isGood =
    kind === 'none' ||
    (kind === 'clip'
      ? strength > 0
      : strength >= 0 && (kind === 'power' ? strength <= 1 : strength < Infinity))
  if (isGood) return
  throw new HindcastError('bad-option', `A regulariser ${kind} of strength ${strength} makes no sense.`, {
    remedy:
      kind === 'clip'
        ? 'Give the largest weight, above 0: clip:10.'
        : kind === 'power'
          ? 'Give an exponent from 0 to 1: power:0.5.'
          : `Give a number of at least 0: ${kind}:0.1.`,
  })
}
