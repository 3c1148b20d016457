import { advice, set } from '../advice.js'
import { badOption } from '../error.js'
import type { Log } from '../log/log.js'
import { counted } from '../number-text.js'
import type { PropensityChoice } from './choice.js'
import { PROPENSITIES } from './choices/index.js'
import type { EstimationWay } from './choices/stand-in.js'
import type { EstimatedPropensity, EstimationMethod } from './estimated-propensity.js'
import { userFolds } from './user-folds.js'

/** A way to estimate propensities, with its parameters. */
export type EstimatedChoice = Extract<PropensityChoice, { readonly kind: EstimationMethod }>

/** A log with estimated propensities, and how they were estimated. */
export interface EstimatedLog {
  readonly log: Log
  readonly estimate: EstimatedPropensity
}

/**
 * The log with estimated propensities in place of its own. Those of a user's rows come from a model fitted to
 * users of other folds. `seed` (default 0) decides who is in which fold. Nothing is raised to a floor unless the
 * choice has one.
 */
export function estimatePropensity(
  log: Log,
  choice: EstimatedChoice,
  { seed = 0 }: { seed?: number } = {},
): EstimatedLog {
  const { floor } = choice
  if (floor !== undefined && !(floor > 0 && floor < 1))
    throw badOption(
      `The propensity floor ${floor} is not between 0 and 1.`,
      advice`Use a small probability such as ${set('propensityFloor', 0.001)}.`,
    )
  const way = PROPENSITIES.named(choice.kind).estimated!
  const folds = userFolds(log, seed)
  const { propensity, parameters, calibration } = way.estimate(log, choice, folds)
  let rowsAtFloor = 0
  if (floor !== undefined)
    for (let row = 0; row < log.rows; row++)
      if (propensity[row]! < floor) {
        propensity[row] = floor
        rowsAtFloor++
      }
  refuseImpossible(log, choice, way, propensity)
  return {
    log: { ...log, propensity, propensitySource: 'estimated' },
    estimate: {
      method: choice.kind,
      probabilityOf: way.probabilityOf,
      parameters,
      folds: folds.count,
      ...(floor !== undefined && { floor }),
      rowsAtFloor,
      calibration,
    },
  }
}

/** A propensity is above 0 and at most 1; an estimate outside that range is an error, never clipped. */
function refuseImpossible(
  log: Log,
  { kind }: EstimatedChoice,
  { remedy, rowText }: EstimationWay,
  propensity: Float64Array,
): void {
  const impossible = propensity.filter((value) => !(value > 0 && value <= 1))
  if (impossible.length === 0) return
  const row = propensity.findIndex((value) => !(value > 0 && value <= 1))
  const at = rowText?.(log, row) ?? ''
  throw badOption(
    advice`${set('propensity', kind)} gives ${counted(impossible.length, 'row')} a propensity of ${impossible[0]!}, the first${at} for item ${log.itemIds[log.item[row]!]!}.`,
    advice`${remedy}${impossible[0] === 0 ? advice`, or set the smallest propensity with ${set('propensityFloor', 'P')}` : ''}.`,
  )
}
