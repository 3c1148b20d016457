import { HindcastError } from '../../error.js'
import { normalCdf, normalQuantile } from '../../normal.js'
import { quantileOfDraws } from '../../quantile.js'
import { hashText, philox } from '../../random/stream.js'
import { type Estimator, termsOf } from '../estimator.js'
import { Moments } from '../source/moments.js'
import type { Term } from '../term.js'
import { firstOrderOf, type Interval, type IntervalSettings } from './interval.js'
import { jackknifeOf } from './large-sample.js'

export interface BootstrapOptions {
  /** How many times clusters are resampled (default 50): enough for a variance; an interval needs 1000 or more. */
  readonly resamples?: number
  /** Fixes every draw (default 0). */
  readonly seed?: number
}

/** 2³²·P(X ≤ k) of a Poisson variable of mean 1, for k = 0, 1, …, 12: a random word below the k-th counts k. */
const THRESHOLDS = [
  1580030168, 3160060337, 3950075421, 4213413783, 4279248373, 4292415291, 4294609777, 4294923276, 4294962463,
  4294966817, 4294967252, 4294967292, 4294967295,
]

/** How often a cluster is drawn, from a random word: Poisson of mean 1. */
export function poissonCount(word: number): number {
  let count = LEAST_COUNTS[word >>> 24]!
  while (count < THRESHOLDS.length && word >= THRESHOLDS[count]!) count++
  return count
}

/** The count of the least word with each of the 256 first bytes: few words have another, so that a processor can guess ahead. */
const LEAST_COUNTS = Uint8Array.from({ length: 256 }, (_, byte) => {
  const above = THRESHOLDS.findIndex((threshold) => byte * 2 ** 24 < threshold)
  return above === -1 ? THRESHOLDS.length : above
})

/**
 * The estimate recomputed for each resample of the clusters, numerators and denominators alike (with the
 * denominator kept fixed a ratio's spread would be wrong). Every cluster counts Poisson(1) times by a hash
 * of (seed, resample, cluster key) (Chamandy et al. 2012, "Estimating uncertainty for massive data
 * streams"): one pass, the same draws in whatever order or place the clusters are met, and for two
 * estimators of one log the same clusters. NaN where a resample leaves nothing to divide by.
 */
export const bootstrapValues = (
  estimator: Estimator,
  moments: Moments,
  options: BootstrapOptions = {},
): Float64Array => bootstrapAll([estimator], moments, options)[0]!

/** More clusters than this are drawn in groups of many: the spread is the same, and the time a fraction. */
const MOST_RESAMPLED = 131_072
const GROUPS = 16_384

/** The moments of some estimators as they are drawn from: by cluster, or by groups where there are too many of those. */
export const drawable = (estimators: readonly Estimator[], moments: Moments): Moments =>
  moments.clusters > MOST_RESAMPLED ? dealt(moments, termsOf(estimators)) : moments

/** The sums of some terms over clusters that are dealt into groups by their keys alone: the same groups wherever they are. */
function dealt(summed: Moments, terms: readonly Term[]): Moments {
  const { keys, groupOf } = groupsOf(summed.keys)
  const sums = terms.map((term): [string, Float64Array] => {
    const merged = new Float64Array(GROUPS)
    const values = summed.sums(term)
    for (let g = 0; g < values.length; g++) merged[groupOf[g]!]! += values[g]!
    return [term.name, merged]
  })
  return new Moments(keys, new Map(sums), { by: 'bucket' })
}

/** Kept with the keys, since every estimator of a log asks for the same groups. */
const knownGroups = new WeakMap<Uint32Array, { keys: Uint32Array; groupOf: Uint16Array }>()

function groupsOf(clusters: Uint32Array): { keys: Uint32Array; groupOf: Uint16Array } {
  let known = knownGroups.get(clusters)
  if (!known) {
    const groupOf = new Uint16Array(clusters.length)
    for (let g = 0; g < clusters.length; g++) groupOf[g] = mixed(clusters[g]!)
    const keys = Uint32Array.from({ length: GROUPS }, (_, group) => hashText(`group ${group}`))
    knownGroups.set(clusters, (known = { keys, groupOf }))
  }
  return known
}

