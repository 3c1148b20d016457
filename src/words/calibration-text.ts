import { counted } from '../number-text.js'
import { isOffBeyondChance } from '../propensity/calibration.js'
import { PROPENSITIES } from '../propensity/choices.js'
import type { EstimatedPropensity } from '../propensity/stand-in.js'
import { errorText } from './propensity-text.js'

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
