import { counted, formatPercent, formatShare } from '../number-text.js'
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
