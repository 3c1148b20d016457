import type {
  Segment,
  Sensitivity,
  SensitivityPoint,
  TemperatureCurve,
  TemperatureCurvePoint,
  VerdictLevel,
} from '../estimate/evaluation.js'
import { formatShare } from '../number-text.js'
import { isKnownPoint, temperatureText } from './temperature-text.js'
import {
  againstLogged,
  formatConfidence,
  formatEstimate,
  rangeText,
  VERDICT_SHAPES,
} from './estimate-text.js'
import { segmentName, segmentValues } from './segment-text.js'
import { gammaText } from './sensitivity-text.js'
import { perUnitOf } from './unit.js'
import { sentences } from './seed-text.js'

/** Beside which the sentences of stops stand. */
interface Beside {
  readonly confidence: number
  /** What the logging policy earned per impression. */
  readonly meanReward: number
}

/** What holds where propensities may be off by a factor of up to Γ: the values, and whether the conclusion survives. */
export function gammaStopText(
  point: SensitivityPoint,
  { grid, flipsAt }: Sensitivity,
  { confidence, meanReward }: Beside,
): string {
  const { gamma, low, high, interval } = point
  const level = formatConfidence(confidence)
  const bounds = formatEstimate((low + high) / 2, interval).interval
  const range =
    gamma === 1
      ? `With exact propensities, the value is ${formatEstimate(low, interval).value} (${level} CI ${bounds}).`
      : `If propensities are off by a factor of up to ${gammaText(gamma)}, the value lies within ${formatEstimate((low + high) / 2, [low, high]).interval} (${level} CI ${bounds}).`
  const conclusion = `that the target policy earns ${grid[0]!.low > meanReward ? 'more' : 'less'} than the logging policy`
  const held = gammaConclusion(point, { grid, flipsAt })
  if (held === 'none') return `${range} No difference from the logging policy is detected.`
  return held === 'holds'
    ? `${range} The conclusion ${conclusion} holds.`
    : `${range} The conclusion ${conclusion} no longer holds: the difference may be due to chance.`
}

/** Whether the conclusion that the target differs from the logging policy survives such a factor; `none` where there is none. */
function gammaConclusion({ gamma }: SensitivityPoint, { flipsAt }: Sensitivity): 'holds' | 'lost' | 'none' {
  if (flipsAt === 1) return 'none'
  return flipsAt === null || gamma < flipsAt ? 'holds' : 'lost'
}

/** The word on a conclusion at Γ: it holds no more surely than the answer that it is about. */
export function gammaStopTag(
  point: SensitivityPoint,
  sensitivity: Sensitivity,
  level: VerdictLevel,
): { readonly text: string; readonly level: VerdictLevel } | undefined {
  const held = gammaConclusion(point, sensitivity)
  if (held === 'none' || level === 'refuse') return undefined
  if (held === 'lost') return { text: `${VERDICT_SHAPES.refuse} does not hold`, level: 'refuse' }
  return { text: `${VERDICT_SHAPES[level]} holds${level === 'trust' ? '' : `, with ${level}`}`, level }
}

/** What scores would have earned at one temperature; where that is refused, why. */
export function temperatureStopText(
  point: TemperatureCurvePoint,
  { target, estimator }: Pick<TemperatureCurve, 'target' | 'estimator'>,
  { confidence, meanReward }: Beside,
): string {
  const at = `At temperature ${temperatureText(point.temperature)}`
  const reason = point.verdict.reasons[0]?.message ?? point.reason ?? ''
  const { value } = point
  if (!isKnownPoint(point) || value === null)
    return sentences(`${at}, this log cannot say what ${target} would have earned.`, reason)
  const written = formatEstimate(value, point.interval)
  const range = rangeText(written.interval, formatConfidence(confidence))
  const unit = perUnitOf(estimator)
  const against = unit === 'per impression' ? `, ${againstLogged(value, point.interval, meanReward)}` : ''
  return sentences(
    `${at}, ${target} would have earned ${written.value} ${unit} (${range})${against}.`,
    `The effective sample size is ${formatShare(Math.min(1, point.essRatio!))} of the rows.`,
    // What speaks for an answer is said where the answer is; what speaks against one, wherever it stands.
    point.verdict.level === 'trust' ? '' : reason,
  )
}

/** What the target earns in a segment; where that is not known, why. */
export function segmentStopText(segment: Segment, confidence: number): string {
  const { difference, differenceInterval, verdict } = segment
  const grounds = verdict.reasons[0]?.message ?? ''
  const name = segmentName(segment)
  if (difference === null) return `${name}: no value. ${segment.reason ?? grounds}`.trim()
  const written = formatEstimate(difference, differenceInterval)
  const range = rangeText(written.interval, formatConfidence(confidence))
  return sentences(
    `${name}: ${difference > 0 ? '+' : ''}${written.value} (${range}).`,
    `${segmentValues(segment)}.`,
    verdict.level === 'trust' ? '' : grounds,
  )
}
