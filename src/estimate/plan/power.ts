import { normalCdf, normalQuantile } from '../../normal.js'
import { studentQuantile } from '../../student.js'

/** How an interval is made: from an error with so many degrees of freedom. */
interface Precision {
  readonly error: number
  readonly freedom: number
  readonly confidence: number
}

/** Half the width of Student's interval: t_ν times the error. */
export const halfWidthOf = ({ error, freedom, confidence }: Precision): number =>
  studentQuantile((1 + confidence) / 2, freedom) * error

/**
 * The probability that the interval of a difference lies beyond 0 on the side of the true difference δ: P(T > t_ν) of
 * Student's distribution with the non-centrality λ = |δ|/SE, by Φ((λ − t(1 − 1/4ν))/√(1 + t²/2ν)) (Abramowitz & Stegun
 * 1964, 26.7.10).
 */
export function powerOf(difference: number, precision: Precision): number {
  const { middle, spread } = limitOf(precision)
  return normalCdf((Math.abs(difference) / precision.error - middle) / spread)
}

/** The smallest difference whose interval lies beyond 0 with this probability. */
export function detectableWith(power: number, precision: Precision): number {
  const { middle, spread } = limitOf(precision)
  return precision.error * Math.max(0, middle + spread * normalQuantile(power))
}

/** Where a difference in errors must lie to be decided half of the time, and how far the error's own error blurs that. */
function limitOf({ freedom, confidence }: Precision): { middle: number; spread: number } {
  const t = studentQuantile((1 + confidence) / 2, freedom)
  return { middle: t * (1 - 1 / (4 * freedom)), spread: Math.sqrt(1 + (t * t) / (2 * freedom)) }
}
