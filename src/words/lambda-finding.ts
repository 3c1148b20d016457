import { isTuned } from '../estimate/estimator.js'
import { ESTIMATORS } from '../estimate/estimators/index.js'
import { formatPercent, formatTick } from '../number-text.js'
import { estimatorLabel, formatEstimate } from './estimate-text.js'

/** An estimate made with one λ. λ may be 0 or Infinity, the ends of some families. */
export interface LambdaPoint {
  readonly lambda: number
  readonly value: number
  readonly interval: readonly [number, number] | null
}

/** What an estimator becomes at either end of λ, and at which end its weights are unchanged. */
export interface LambdaEnds {
  readonly small: string
  readonly large: string
  readonly unbiased: 'small' | 'large'
}

/** The ends of λ of a tuned estimator, in words; undefined for others. */
export function lambdaEnds(estimator: string): LambdaEnds | undefined {
  const named = ESTIMATORS.find(estimator)
  if (!named || !isTuned(named)) return undefined
  const { unchanged, other } = named.tuning
  const written = ({ lambda, is }: { lambda: number; is: string }): string =>
    `${is} as λ → ${lambda === Infinity ? '∞' : lambda}`
  return unchanged.lambda > other.lambda
    ? { small: written(other), large: written(unchanged), unbiased: 'large' }
    : { small: written(unchanged), large: written(other), unbiased: 'small' }
}

/** A λ as it is written: ∞ where it is. */
export const lambdaText = (lambda: number): string => (lambda === Infinity ? '∞' : formatTick(lambda))

const widthOf = ({ interval }: LambdaPoint): number | undefined =>
  interval && interval[1] > interval[0] ? interval[1] - interval[0] : undefined

/** The curve of an estimator over λ, and the λ that was chosen. */
interface ChosenLambda {
  readonly estimator: string
  /** By rising λ. */
  readonly points: readonly LambdaPoint[]
  readonly chosen: number
  /** Confidence of the intervals, as written: "95 %". */
  readonly level: string
}

/** The estimate at the chosen λ, and how wide its interval is beside that of the unbiased end. */
export function lambdaFinding({ estimator, points, chosen: lambda, level }: ChosenLambda): string {
  const name = estimatorLabel(estimator)
  const ends = lambdaEnds(estimator)
  const chosen = points.find((point) => point.lambda === lambda)
  if (!chosen) return `${name} for each λ; λ = ${lambdaText(lambda)} was chosen`
  const { value, interval } = formatEstimate(chosen.value, chosen.interval)
  const at = `At λ = ${lambdaText(lambda)}, ${name} gives ${value}${interval === null ? '' : ` (${level} CI ${interval})`}`
  const plain = ends && (ends.unbiased === 'large' ? points.at(-1)! : points[0]!)
  const [width, full] = [widthOf(chosen), plain && widthOf(plain)]
  if (!plain || width === undefined || full === undefined || points.length === 1) return at
  const where = `at λ = ${lambdaText(plain.lambda)}`
  if (plain === chosen) return `${at}; the weights are unchanged`
  const less = 1 - width / full
  if (Math.abs(less) < 0.05) return `${at}, an interval as wide as ${where}`
  return `${at}, an interval ${formatPercent(Math.abs(less), 0)} ${less > 0 ? 'narrower' : 'wider'} than ${where}`
}

/** Which way λ trades bias for variance. */
export function lambdaStory(estimator: string): string {
  const ends = lambdaEnds(estimator)
  if (!ends) return 'λ trades bias for variance.'
  return ends.unbiased === 'large'
    ? 'To the right, weights are unchanged: no bias, most variance. To the left, they shrink: less variance, more bias.'
    : 'To the left, weights are unchanged: no bias, most variance. To the right, they shrink: less variance, more bias.'
}
