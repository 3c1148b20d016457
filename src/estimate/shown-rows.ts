import { writeFineSteps } from './probability-steps.js'

/** The rows of a log as a target would have shown them, in the order of the log. */
export interface ShownRows {
  readonly propensity: Float64Array
  /** The target's probability of the item shown, w times b. */
  readonly probability: Float64Array
  /** Its fine step. */
  readonly step: Uint16Array
}

/** Shows rows as one target after another would have: arrays are used again, since fresh memory takes longer to get than to fill. */
export function rowsShown(propensity: Float64Array): (weights: Float64Array) => ShownRows {
  const probability = new Float64Array(propensity.length)
  const step = new Uint16Array(propensity.length)
  return (weights) => {
    for (let row = 0; row < probability.length; row++) probability[row] = weights[row]! * propensity[row]!
    writeFineSteps(probability, step)
    return { propensity, probability, step }
  }
}
