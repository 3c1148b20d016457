import { formatCount, formatPercent, formatShare, formatTick } from '../number-text.js'
import { exp } from '../portable-math.js'
import { peakOf, peaksText, type SeedMean } from './seed-text.js'

/** What logs of one temperature say, in brief. */
export interface BiasPoint {
  /** Of the logging policy: low is strong exposure bias, high is near uniform. */
  readonly temperature: number
  readonly snips: SeedMean
  /** ESS over the rows of the log. */
  readonly essRatio: SeedMean
  /** How many of the seeds' 95 % intervals cover the truth. */
  readonly covered: number
}

/** A curve over temperatures, and the log that is marked on it. */
interface BiasCurve {
  readonly points: readonly BiasPoint[]
  readonly seeds: number
  readonly here: { readonly temperature: number; readonly essRatio: number | null }
}

/** The effective share of the log at either end of the bias, and how many intervals cover the truth. */
export function biasCurveFinding({ points, seeds, here }: BiasCurve): string {
  const known = points
    .flatMap(({ temperature, essRatio }) =>
      essRatio.mean === null ? [] : [{ temperature, share: essRatio.mean }],
    )
    .toSorted((a, b) => a.share - b.share)
  const [least, most] = [known[0], known.at(-1)]
  if (!least || !most || known.length < 2)
    return here.essRatio === null
      ? `At temperature ${formatTick(here.temperature)}, the log says nothing about the target policy`
      : `The effective sample is ${formatShare(here.essRatio)} of the log at temperature ${formatTick(here.temperature)}`
  const covered = points.reduce((sum, point) => sum + point.covered, 0)
  return (
    `The effective sample is ${formatShare(least.share)} of the log at temperature ${formatTick(least.temperature)}, ` +
    `${formatShare(most.share)} at ${formatTick(most.temperature)}; ${covered} of ${known.length * seeds} intervals cover the truth`
  )
}

/** Where SNIPS and the effective sample of several targets peak. */
export function biasSweepFinding(
  targets: readonly { readonly label: string; readonly points: readonly BiasPoint[] }[],
): string {
  const peaks = (measure: (point: BiasPoint) => SeedMean): string =>
    peaksText(
      targets.flatMap(({ label, points }) => {
        const peak = peakOf(points, measure)
        return peak ? [{ label, at: peak.at.temperature, isLevel: peak.isLevel }] : []
      }),
      'temperature',
    )
  return (
    `SNIPS is highest ${peaks(({ snips }) => snips)}; ` +
    `the effective sample is largest ${peaks(({ essRatio }) => essRatio)}`
  )
}

/** What estimates were made over: bootstrap resamples of one log, or independent logs. */
export type Over = 'resamples' | 'logs'

/** How an estimate varies. */
export interface Varied {
  readonly name: string
  readonly variance: number
  /** Estimates minus their mean. */
  readonly centred: Float64Array
}

/**
 * The ratio of two variances is known to within this factor with 95 % confidence, by normal theory: the logarithm of the
 * ratio has the variance 4 (1 − ρ²)/(n − 1), ρ the correlation of the two over the same resamples.
 */
export function varianceFactor(a: Varied, b: Varied): number {
  const n = Math.min(a.centred.length, b.centred.length)
  const isPaired = a.centred.length === b.centred.length && a.variance > 0 && b.variance > 0
  const product = isPaired ? a.centred.reduce((sum, value, k) => sum + value * b.centred[k]!, 0) / (n - 1) : 0
  const shared = isPaired ? Math.min(1, product ** 2 / (a.variance * b.variance)) : 0
  return exp(1.96 * Math.sqrt((4 * (1 - shared)) / (n - 1)))
}

/** The series that varies least and the one that varies most. */
export function leastAndMostVaried(drawn: readonly Varied[]): [least: Varied, most: Varied] {
  const sorted = drawn.toSorted((a, b) => a.variance - b.variance)
  return [sorted[0]!, sorted.at(-1)!]
}

/** Which estimate varies least, by how much, and whether that may be chance. */
export function variationFinding(drawn: readonly Varied[], over: Over): string {
  const [least, most] = leastAndMostVaried(drawn)
  const resamples = Math.min(...drawn.map(({ centred }) => centred.length))
  if (resamples < 2) return `One ${over === 'logs' ? 'log' : 'resample'} cannot show how an estimate varies`
  if (drawn.length === 1) {
    const deviation = Number(Math.sqrt(least.variance).toPrecision(2))
    return `${least.name} has a standard deviation of ${deviation} over ${over === 'logs' ? 'independent logs' : 'resamples of the log'}`
  }
  if (most.variance === 0) return `No estimate varies over the ${over}`
  if (least.variance === 0) return `${least.name} does not vary over the ${over}; ${most.name} does`
  const ratio = least.variance / most.variance
  if (ratio > 0.995) return `${least.name} and ${most.name} vary equally`
  const [part, of] =
    ratio < 0.05
      ? [`1/${formatCount(Math.round(1 / ratio))}`, 'of']
      : [`${formatPercent(1 - ratio, 0)} lower`, 'than']
  if (ratio * varianceFactor(least, most) >= 1)
    return `The variance of ${least.name} is ${part} ${of} that of ${most.name}, which may be chance`
  const where = over === 'logs' ? ' over independent logs' : ''
  return `${least.name} varies less than ${most.name}${where}: its variance is ${part}${of === 'of' ? ' of it' : ''}`
}
