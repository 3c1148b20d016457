import { type Advice, advice, set } from '../advice.js'
import { HindcastError } from '../error.js'
import type { Log } from '../log/log.js'
import { counted } from '../number-text.js'
import type { PropensityChoice } from './choice.js'
import type { Calibration, EstimatedPropensity, EstimationMethod } from './estimated-propensity.js'
import { type ExposureModel, exposureCalibration, rowPropensities } from './exposure-model.js'
import { logisticModel } from './logistic.js'
import { naiveBayes } from './naive-bayes.js'
import { popularityModel } from './popularity.js'
import { positionPropensity } from './position.js'
import { type UserFolds, userFolds } from './user-folds.js'

/** A way to estimate propensities, with what it needs to know. */
export type EstimatedChoice = Extract<PropensityChoice, { readonly kind: EstimationMethod }>

/** A log with estimated propensities, and how they came about. */
export interface EstimatedLog {
  readonly log: Log
  readonly estimate: EstimatedPropensity
}

/**
 * The log with estimated propensities in place of its own. Those of a user's rows come from a model fitted to
 * users of other folds. `seed` (default 0) decides who is in which fold. Nothing is raised to a floor unless the
 * choice names one.
 */
export function estimatePropensity(
  log: Log,
  choice: EstimatedChoice,
  { seed = 0 }: { seed?: number } = {},
): EstimatedLog {
  const { floor } = choice
  if (floor !== undefined && !(floor > 0 && floor < 1))
    throw new HindcastError('bad-option', `A floor of ${floor} for propensities is not between 0 and 1.`, {
      remedy: advice`Give a small probability such as ${set('propensityFloor', 0.001)}.`,
    })
  const folds = userFolds(log, seed)
  const { propensity, parameters, calibration } = estimationOf(log, choice, folds)
  let rowsAtFloor = 0
  if (floor !== undefined)
    for (let row = 0; row < log.rows; row++)
      if (propensity[row]! < floor) {
        propensity[row] = floor
        rowsAtFloor++
      }
  refuseImpossible(log, choice, propensity)
  return {
    log: { ...log, propensity, propensitySource: 'estimated' },
    estimate: {
      method: choice.kind,
      probabilityOf: choice.kind === 'position' ? 'seen' : 'shown',
      parameters,
      folds: folds.count,
      ...(floor !== undefined && { floor }),
      rowsAtFloor,
      calibration,
    },
  }
}

interface Estimation {
  readonly propensity: Float64Array
  readonly parameters: Readonly<Record<string, number>>
  readonly calibration: Calibration
}

function estimationOf(log: Log, choice: EstimatedChoice, folds: UserFolds): Estimation {
  const fromModel = (model: ExposureModel): Estimation => ({
    propensity: rowPropensities(log, model),
    parameters: model.parameters,
    calibration: exposureCalibration(log, model),
  })
  switch (choice.kind) {
    case 'popularity':
      return fromModel(popularityModel(log, folds, choice.power))
    case 'logistic':
      return fromModel(logisticModel(log, folds))
    case 'naive-bayes':
      return naiveBayes(log, folds, choice.slice)
    case 'position':
      return positionPropensity(log, folds)
  }
}

const REMEDIES: Readonly<Record<EstimationMethod, string | Advice>> = {
  popularity: 'Give a power closer to 0',
  'naive-bayes': advice`Give a larger random slice, or merge rewards with ${set('clickFrom', 'N')}`,
  logistic: advice`Choose ${set('propensity', 'popularity')}`,
  position: 'Too few items were clicked there and shown elsewhere: give a longer log',
}

/** A propensity is above 0 and at most 1; what an estimate makes of it otherwise is an error, not a clamp. */
function refuseImpossible(log: Log, { kind }: EstimatedChoice, propensity: Float64Array): void {
  const impossible = propensity.filter((value) => !(value > 0 && value <= 1))
  if (impossible.length === 0) return
  const row = propensity.findIndex((value) => !(value > 0 && value <= 1))
  const at = kind === 'position' ? ` at position ${log.position![row]}` : ''
  throw new HindcastError(
    'bad-option',
    advice`${set('propensity', kind)} gives ${counted(impossible.length, 'row')} a propensity of ${impossible[0]}, the first${at} for the item ${log.itemIds[log.item[row]!]!}.`,
    {
      remedy: advice`${REMEDIES[kind]}${impossible[0] === 0 ? advice`, or say what the least propensity is with ${set('propensityFloor', 'P')}` : ''}.`,
    },
  )
}
