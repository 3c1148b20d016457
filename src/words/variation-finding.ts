import { formatCount, formatPercent } from '../number-text.js'
import { exp } from '../portable-math.js'

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