/** A key with all its bits stirred together (the last steps of MurmurHash3): keys of like ids are themselves alike. */
function mixed(key: number): number {
  let bits = key ^ (key >>> 16)
  bits = Math.imul(bits, 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) & (GROUPS - 1)
}

/** The same for several estimators, which share the draws. */
export function bootstrapAll(
  estimators: readonly Estimator[],
  summed: Moments,
  { resamples = 50, seed = 0 }: BootstrapOptions = {},
): Float64Array[] {
  requireResamples(resamples)
  const terms = termsOf(estimators)
  const moments = drawable(estimators, summed)
  const columns = terms.map((term) => moments.sums(term))
  const blocks = Math.ceil(resamples / 4)
  const width = blocks * 4
  // The sums of term t in resample b stand at t·width + b.
  const sums = new Float64Array(terms.length * width)
  const counts = new Uint8Array(width)
  const kept = keptCounts(moments, width, seed)
  const draw = poissonDraws(seed)
  for (let g = 0; g < moments.clusters; g++) {
    const drawn = kept ? kept.subarray(g * width, (g + 1) * width) : counts
    if (!kept) draw(moments.keys[g]!, counts)
    for (let t = 0; t < columns.length; t++) {
      const value = columns[t]![g]!
      if (value === 0) continue
      const start = t * width
      for (let b = 0; b < width; b++) sums[start + b]! += drawn[b]! * value
    }
  }
  const placeOf = new Map(terms.map(({ name }, t) => [name, t * width]))
  return estimators.map(({ ratios, correction }) => {
    const values = new Float64Array(resamples)
    for (const { numerator, denominator } of ratios) {
      const above = placeOf.get(numerator.name)!
      const below = placeOf.get(denominator.name)!
      for (let b = 0; b < resamples; b++) {
        const divisor = sums[below + b]!
        values[b]! += divisor > 0 ? sums[above + b]! / divisor : NaN
      }
    }
    if (correction)
      for (let b = 0; b < resamples; b++)
        values[b]! += correction.of(
          Float64Array.from(correction.terms, ({ name }) => sums[placeOf.get(name)! + b]!),
        )
    return values
  })
}

/** Throws unless the number is whole and at least 0. */
export function requireResamples(resamples: number): void {
  if (!(Number.isInteger(resamples) && resamples >= 0))
    throw new HindcastError(
      'bad-option',
      `The number of resamples must be a whole number, not ${resamples}.`,
      {
        remedy: 'Give 50 for a variance, 1,000 for an interval.',
      },
    )
}

/** Draws of some clusters are kept with their keys while they take no more than this many bytes. */
const MOST_KEPT = 2 ** 27
const keptDraws = new WeakMap<Uint32Array, { seed: number; width: number; counts: Uint8Array }>()

/**
 * The counts of all clusters, `width` for each; drawn once for the estimators of one log, and for its targets where
 * their moments share the keys. Undefined when they are too many to keep.
 */
function keptCounts(moments: Moments, width: number, seed: number): Uint8Array | undefined {
  if (moments.clusters * width > MOST_KEPT) return undefined
  const known = keptDraws.get(moments.keys)
  if (known?.seed === seed && known.width === width) return known.counts
  const counts = new Uint8Array(moments.clusters * width)
  const draw = poissonDraws(seed)
  for (let g = 0; g < moments.clusters; g++)
    draw(moments.keys[g]!, counts.subarray(g * width, (g + 1) * width))
  keptDraws.set(moments.keys, { seed, width, counts })
  return counts
}

/** Draws how often a cluster counts in each resample, four resamples per block of random numbers. */
function poissonDraws(seed: number): (key: number, counts: Uint8Array) => void {
  const counter = new Uint32Array([0, 0, 0, hashText('bootstrap')])
  const words = new Uint32Array(4)
  const key0 = seed >>> 0
  const key1 = Math.floor(seed / 0x100000000) >>> 0
  return (key, counts) => {
    counter[1] = key
    for (let block = 0; block * 4 < counts.length; block++) {
      counter[0] = block
      philox(counter, key0, key1, words)
      for (let k = 0; k < 4; k++) counts[block * 4 + k] = poissonCount(words[k]!)
    }
  }
}

