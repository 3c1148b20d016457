import { badOption, HindcastError } from '../error.js'
import { exp, log } from '../portable-math.js'
import { type Named, recordsOf, Registry } from '../registry.js'
import { CompensatedSum } from '../sum.js'

/** A way to keep large weights from dominating. */
export interface RegulariserKind<Name extends string = string> extends Named<Name> {
  /** What it acts on: the weights, the losses of a batch (weighted or not), or only the reported loss. */
  readonly family: 'none' | 'weights' | 'losses' | 'report'
  /** What its strength may be; absent if it has none. */
  readonly strength?: Strength
  /** The effective weights ω of raw weights w, `counts` saying how many events each stands for; without it, ω = w. */
  change?(weights: Float64Array, strength: number, counts: Float64Array): Float64Array
  /** What it adds to the loss that is reported, from the raw weights; it has no gradient. */
  penalty?(weights: Float64Array, strength: number): number
  /** What the user should know of a training with it, as full sentences. */
  readonly note?: string
}

/** The one number of a regulariser. */
export interface Strength {
  /** What a form calls it. */
  readonly label: string
  /** What stands for it in help texts: `shrink:A`. */
  readonly placeholder: string
  readonly usual: number
  readonly least: number
  readonly most: number
  /** What is expected, after "Give": `a number of at least 0`. */
  readonly expected: string
}

const regulariser = recordsOf<RegulariserKind>('regularisers.md', {})

/** ω = w. */
export const none = regulariser('none', {
  label: 'none',
  family: 'none',
  meaning: 'Weights stay as they are: unbiased, but dominated by the rarest clicks.',
})

/** α, the strength of a penalty. */
const alpha: Strength = {
  label: 'α',
  placeholder: 'A',
  usual: 0.1,
  least: 0,
  most: Number.MAX_VALUE,
  expected: 'a number of at least 0',
}

/**
 * ω = w/(1 + αw), which minimises Σ (ω − w)²/(2w) + (α/2)·ω². α = 0 is IPS, α → ∞ no weights at all, and no weight is
 * above 1/α.
 */
export const shrink = regulariser('shrink', {
  label: 'shrink',
  family: 'weights',
  meaning: 'ω = w/(1 + αw): no weight above 1/α.',
  strength: alpha,
  change: (weights, strength) => weights.map((w) => w / (1 + strength * w)),
})

/** ω = min(w, bound). */
const clip = regulariser('clip', {
  label: 'clip',
  family: 'weights',
  meaning: 'ω = min(w, bound): weights are clipped at a bound.',
  strength: {
    label: 'Largest weight',
    placeholder: 'MAX',
    usual: 10,
    least: Number.MIN_VALUE,
    most: Infinity,
    expected: 'the largest weight, above 0',
  },
  change: (weights, strength) => weights.map((w) => Math.min(w, strength)),
})

/** ω = w^power, from 1 (IPS) to 0 (no weights). */
const power = regulariser('power', {
  label: 'power',
  family: 'weights',
  meaning: 'ω = w to a power from 1 (unchanged) to 0 (all equal).',
  strength: {
    label: 'Power',
    placeholder: 'P',
    usual: 0.5,
    least: 0,
    most: 1,
    expected: 'an exponent from 0 to 1',
  },
  change: (weights, strength) => weights.map((w) => (w === 0 ? 0 : exp(strength * log(w)))),
})

/**
 * With w brought to mean 1, minimises Σ (ω − w)²/(2w) + α·n·log(n Σω²/(Σω)²), that is α·n times the log of how many
 * times the effective sample is smaller than the sample. Its sums count each weight as often as it has events.
 */
const ess = regulariser('ess', {
  label: 'ESS',
  family: 'weights',
  meaning: 'Trades closeness to w for a larger effective sample size.',
  strength: alpha,
  change: towardsEffectiveSample,
})

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

/** ω = w; α·√(Var(ωℓ)/B) is added to each batch inside the kernel. */
const variance = regulariser('variance', {
  label: 'variance',
  family: 'losses',
  meaning:
    'Adds α standard errors of the weighted loss to the loss, which makes large losses count more; to hold large weights back, take the objective poem.',
  strength: alpha,
  note: 'The variance penalty makes large losses count more. These losses are positive, so heavy and badly ranked clicks gain influence: it does not hold large weights back. The objective poem does.',
})

/** ω = w. A penalty α·mean(w²) on weights that do not depend on the model has no gradient: it cannot change the model. */
const literal = regulariser('literal', {
  label: 'literal',
  family: 'report',
  meaning: 'Adds α·mean(w²) to the loss. It has no gradient, so the model stays the same.',
  strength: alpha,
  penalty: (weights, strength) => (strength * sumOf(weights.map((w) => w * w))) / weights.length,
  note: 'The literal regulariser adds α·mean(w²) to the loss. The weights do not depend on the model, so it has no gradient and does not change the model.',
})

const ALL = [none, shrink, clip, power, ess, variance, literal] as const

export type RegulariserName = (typeof ALL)[number]['name']

/** Propensity regularisers, by name. */
export const REGULARISERS: Registry<RegulariserKind<RegulariserName>> = new Registry('regulariser', ALL)

/** A propensity regulariser, and how strong it is; 0 for one without a strength. */
export interface Regulariser {
  readonly kind: RegulariserName
  readonly strength: number
}

/**
 * The effective weights ω of raw weights w, as a regulariser makes them. `counts` says how many events each weight
 * stands for (default 1 each).
 */
export function regularise(
  weights: Float64Array,
  regulariser: Regulariser,
  counts: Float64Array = new Float64Array(weights.length).fill(1),
): Float64Array {
  requireStrength(regulariser)
  const { kind, strength } = regulariser
  return REGULARISERS.named(kind).change?.(weights, strength, counts) ?? weights
}

/** Throws for a strength that the regulariser cannot have. */
export function requireStrength({ kind, strength }: Regulariser): void {
  const { strength: may } = REGULARISERS.named(kind)
  if (!may || (strength >= may.least && strength <= may.most)) return
  throw badOption(
    `The regulariser ${kind} cannot have the strength ${strength}.`,
    `Give ${may.expected}: ${kind}:${may.usual}.`,
  )
}

/** The weights divided by their mean, so that the learning rate and the penalty keep their meaning. */
export function toMeanOne(weights: Float64Array): Float64Array {
  const mean = requireMean(sumOf(weights) / weights.length)
  return weights.map((w) => w / mean)
}

/** The mean of weights, once it is known to be a valid divisor. */
function requireMean(mean: number): number {
  if (mean > 0 && mean < Infinity) return mean
  throw new HindcastError('bad-rows', `The training weights have a mean of ${mean}.`, {
    remedy: 'Check the propensities and the target: some weight must be above 0, and none infinite.',
  })
}

export function sumOf(values: Float64Array): number {
  const sum = new CompensatedSum()
  for (const value of values) sum.add(value)
  return sum.value
}
