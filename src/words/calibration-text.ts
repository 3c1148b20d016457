import { counted } from '../number-text.js'
import { isOffBeyondChance } from '../propensity/calibration.js'
import type { EstimatedPropensity } from '../propensity/estimated-propensity.js'
import { errorText } from './propensity-text.js'

/** How far estimated propensities are off, beside what chance alone would give. */
export function calibrationFinding({ calibration }: EstimatedPropensity): string {
  const how = isOffBeyondChance(calibration) ? 'off by' : 'right to'
  const [error, chance] = [calibration.error, calibration.errorByChance].map(errorText)
  return `Estimated propensities are ${how} ${error} on average; chance would give ${chance}`
}

/** Which probability was predicted, and on whom it was observed. */
export function calibrationStory({ method, calibration }: EstimatedPropensity): string {
  const unseen = 'in users whom the model had not seen'
  switch (method) {
    case 'naive-bayes':
      return `Probability of one impression to show an item of a given reward, predicted and observed ${unseen}.`
    case 'position':
      return `Probability that an item was seen, predicted by its position and observed from clicks ${unseen}.`
    case 'popularity':
    case 'logistic':
      return `Probability of one impression to show an item, predicted by ${method} and observed ${unseen}; ${counted(calibration.bins.length, 'bin')} of pairs of user and item.`
  }
}

/** How many propensities were raised to a floor. */
export function floorSentence({ floor, rowsAtFloor }: EstimatedPropensity): string {
  if (floor === undefined) return 'No propensity was raised to a floor.'
  const rows = `${counted(rowsAtFloor, 'row')} ${rowsAtFloor === 1 ? 'was' : 'were'}`
  return `${rows} raised to the floor of ${floor}; the figure shows predictions before that.`
}