/** The cluster bootstrap's percentile interval: the middle share of the resampled estimates (Efron 1979). */
export const bootstrap: Interval<'bootstrap'> = {
  name: 'bootstrap',
  label: 'Percentile bootstrap',
  family: 'bootstrap',
  meaning: 'Percentiles of estimates from resampled clusters. Needs 1,000 resamples or more.',
  docs: 'intervals.md#bootstrap',
  isOneWay: true,
  of: (estimator, moments, confidence, settings) => {
    const sorted = resampled(estimator, moments, settings)
    if (typeof sorted === 'string') return sorted
    const tail = (1 - confidence) / 2
    return {
      interval: [quantileOfDraws(sorted, tail), quantileOfDraws(sorted, 1 - tail)],
      reason: few(sorted.length),
    }
  },
}

/**
 * The bias-corrected and accelerated interval of the cluster bootstrap (Efron 1987): percentiles moved to
 * Φ(z₀ + (z₀ + z)/(1 − a(z₀ + z))), with z₀ from the share of resampled estimates below the estimate, and
 * a = Σd³/(6 (Σd²)^{3/2}) from the jackknife's d_g = V − V₍₋g₎ (their mean taken off).
 */
export const bca: Interval<'bca'> = {
  name: 'bca',
  label: 'BCa bootstrap',
  family: 'bootstrap',
  meaning: 'Percentiles of the bootstrap, corrected for bias and skew. Needs 1,000 resamples or more.',
  docs: 'intervals.md#bca',
  isOneWay: true,
  of: (estimator, moments, confidence, settings) => {
    const sorted = resampled(estimator, moments, settings)
    if (typeof sorted === 'string') return sorted
    const theory = firstOrderOf(estimator, moments)
    if (typeof theory === 'string') return theory
    const falls = jackknifeOf(estimator, moments)
    if (!falls) return 'One cluster carries all the weight: without it nothing could be estimated.'
    let below = 0
    for (const value of sorted) below += value < theory.value ? 1 : value === theory.value ? 0.5 : 0
    if (below === 0 || below === sorted.length)
      return 'All resampled estimates lie on one side of the estimate, so their bias cannot be corrected.'
    const bias = normalQuantile(below / sorted.length)
    const acceleration = skewness(falls) / 6
    const moved = (z: number): number => normalCdf(bias + (bias + z) / (1 - acceleration * (bias + z)))
    const z = normalQuantile((1 + confidence) / 2)
    if (!(1 - Math.abs(acceleration) * (Math.abs(bias) + z) > 0))
      return 'The influences are too skewed for the correction: choose another interval.'
    return {
      interval: [quantileOfDraws(sorted, moved(-z)), quantileOfDraws(sorted, moved(z))],
      reason: few(sorted.length),
    }
  },
}

/** The resampled estimates in order, or why there are none. */
function resampled(
  estimator: Estimator,
  moments: Moments,
  { bootstrap: resamples, seed }: IntervalSettings,
): Float64Array | string {
  const drawn = drawable([estimator], moments)
  const theory = firstOrderOf(estimator, drawn)
  if (typeof theory === 'string') return theory
  const values = bootstrapValues(estimator, drawn, {
    ...(resamples !== undefined && { resamples }),
    ...(seed !== undefined && { seed }),
  })
  const defined = values.filter((value) => Number.isFinite(value))
  // Left out, they would hide how little there is; a rare one does not matter.
  if (!(defined.length >= 0.99 * values.length) || defined.length < 2)
    return `${values.length - defined.length} of ${values.length} resamples have a denominator of zero: too few clusters carry weight.`
  return defined.toSorted()
}

/** Σ d³/(Σ d²)^{3/2} of deviations from their mean. */
function skewness(values: Float64Array): number {
  let mean = 0
  for (const value of values) mean += value / values.length
  let squares = 0
  let cubes = 0
  for (const value of values) {
    const deviation = value - mean
    squares += deviation * deviation
    cubes += deviation * deviation * deviation
  }
  return squares > 0 ? cubes / (squares * Math.sqrt(squares)) : 0
}

const few = (resamples: number): string | undefined =>
  resamples < 1000
    ? `${resamples} resamples are enough for a variance but few for an interval: use 1,000 or more.`
    : undefined
