import { ESTIMATORS } from '../estimate/estimators/index.js'
import type { Evaluation, Sensitivity, VerdictLevel } from '../estimate/evaluation.js'
import { withinSentence } from '../listed.js'
import { digitsOf, formatFixed, formatPercent } from '../number-text.js'
import { byClicks, POPULARITY } from '../policy/popularity.js'
import { isSorted, ruleMeaning, splitRuledName } from '../policy/score-rule.js'
import { perUnit } from './unit.js'

export { formatFixed } from '../number-text.js'
export { answerOf as headlineOf, isDefined, takesModelAsTrue } from '../estimate/answer.js'

/** The name of an estimator as papers write it: `clipped-ips` gives "Clipped IPS"; unknown names stay. */
export const estimatorLabel = (estimator: string): string =>
  ESTIMATORS.find(estimator.toLowerCase())?.label ?? estimator

/**
 * Digits after the point that an interval of about two standard errors either way supports, and at most six significant
 * ones of the largest number; four significant digits of the value where there is none.
 */
export function valueDecimals(value: number, interval: readonly [number, number] | null): number {
  const half = interval ? (interval[1] - interval[0]) / 2 : 0
  const largest = Math.max(...[value, ...(interval ?? [])].map(Math.abs).filter(Number.isFinite))
  if (!(largest > 0)) return 0
  const most = Math.max(6, 5 - Math.floor(Math.log10(largest)))
  if (half > 0 && Number.isFinite(half)) return Math.min(most, digitsOf(half / 2))
  return value === 0 ? 0 : Math.max(0, 3 - Math.floor(Math.log10(Math.abs(value))))
}

/** The ends of an interval: "0.305–0.319", and "−0.010 to 0.020" where a dash could be read as a minus sign. */
const formatInterval = ([low, high]: readonly [number, number], decimals: number): string =>
  `${formatFixed(low, decimals)}${low < 0 || high < 0 ? ' to ' : '–'}${formatFixed(high, decimals)}`

/** Digits after the point that show two significant digits of a number. */
const twoDigits = (value: number): number => 1 - Math.floor(Math.log10(Math.abs(value)))

/** A number with so many digits after the point; one that they would make 0 keeps two of its own. */
export const formatSeen = (value: number, decimals: number): string =>
  formatFixed(value, value !== 0 && Number(formatFixed(value, decimals)) === 0 ? twoDigits(value) : decimals)

/** A value and its interval, rounded to the same digits; null where there is no interval. */
export function formatEstimate(
  value: number,
  interval: readonly [number, number] | null,
): { value: string; interval: string | null } {
  const decimals = valueDecimals(value, interval)
  return {
    value: formatSeen(value, decimals),
    interval: interval && formatInterval(interval, decimals),
  }
}

/**
 * How a value compares with what the logging policy earned, to follow "…, ": "8 % more than the logging
 * policy". No percentage where no difference is detected or the mean is not positive. Whether one is detected is told by
 * the paired difference on the same rows. Where that is not known, an interval that leaves out the logged mean detects
 * one; an interval with the mean in it leaves that open, and the mean is given.
 */
export function againstLogged(
  value: number,
  interval: readonly [number, number] | null,
  meanReward: number,
  isDetected?: boolean,
): string {
  if (value === meanReward) return 'the same as the logging policy'
  if (isDetected === false) return 'not detectably different from the logging policy'
  if (!isDetected && interval && interval[0] <= meanReward && meanReward <= interval[1])
    return `where the logging policy earned ${formatSeen(meanReward, valueDecimals(value, interval))}`
  const direction = value > meanReward ? 'more' : 'less'
  if (meanReward <= 0) return `${direction} than the logging policy`
  const change = Math.abs(value / meanReward - 1)
  if (value / meanReward >= 3)
    return `${Number((value / meanReward).toPrecision(2))} times what the logging policy earned`
  const half = interval ? (interval[1] - interval[0]) / 2 / meanReward : 0
  const decimals = change < 0.01 || (half > 0 && half < 0.01) ? 1 : 0
  return `${formatPercent(change, decimals)} ${direction} than the logging policy`
}

/** Whether the paired difference from the logging policy is detected: it would then take wrong propensities to change that. */
export const differenceDetected = (
  sensitivity: Pick<Sensitivity, 'flipsAt'> | null | undefined,
): boolean | undefined => (sensitivity ? sensitivity.flipsAt !== 1 : undefined)

/** A confidence as people write it: 0.95 gives "95 %". It is never rounded to 100 %: no interval is certain. */
export function formatConfidence(confidence: number): string {
  const rounded = Number((confidence * 100).toPrecision(4))
  return `${rounded < 100 ? rounded : 100 - Number(((1 - confidence) * 100).toPrecision(2))} %`
}

/** The interval of an estimate, as it was written, in words: "95 % CI 0.305–0.319", or "no interval". */
export const rangeText = (interval: string | null, level = '95 %'): string =>
  interval === null ? 'no interval' : `${level} CI ${interval}`

/** A value with its 95 % interval behind it, where it has one: "0.312 (95 % CI 0.305–0.319)". */
export const withRange = ({ value, interval }: ReturnType<typeof formatEstimate>): string =>
  interval === null ? value : `${value} (95 % CI ${interval})`

/** The shape of a verdict, to stand before its word. */
export const VERDICT_SHAPES: Readonly<Record<VerdictLevel, string>> = {
  trust: '✔',
  caution: '▲',
  refuse: '✘',
}

/** A p-value in words: "p = 0.012", "p < 0.001", "p unknown". */
export function formatPValue(p: number | null): string {
  if (p === null || Number.isNaN(p)) return 'p unknown'
  return p < 0.001 ? 'p < 0.001' : `p = ${Number(p.toPrecision(2))}`
}

/** A target policy in words, to begin a sentence with: "A uniform policy", "The policy in column new". */
export function targetWords(target: string): string {
  if (target === 'uniform') return 'A uniform policy'
  if (target === 'logging') return 'The logging policy'
  return target.startsWith('column:') ? `The policy in column ${target.slice(7)}` : `The policy ${target}`
}

/** The same with what its rule shows, where it follows scores: "The policy popularity@best (always the most clicked item)". */
export function targetInFull(target: string, unit?: 'page'): string {
  const { scores, rule } = splitRuledName(target)
  if (!rule) return targetWords(target)
  const shown =
    unit !== 'page' || !isSorted(rule)
      ? ruleMeaning(rule)
      : rule.kind === 'best'
        ? 'pages sorted by score, the best item first'
        : `pages sorted by score, with probability ${rule.epsilon} any item in a slot`
  return `${targetWords(target)} (${scores === POPULARITY ? byClicks(shown) : shown})`
}

/** The nearest question that the log can answer, with its answer; undefined where that was not looked for. */
export function nearestText({
  nearest,
  confidence,
}: Pick<Evaluation, 'nearest' | 'confidence'>): string | undefined {
  if (nearest === undefined) return undefined
  if (nearest === null)
    return 'No softer rule for the same scores that was tried has an answer in this log either.'
  const { value, interval } = formatEstimate(nearest.value, nearest.interval)
  const who = withinSentence(targetInFull(nearest.target, nearest.unit))
  return `The nearest question that this log can answer: ${who} would have earned ${value} ${perUnit(nearest)} (${formatConfidence(confidence)} CI ${interval})${nearest.level === 'caution' ? ', with caution' : ''}.`
}
