import { type Advice, advice, set } from '../advice.js'
import { badOption, HindcastError } from '../error.js'
import { scaleByName } from '../log/values/propensity-scales.js'
import type { Log } from '../log/log.js'
import { suggest } from '../suggest.js'
import { explained } from './choices/explained.js'
import { PROPENSITIES } from './choices/index.js'
import { type EstimatedChoice, estimatePropensity } from './estimate-propensity.js'
import type { EstimatedPropensity } from './estimated-propensity.js'

/**
 * What stands in for propensities that were not logged. It is always the user's choice, never a default.
 * Estimated ones may have a `floor`: smaller propensities are raised to it and counted. `Slice` is a log of
 * uniformly random impressions, or the name of its file.
 */
export type PropensityChoice<Slice = Log> =
  | { readonly kind: 'none' }
  | { readonly kind: 'uniform' }
  | { readonly kind: 'constant'; readonly value: number }
  | { readonly kind: 'popularity'; readonly power: number; readonly floor?: number }
  | { readonly kind: 'naive-bayes'; readonly slice: Slice; readonly floor?: number }
  | { readonly kind: 'logistic'; readonly floor?: number }
  | { readonly kind: 'position'; readonly floor?: number }

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
