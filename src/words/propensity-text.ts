import { counted, formatCount, formatPercent, formatShare } from '../number-text.js'
import { isOffBeyondChance } from '../propensity/calibration.js'
import { PROPENSITIES } from '../propensity/choices.js'
import type { EstimatedPropensity } from '../propensity/stand-in.js'

/** An error as a percentage of two digits; it may exceed 100 %. */
export const errorText = (error: number): string => (error < 1 ? formatShare(error) : formatPercent(error, 0))

/** How propensities were estimated and how reliable they are, in a few sentences. */
export function estimateText(estimate: EstimatedPropensity): string {
  const { method, probabilityOf, calibration, floor, rowsAtFloor } = estimate
  const off =
    `The propensities are estimated (${method}, each user’s from the other users): off by ${errorText(calibration.error)} ` +
    `on average; chance alone would give ${errorText(calibration.errorByChance)}.`
  const { unseenRows = 0, unseenImpressions } = estimate.parameters
  const standIn =
    unseenImpressions === undefined
      ? ''
      : `, which counts as ${counted(Number(unseenImpressions.toPrecision(2)), 'impression')}`
  return [
    off,
    ...(unseenRows > 0
      ? [`${verbAfter(unseenRows, 'shows', 'show')} an item that no other user saw${standIn}.`]
      : []),
    ...(floor === undefined
      ? []
      : [`${verbAfter(rowsAtFloor, 'was', 'were')} raised to the floor of ${floor}.`]),
    ...(probabilityOf === 'seen'
      ? [
          'They say how likely an item was to be seen in its position, not to be shown: use them for training weights, not for evaluating another policy.',
        ]
      : []),
  ].join(' ')
}

const verbAfter = (rows: number, one: string, many: string): string =>
  `${counted(rows, 'row')} ${rows === 1 ? one : many}`

/** A propensity with three digits. */
export const propensityText = (value: number): string => String(Number(value.toPrecision(3)))

/** The range of the propensities of a log, and what they leave to judge a uniform target by. */
export interface PropensityRange {
  readonly min: number
  readonly max: number
  /** (Σw)²/(n Σw²) with w = 1/b: the share of the rows that is left to judge a uniform target. */
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

/** How far estimated propensities are off, beside what chance alone would give. */
export function calibrationFinding({ calibration }: EstimatedPropensity): string {
  const how = isOffBeyondChance(calibration) ? 'off by' : 'accurate to within'
  const [error, chance] = [calibration.error, calibration.errorByChance].map(errorText)
  return `Estimated propensities are ${how} ${error} on average; chance alone would give ${chance}`
}

/** Which probability was predicted, and on whom it was observed. */
export function calibrationStory({ method, calibration }: EstimatedPropensity): string {
  const unseen = 'in users the model had not seen'
  const { compares, bins } = PROPENSITIES.named(method).estimated!
  const binned = bins === undefined ? '' : `; ${counted(calibration.bins.length, 'bin')} of ${bins}`
  return `${compares} ${unseen}${binned}.`
}

/** How many propensities were raised to a floor. */
export function floorSentence({ floor, rowsAtFloor }: EstimatedPropensity): string {
  if (floor === undefined) return 'No propensity was raised to a floor.'
  const rows = `${counted(rowsAtFloor, 'row')} ${rowsAtFloor === 1 ? 'was' : 'were'}`
  return `${rows} raised to the floor of ${floor}; the figure shows predictions before that.`
}
