import { HindcastError } from '../../error.js'
import { normalCdf } from '../../normal.js'
import { log, pow } from '../../portable-math.js'
import { studentQuantile } from '../../student.js'
import { one } from '../term.js'
import { betting } from './betting.js'
import { estimatesWeightedRewards } from './empirical-likelihood.js'
import {
  type FirstOrder,
  firstOrderOf,
  type Interval,
  type IntervalSettings,
  resultOf,
  UNKNOWN_RANGE,
} from './interval.js'

/** Fewer effective degrees of freedom than this, and no interval is offered: look again when the log has grown. */
const LEAST_DEGREES_OF_FREEDOM = 30

/** Number of rows at which a sequence is tightest, unless another is given. */
const TIGHTEST_AT = 10_000

/**
 * How many standard errors a sequence reaches at a number of rows n, for looking as often as one likes: with
 * probability 1 − α a Brownian motion stays within √(2 (nρ² + 1)/(nρ²)·ln(√(nρ² + 1)/α)) standard deviations at all
 * times (Robbins' normal mixture). ρ² = (−2 ln α + ln(1 − 2 ln α))/n* makes it tightest at n* = `tightestAt`: there
 * a 95 % sequence reaches 3.04 = 1.55·1.96, with a hundred times fewer or more rows 4.6 and 1.8 times 1.96.
 */
export function sequenceReach(rows: number, tightestAt: number, confidence: number): number {
  const logAlpha = log(1 - confidence)
  const squared = (rows / tightestAt) * (-2 * logAlpha + log(1 - 2 * logAlpha))
  return Math.sqrt(((2 * (squared + 1)) / squared) * (0.5 * log(squared + 1) - logAlpha))
}

/** What a sequence is computed from: an estimate with the spread and the shape of its influences. */
export interface SequenceEvidence extends Pick<FirstOrder, 'value' | 'standardError' | 'degreesOfFreedom'> {
  /** Σφ³/(Σφ²)^{3/2}: about 1/√clicks for rare clicks. */
  readonly skewness: number
}

/**
 * The values within reach of an estimate. A reach of so many normal standard errors becomes the quantile of Student's
 * distribution with the same tail, at the effective degrees of freedom; and the ratio T = (V − v)/SE is straightened by
 * Hall's cubic ((1 + γT/3)³ − 1)/γ + γ/6 with the skewness γ of the influences (Hall 1992, "On the removal of skewness
 * by transformation"), since few clicks give too low an estimate and too small a standard error at once.
 */
export function sequenceBounds(
  { value, standardError, degreesOfFreedom, skewness }: SequenceEvidence,
  reach: number,
): readonly [number, number] {
  const far = -studentQuantile(normalCdf(-reach), degreesOfFreedom)
  const bent = (straight: number): number =>
    Math.abs(skewness) < 1e-6
      ? straight
      : (3 * (cubeRoot(1 + skewness * (straight - skewness / 6)) - 1)) / skewness
  return [value - standardError * bent(far), value - standardError * bent(-far)]
}

const cubeRoot = (x: number): number => (x < 0 ? -pow(-x, 1 / 3) : pow(x, 1 / 3))

/** Σφ³/(Σφ²)^{3/2}. */
function skewnessOf(influence: Float64Array): number {
  let squares = 0
  let cubes = 0
  for (const phi of influence) {
    squares += phi * phi
    cubes += phi * phi * phi
  }
  return cubes / (squares * Math.sqrt(squares))
}

/**
 * An interval for looking as often as one likes while the log grows: with probability 1 − α it holds the value at all
 * looks at once, asymptotically (Waudby-Smith et al. 2021, "Time-uniform central limit theory and asymptotic confidence
 * sequences"). Time is counted in rows: information grows at most in proportion to them, also where users return.
 */
const sequenceOf: Interval['of'] = (estimator, moments, confidence, { tightestAt = TIGHTEST_AT }) => {
  const theory = firstOrderOf(estimator, moments)
  if (typeof theory === 'string') return theory
  const { influences, degreesOfFreedom } = theory
  if (degreesOfFreedom < LEAST_DEGREES_OF_FREEDOM)
    return `A sequence starts at ${LEAST_DEGREES_OF_FREEDOM} effective degrees of freedom; the log has ${degreesOfFreedom.toFixed(1)} so far. Look again when it has grown.`
  // Slates have terms of their own.
  const rows = moments.has([one]) ? moments.total(one) : moments.clusters
  const reach = sequenceReach(rows, tightestAt, confidence)
  return { interval: sequenceBounds({ ...theory, skewness: skewnessOf(influences[0]!.influence) }, reach) }
}

/** Below this many expected rewards of the largest weight at `tightestAt`, betting is the narrower sequence. */
const BETTING_BELOW = 20

/**
 * Which sequence is narrower, from what is known before the first look alone: betting where few rewards are expected
 * for the largest weight, n*·(r − least)/(w_max·(most − least)) < 20. Chosen by the data, either would be void.
 */
export function sequenceRegime({
  tightestAt = TIGHTEST_AT,
  expectedReward,
  maxWeight,
  rewardRange: [least, most] = UNKNOWN_RANGE,
}: IntervalSettings): 'betting' | 'sequence' {
  if (!(tightestAt > 0))
    throw new HindcastError('bad-option', `tightestAt must be a number of rows, not ${tightestAt}.`)
  if (expectedReward === undefined || maxWeight === undefined || !Number.isFinite(most - least))
    return 'sequence'
  if (!(expectedReward >= least && expectedReward <= most))
    throw new HindcastError(
      'bad-option',
      `The expected reward must be within the range of rewards, ${least} to ${most}, not ${expectedReward}.`,
    )
  const expected = (tightestAt * (expectedReward - least)) / (maxWeight * (most - least))
  return expected < BETTING_BELOW ? 'betting' : 'sequence'
}

export const sequence: Interval<'sequence'> = {
  name: 'sequence',
  label: 'Confidence sequence',
  family: 'sequential',
  meaning: 'Valid at every number of rows at once: look as often as you like.',
  docs: 'intervals.md#sequence',
  usesMaxWeight: true,
  of: (estimator, moments, confidence, settings) =>
    sequenceRegime(settings) === 'betting' && estimatesWeightedRewards(estimator)
      ? resultOf(betting.name, betting.of(estimator, moments, confidence, settings))
      : sequenceOf(estimator, moments, confidence, settings),
}
