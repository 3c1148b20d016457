import { exp, log } from '../../portable-math.js'
import type { Asked } from './goals.js'
import { grown } from './needed.js'
import type { CurvePoint, Goal } from './plan-record.js'
import { detectableWith, halfWidthOf, powerOf } from './power.js'
import { errorAt, freedomAt, inProportion, type Variance } from './variance.js'

/** Points of a curve. */
const POINTS = 41
/** The curve begins with a log so much smaller than today's. */
const FIRST = 0.25
/** It goes on to twice what the goals need, but not beyond so many times today's log. */
const MOST = 1000

/** What is expected of logs from a quarter of today's size to twice the size that is needed, in equal steps of a log scale. */
export function curveOf(asked: Asked, goals: readonly Goal[]): CurvePoint[] {
  const factors = goals.flatMap(({ needed }) => (needed ? [needed.factor] : []))
  const last = Math.min(MOST, Math.max(4, ...factors.map((factor) => 2 * factor)))
  const step = log(last / FIRST) / (POINTS - 1)
  return Array.from({ length: POINTS }, (_, k) => pointAt(FIRST * exp(step * k), asked))
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
