import type { Bounds } from '../estimate/intervals/interval.js'
import { normalQuantile } from '../normal.js'

/**
 * The 50 % interval for the thick line inside a thin one: each side of the interval shrunk by z(0.75)/z((1 + confidence)/2), so
 * that a lopsided interval stays lopsided. Exact where errors are normal. Student's tails are longer, so where the thin line is
 * Student's the thick one is somewhat wide, never too narrow. Undefined where there is nothing to shrink.
 */
export function middleHalf(
  value: number | null,
  interval: Bounds | null,
  confidence: number,
): Bounds | undefined {
  if (value === null || interval === null || !(confidence > 0.5 && confidence < 1)) return undefined
  const [low, high] = interval
  if (!(low <= value && value <= high && Number.isFinite(high - low))) return undefined
  const share = normalQuantile(0.75) / normalQuantile((1 + confidence) / 2)
  return [value - share * (value - low), value + share * (high - value)]
}
