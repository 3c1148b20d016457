import { formatCount, formatShare } from '../number-text.js'

/** A propensity with three digits. */
export const propensityText = (value: number): string => String(Number(value.toPrecision(3)))

/** The range of the propensities of a log, and what they leave to judge a uniform target by. */
interface PropensityRange {
  readonly min: number
  readonly max: number
  /** Effective sample size over rows, for a uniform target. */
  readonly essRatio: number
}

/** How far propensities are spread and, unless they say what was seen, what that costs a uniform target. */
export function propensityFinding({ min, max, essRatio }: PropensityRange, isSeen: boolean): string {
  if (min === max) return `Every propensity is ${propensityText(min)}`
  const factor = max / min
  const range =
    `Propensities range from ${propensityText(min)} to ${propensityText(max)}` +
    (factor >= 2 ? `, a factor of ${formatCount(Number(factor.toPrecision(2)))}` : '')
  return isSeen
    ? range
    : `${range}; for a uniform target, the effective sample size is ${formatShare(essRatio)} of the rows`
}
