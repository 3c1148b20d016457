import { HindcastError } from '../../error.js'
import { exp, expm1, log } from '../../portable-math.js'

/**
 * Step of the integral over log t. Down to slot k the integrand is about as wide as 1/√k, and a sum over steps is off by
 * e^(−2π²/(k·step²)) of it: below rounding.
 */
const stepFor = (slots: number): number => Math.min(0.2, 0.6 / Math.sqrt(slots))

/** Where a probability no longer shows beside 1. */
const NEGLIGIBLE = 1e-16

/**
 * P(item in slot k) of pages drawn slot by slot without repetition, each item in proportion to `probability` among those
 * left (Plackett–Luce), for the items asked for: `[slot][place among the items]`, slots counted from 0.
 *
 * Items that arrive after independent exponential times with rates p arrive in the order of such a page, so
 * P(a in slot k) = ∫ p_a e^(−p_a t) P(k others have arrived by t) dt: a sum over t of coefficients of
 * Π_{i≠a} (e^(−p_i t) + (1 − e^(−p_i t)) z), O(items · slots) for each of some hundred t.
 */
export function slotMarginals(
  probability: Float64Array,
  items: ArrayLike<number>,
  slots: number,
): Float64Array[] {
  const rates = probability.filter((p) => p > 0)
  if (rates.length < slots) throw cannotFill(rates.length, slots)
  const marginals = Array.from({ length: slots }, () => new Float64Array(items.length))
  for (let place = 0; place < items.length; place++) marginals[0]![place] = probability[items[place]!]!
  if (slots === 1) return marginals
  const step = stepFor(slots)
  const here = new Float64Array(rates.length)
  const arrived = new Float64Array(slots)
  const others = new Float64Array(slots)
  // Below the first slot the integrand falls as t², so that it can start where t² vanishes.
  for (let s = log(NEGLIGIBLE) / 2; ; s += step) {
    const t = exp(s)
    for (let i = 0; i < rates.length; i++) here[i] = arrivedBy(rates[i]! * t)
    countArrivals(arrived, here)
    if (s > 0 && arrived.reduce((sum, p) => sum + p, 0) < NEGLIGIBLE) return marginals
    for (let place = 0; place < items.length; place++) {
      const rate = probability[items[place]!]!
      if (rate === 0) continue
      const own = arrivedBy(rate * t)
      if (own < 0.5) withoutOne(others, arrived, own)
      else countArrivals(others, here, rates.indexOf(rate))
      const density = step * t * rate * exp(-rate * t)
      for (let k = 1; k < slots; k++) marginals[k]![place]! += density * others[k]!
    }
  }
}

/** 1 − e^(−x), without loss of digits where x is small. */
const arrivedBy = (x: number): number => (x < 0.5 ? -expm1(-x) : 1 - exp(-x))

/** P(j items have arrived), j from 0, where each is `here` with its probability; of all but the one at `except`. */
function countArrivals(counts: Float64Array, here: Float64Array, except = -1): void {
  counts.fill(0)
  counts[0] = 1
  for (let i = 0; i < here.length; i++) {
    if (i === except) continue
    const own = here[i]!
    for (let j = counts.length - 1; j > 0; j--) counts[j] = (1 - own) * counts[j]! + own * counts[j - 1]!
    counts[0]! *= 1 - own
  }
}

/** The same without one item, divided out of the polynomial: stable while it is rather not here than here. */
function withoutOne(counts: Float64Array, all: Float64Array, own: number): void {
  counts[0] = all[0]! / (1 - own)
  for (let j = 1; j < counts.length; j++)
    counts[j] = Math.max(0, (all[j]! - own * counts[j - 1]!) / (1 - own))
}

const cannotFill = (items: number, slots: number): HindcastError =>
  new HindcastError('bad-option', `The target shows ${items} items, too few for pages of ${slots} slots.`, {
    remedy: 'Give a target that shows at least as many items as a page has slots.',
  })
