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
 * - `ess`: minimises Σ (ω − w)²/(2w) + α·n·log(n Σω²/(Σω)²), that is α·n times the log of how many times the
 *   effective sample is smaller than the sample.
 */
export function regularise(weights: Float64Array, regulariser: Regulariser): Float64Array {
  requireStrength(regulariser)
  const { kind, strength } = regulariser
  if (kind === 'shrink') return weights.map((w) => w / (1 + strength * w))
  if (kind === 'clip') return weights.map((w) => Math.min(w, strength))
  if (kind === 'power') return weights.map((w) => (w === 0 ? 0 : exp(strength * log(w))))
  if (kind === 'ess') return towardsEffectiveSample(weights, strength)
  return weights
}

/** ω = w·(1 + 2αn/S)/(1 + 2αn·w/Q) with S = Σω and Q = Σω², by going round until it stands still. */
function towardsEffectiveSample(weights: Float64Array, strength: number): Float64Array {
  let omega = toMeanOne(weights)
  const raw = omega
  const n = weights.length
  for (let round = 0; round < 1000; round++) {
    const pull = 2 * strength * n
    const s = sumOf(omega)
    const q = sumOf(omega.map((one) => one * one))
    const next = raw.map((w) => (w * (1 + pull / s)) / (1 + (pull * w) / q))
    let change = 0
    for (let k = 0; k < n; k++) change = Math.max(change, Math.abs(next[k]! - omega[k]!))
    omega = next
    if (change < 1e-12) break
  }
  return omega
}

/** The weights divided by their mean, so that the learning rate and the penalty keep their meaning. */
export function toMeanOne(weights: Float64Array): Float64Array {
  const mean = sumOf(weights) / weights.length
  if (!(mean > 0 && mean < Infinity))
    throw new HindcastError('bad-rows', `The training weights have a mean of ${mean}.`, {
      remedy:
        'Check the propensities and the target: some event must have a weight, and none an infinite one.',
    })
  return weights.map((w) => w / mean)
}

export function sumOf(values: Float64Array): number {
  const sum = new CompensatedSum()
  for (const value of values) sum.add(value)
  return sum.value
}

function requireStrength({ kind, strength }: Regulariser): void {
  const isGood =
    kind === 'none' ||
    (kind === 'clip' ? strength > 0 : kind === 'power' ? strength >= 0 && strength <= 1 : strength >= 0)
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
