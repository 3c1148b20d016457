import { HindcastError } from '../error.js'
import type { Log } from '../log/log.js'
import { exp, log as naturalLog } from '../portable-math.js'

/** What stands in for propensities that were not logged. Each is the user's own choice, never a default. */
export type PropensityChoice =
  | { readonly kind: 'none' }
  | { readonly kind: 'uniform' }
  | { readonly kind: 'constant'; readonly value: number }
  | { readonly kind: 'popularity'; readonly power: number }

/** The choices in words, for help texts and errors. */
export const PROPENSITY_CHOICES: readonly (readonly [choice: string, meaning: string])[] = [
  ['none', 'leave them unknown; only what needs no propensity is computed'],
  ['uniform', 'every item of the log was equally likely (assumed)'],
  ['constant:P', 'every row was shown with probability P (assumed)'],
  [
    'popularity[:POWER]',
    'an item was as likely as it was frequent, raised to POWER, 1 if not given (estimated)',
  ],
]

/** Reads `none`, `uniform`, `constant:0.05`, `popularity` or `popularity:0.5`. */
export function parsePropensityChoice(text: string): PropensityChoice {
  const colon = text.indexOf(':')
  const [kind, argument] = colon < 0 ? [text, undefined] : [text.slice(0, colon), text.slice(colon + 1)]
  const number = argument === undefined || argument === '' ? NaN : Number(argument)
  if ((kind === 'none' || kind === 'uniform') && argument === undefined) return { kind }
  if (kind === 'constant' && number > 0 && number <= 1) return { kind, value: number }
  if (kind === 'popularity' && argument === undefined) return { kind, power: 1 }
  if (kind === 'popularity' && Number.isFinite(number)) return { kind, power: number }
  throw new HindcastError('bad-option', `--propensity ${text} is not a choice.`, { remedy: listChoices() })
}

/** The error for a log without propensities when nothing was chosen in their place. */
export function missingPropensity(file: string, names: readonly string[]): HindcastError {
  const near = names.find((name) => /prop|prob|pscore/i.test(name))
  const column = near ? ` If it is the column ${near}, say --columns propensity=${near}.` : ''
  return new HindcastError('missing-propensity', `${file} has no propensity column.${column}`, {
    remedy: `${listChoices()}\nNone is taken for granted: the wrong one makes every estimate wrong.`,
  })
}

const listChoices = (): string =>
  [
    'Choose one:',
    ...PROPENSITY_CHOICES.map(([choice, meaning]) => `  --propensity ${choice}: ${meaning}`),
  ].join('\n')

/** The log with the chosen propensities in place of its own. */
export function choosePropensity(log: Log, choice: PropensityChoice): Log {
  const { propensity: _, ...rest } = log
  if (choice.kind === 'none') return { ...rest, propensitySource: 'none' }
  if (choice.kind === 'popularity')
    return { ...rest, propensity: popularityPropensity(log, choice.power), propensitySource: 'estimated' }
  const value = choice.kind === 'uniform' ? 1 / log.itemIds.length : choice.value
  return { ...rest, propensity: new Float64Array(log.rows).fill(value), propensitySource: 'assumed' }
}

/** b(a) = count(a)^power / Σ count^power over the items of the log. */
function popularityPropensity(log: Log, power: number): Float64Array {
  const counts = new Float64Array(log.itemIds.length)
  for (let k = 0; k < log.rows; k++) counts[log.item[k]!]! += log.weight ? log.weight[k]! : 1
  let total = 0
  const powers = counts.map((count) => (count === 0 ? 0 : exp(power * naturalLog(count))))
  for (const value of powers) total += value
  const propensity = new Float64Array(log.rows)
  for (let k = 0; k < log.rows; k++) propensity[k] = powers[log.item[k]!]! / total
  if (!propensity.every((value) => value > 0 && value <= 1))
    throw new HindcastError('bad-option', `--propensity popularity:${power} gives items a propensity of 0.`, {
      remedy: 'Give a power closer to 0.',
    })
  return propensity
}
