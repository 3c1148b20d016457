import { HindcastError } from '../../error.js'
import { exp, expm1, log } from '../../portable-math.js'

/**
 * Step of the integral over log t. Down to slot k the integrand is about as wide as 1/√k, and a sum over steps is off by
 * e^(−2π²/(k·step²)) of it: below rounding.
 */
const stepFor = (slots: number): number => Math.min(0.2, 0.6 / Math.sqrt(slots))

/** Where a probability no longer shows beside 1. */
const NEGLIGIBLE = 1e-18

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
  const arrived = new Float64Array(slots)
  const others = new Float64Array(slots)
  // Below the first slot the integrand falls as t², so that it can start where t² vanishes.
  for (let s = log(NEGLIGIBLE) / 2; ; s += step) {
    const t = exp(s)
    countArrivals(arrived, rates, t)
    if (s > 0 && arrived.reduce((sum, p) => sum + p, 0) < NEGLIGIBLE) return marginals
    for (let place = 0; place < items.length; place++) {
      const rate = probability[items[place]!]!
      if (rate === 0) continue
      const left = exp(-rate * t)
      if (left > 0.5) withoutOne(others, arrived, left, -expm1(-rate * t))
      else countArrivals(others, rates, t, rates.indexOf(rate))
      const density = step * t * rate * left
      for (let k = 1; k < slots; k++) marginals[k]![place]! += density * others[k]!
    }
  }
}

/** P(j items have arrived by t), j from 0, of all but the one at `except`. */
function countArrivals(counts: Float64Array, rates: Float64Array, t: number, except = -1): void {
  counts.fill(0)
  counts[0] = 1
  for (let i = 0; i < rates.length; i++) {
    if (i === except) continue
    const left = exp(-rates[i]! * t)
    const here = -expm1(-rates[i]! * t)
    for (let j = counts.length - 1; j > 0; j--) counts[j] = left * counts[j]! + here * counts[j - 1]!
    counts[0]! *= left
  }
}

/** The same without one item, divided out of the polynomial: stable while it is rather not here than here. */
function withoutOne(counts: Float64Array, all: Float64Array, left: number, here: number): void {
  counts[0] = all[0]! / left
  for (let j = 1; j < counts.length; j++) counts[j] = Math.max(0, (all[j]! - here * counts[j - 1]!) / left)
}

const cannotFill = (items: number, slots: number): HindcastError =>
  new HindcastError('bad-option', `The target shows ${items} items, too few for pages of ${slots} slots.`, {
    remedy: 'Give a target that shows at least as many items as a page has slots.',
  })
