import { type Advice, advice, set } from '../advice.js'
import { HindcastError } from '../error.js'
import type { Log } from '../log/log.js'
import { estimatePropensity } from './estimate-propensity.js'
import type { EstimatedPropensity } from './estimated-propensity.js'

/**
 * What stands in for propensities that were not logged. Each is the user's own choice, never a default. The
 * estimated ones may have a `floor`: smaller propensities are raised to it, and counted. `Slice` is a log of
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

/** The choices in words, for help texts and errors. */
export const PROPENSITY_CHOICES: readonly (readonly [choice: string, meaning: string])[] = [
  ['none', 'leave them unknown; only what needs no propensity is computed'],
  ['uniform', 'every item of the log was equally likely (assumed)'],
  ['constant:P', 'every row was shown with probability P (assumed)'],
  [
    'popularity[:POWER]',
    'an item was as likely as it was frequent among other users, raised to POWER, 1 if not given (estimated)',
  ],
  ['logistic', 'from how active the user and how frequent the item is (estimated)'],
  ['naive-bayes:FILE', 'from the rewards, beside those of uniformly random impressions in FILE (estimated)'],
  ['position', 'how likely an item at that position was seen; for training weights (estimated)'],
]

/**
 * Reads `none`, `uniform`, `constant:0.05`, `popularity`, `popularity:0.5`, `logistic`, `naive-bayes:random.csv`
 * or `position`, and the floor beside it.
 */
export function parsePropensityChoice(text: string, floor?: number): PropensityChoice<string> {
  const choice = parseKind(text)
  if (floor === undefined) return choice
  if (choice.kind === 'none' || choice.kind === 'uniform' || choice.kind === 'constant')
    throw new HindcastError(
      'bad-option',
      advice`${set('propensity', text)} has no use for ${set('propensityFloor')}.`,
      {
        remedy: 'A floor is for estimated propensities: popularity, logistic, naive-bayes or position.',
      },
    )
  return { ...choice, floor }
}

function parseKind(text: string): PropensityChoice<string> {
  const colon = text.indexOf(':')
  const [kind, argument] = colon < 0 ? [text, undefined] : [text.slice(0, colon), text.slice(colon + 1)]
  const number = argument === undefined || argument === '' ? NaN : Number(argument)
  if (argument === undefined)
    switch (kind) {
      case 'none':
      case 'uniform':
      case 'logistic':
      case 'position':
        return { kind }
      case 'popularity':
        return { kind, power: 1 }
    }
  if (kind === 'constant' && number > 0 && number <= 1) return { kind, value: number }
  if (kind === 'popularity' && Number.isFinite(number)) return { kind, power: number }
  if (kind === 'naive-bayes' && argument) return { kind, slice: argument }
  throw new HindcastError('bad-option', advice`${set('propensity', text)} is not a choice.`, {
    remedy: listChoices(),
  })
}

/** The error for a log without propensities when nothing was chosen in their place. */
export function missingPropensity(file: string, names: readonly string[]): HindcastError {
  const near = names.find((name) => /prop|prob|pscore/i.test(name))
  const column = near
    ? advice` If it is the column ${near}, say ${set('columns', `propensity=${near}`)}.`
    : ''
  return new HindcastError('missing-propensity', advice`${file} has no propensity column.${column}`, {
    remedy: advice`${listChoices()}\nNone is taken for granted: the wrong one makes every estimate wrong.`,
  })
}

const listChoices = (): Advice => [
  'Choose one:',
  ...PROPENSITY_CHOICES.flatMap(([choice, meaning]) => advice`\n  ${set('propensity', choice)}: ${meaning}`),
]

/** The log with the chosen propensities in place of its own. */
export const choosePropensity = (log: Log, choice: PropensityChoice): Log => withPropensity(log, choice).log

/** The log with the chosen propensities in place of its own and, for estimated ones, how well that went. */
export function withPropensity(
  log: Log,
  choice: PropensityChoice,
): { log: Log; estimate?: EstimatedPropensity } {
  const { propensity: _, ...rest } = log
  switch (choice.kind) {
    case 'none':
      return { log: { ...rest, propensitySource: 'none' } }
    case 'uniform':
    case 'constant': {
      const value = choice.kind === 'uniform' ? 1 / log.itemIds.length : choice.value
      const propensity = new Float64Array(log.rows).fill(value)
      return { log: { ...rest, propensity, propensitySource: 'assumed' } }
    }
    default:
      return estimatePropensity(log, choice)
  }
}
