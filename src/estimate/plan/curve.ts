import { exp, log } from '../../portable-math.js'
import type { Asked } from './goals.js'
import { grown } from './needed.js'
import type { CurvePoint, Goal } from './plan-record.js'
import { detectableWith, halfWidthOf, powerOf } from './power.js'
import { errorAt, freedomAt, inProportion, type Variance } from './variance.js'

/** The curve begins with a log so much smaller than today's. */
const FIRST = 0.25
/** Each point stands for 2^¼ times as much as the one before: today's log, twice and four times as much are among them. */
const STEPS_TO_DOUBLE = 4
/** It goes on to twice what the goals need, but not beyond so many times today's log. */
const MOST = 1024

/** What is expected of logs from a quarter of today's size to at least twice the size that is needed. */
export function curveOf(asked: Asked, goals: readonly Goal[]): CurvePoint[] {
  const factors = goals.flatMap(({ needed }) => (needed ? [needed.factor] : []))
  const last = Math.min(MOST, Math.max(16, ...factors.map((factor) => 2 * factor)))
  const steps = Math.ceil((STEPS_TO_DOUBLE * log(last / FIRST)) / log(2) - 1e-9)
  return Array.from({ length: steps + 1 }, (_, k) => pointAt(factorAt(k), asked))
}

/** Whole doublings are exact. */
function factorAt(step: number): number {
  let whole = FIRST
  for (let k = STEPS_TO_DOUBLE; k <= step; k += STEPS_TO_DOUBLE) whole *= 2
  return whole * exp((log(2) * (step % STEPS_TO_DOUBLE)) / STEPS_TO_DOUBLE)
}

function pointAt(factor: number, { size, seen, detect, variance, confidence, power }: Asked): CurvePoint {
  const growth = inProportion(factor)
  const precisionOf = (of: Variance): Parameters<typeof halfWidthOf>[0] => ({
    error: errorAt(of, growth),
    freedom: freedomAt(of, growth),
    confidence,
  })
  const ofDifference = precisionOf(variance.difference)
  return {
    factor,
    ...grown(size, factor, factor),
    seen: powerOf(seen, ofDifference),
    detect: detect === undefined ? null : powerOf(detect, ofDifference),
    detectable: detectableWith(power, ofDifference),
    widthOfValue: 2 * halfWidthOf(precisionOf(variance.value)),
    widthOfDifference: 2 * halfWidthOf(ofDifference),
  }
}
