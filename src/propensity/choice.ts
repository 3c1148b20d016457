import { type Advice, advice, set } from '../advice.js'
import { badOption, HindcastError } from '../error.js'
import type { Log } from '../log/log.js'
import { scaleByName } from '../log/values/propensity-scales.js'
import { counted } from '../number-text.js'
import { suggest } from '../suggest.js'
import { PROPENSITIES } from './choices.js'
import {
  type EstimatedPropensity,
  type EstimationMethod,
  type EstimationWay,
  explained,
  type PropensityChoice,
} from './stand-in.js'
import { userFolds } from './user-folds.js'

/**
 * Reads `none`, `uniform`, `constant:0.05`, `popularity`, `popularity:0.5`, `logistic`, `naive-bayes:random.csv`
 * or `position`, with its floor.
 */
export function parsePropensityChoice(text: string, floor?: number): PropensityChoice<string> {
  const colon = text.indexOf(':')
  const [name, argument] = colon < 0 ? [text, undefined] : [text.slice(0, colon), text.slice(colon + 1)]
  const standIn = PROPENSITIES.find(name)
  const choice = standIn?.parse(argument)
  if (!standIn || !choice) {
    const meant = standIn ? undefined : suggest(name, PROPENSITIES.names)
    throw badOption(
      advice`${set('propensity', text)} is not a valid choice.`,
      advice`${meant ? `Did you mean ${meant}? ` : ''}${listChoices()}`,
    )
  }
  if (floor === undefined) return choice
  if (!standIn.estimated)
    throw badOption(
      advice`${set('propensityFloor')} does not apply to ${set('propensity', text)}.`,
      `A floor is for estimated propensities: ${estimatedNames().join(', ')}.`,
    )
  return { ...choice, floor } as PropensityChoice<string>
}

const estimatedNames = (): string[] =>
  PROPENSITIES.all.flatMap(({ name, estimated }) => (estimated ? [name] : []))

/** The error for a log without propensities when no stand-in was chosen. */
export function missingPropensity(file: string, names: readonly string[]): HindcastError {
  const near = names.find((name) => /prop|prob|pscore/i.test(name) || scaleByName(name) !== undefined)
  const value = near && (scaleByName(near) ?? near)
  const column = value
    ? advice` If it is in column ${near}, use ${set('columns', `propensity=${value}`)}.`
    : ''
  return new HindcastError('missing-propensity', advice`${file} has no propensity column.${column}`, {
    remedy: advice`${listChoices()}\nThere is no default: the wrong choice makes every estimate wrong.`,
  })
}

const listChoices = (): Advice => [
  'Choose one:',
  ...PROPENSITIES.all.flatMap((one) => advice`\n  ${set('propensity', one.typed)}: ${explained(one)}`),
]

/** The log with the chosen propensities in place of its own. */
export const choosePropensity = (log: Log, choice: PropensityChoice): Log => withPropensity(log, choice).log

/** The log with the chosen propensities in place of its own and, for estimated ones, how well they are calibrated. */
export function withPropensity(
  log: Log,
  choice: PropensityChoice,
): { log: Log; estimate?: EstimatedPropensity } {
  const { assumed, estimated } = PROPENSITIES.named(choice.kind)
  if (estimated) return estimatePropensity(log, choice as EstimatedChoice)
  const { propensity: _, ...rest } = log
  if (!assumed) return { log: { ...rest, propensitySource: 'none' } }
  const propensity = new Float64Array(log.rows).fill(assumed(choice, log.itemIds.length))
  return { log: { ...rest, propensity, propensitySource: 'assumed' } }
}

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
