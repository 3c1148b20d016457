import type { TemperatureCurvePoint, TemperatureCurve } from '../estimate/evaluation.js'
import { listed } from '../listed.js'
import { noAnswer } from './no-answer.js'

/** The heading above curves of value by temperature. */
export const CURVES_HEADING = 'At other temperatures'

/** Whether a point says something: where it is refused, nothing. */
export const isKnownPoint = ({ value, essRatio, verdict }: TemperatureCurvePoint): boolean =>
  verdict.level !== 'refuse' && value !== null && (essRatio ?? 0) > 0

/** What the curves show, as a title; nothing is claimed of points that are refused. */
export function curvesFinding(curves: readonly TemperatureCurve[]): string {
  const known = curves.filter(({ points }) => points.some(isKnownPoint))
  if (known.length === 0) return noAnswer('what other temperatures might earn')
  return `What ${listed(known.map(({ target }) => target))} would have earned, by exploration`
}

/** What must be known to read the curves. */
export const CURVES_NOTES: readonly string[] = [
  'Compare models at equal effective sample size, not at equal temperature: a temperature is in the unit of the scores.',
  'Each interval holds for its own temperature alone. The best point of a curve was chosen by the same rewards, so its value is too high on average: confirm it on other rows.',
]
