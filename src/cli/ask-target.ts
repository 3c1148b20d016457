import { HindcastError } from '../error.js'
import { SCORE_RULES, type AskedRule } from '../policy/score-rule.js'
import type { Preview } from '../read/preview.js'
import type { Arguments } from './command.js'
import { filesOf, type NamedLog } from './join-options.js'
import { text } from './parse.js'

/** What can be typed for a target, with what it is. */
type Offer = readonly [typed: string, meaning: string]

const OF_LOG: readonly Offer[] = [
  ['uniform', 'every item of the log equally often'],
  ['logging', 'the policy that wrote the log'],
  ['popularity@RULE', 'items by their clicks'],
]

const OF_FILES: readonly Offer[] = [
  ['table:FILE', 'probabilities, by item_id and optionally user_id'],
  ['scores:FILE@RULE', 'scores, as a rule shows items by them'],
  ['model:DIR@RULE', 'a trained model, likewise'],
]

const COLUMN: Offer = ['column:NAME', 'a column of the log with the target’s probability for each row']

const rules = (Object.keys(SCORE_RULES) as AskedRule['kind'][]).map((kind) => {
  const { number } = SCORE_RULES[kind]
  return number ? `${kind}=${number.example}` : kind
})

const offered = (offers: readonly Offer[]): string =>
  `${offers.map(([typed, meaning]) => `${typed} (${meaning})`).join('; ')}. RULE says how items are shown: ${rules.join(', ')}, with a number of your own; see --help`

/** What can be typed for a target, whatever the log. */
export const TARGETS_TEXT = offered([...OF_LOG, COLUMN, ...OF_FILES])

/** The target of a command; without one, an error asks, with what is possible for this log. */
export async function targetAsked(args: Arguments, command: string, log: NamedLog): Promise<string> {
  const typed = text(args, 'target')
  if (typed !== undefined) return typed
  throw new HindcastError('bad-option', `hindcast ${command} needs --target: which policy is asked about?`, {
    remedy: `Type one of: ${await targetsFor(log, args)}.`,
  })
}

/** What can be typed for a target of a log, with its columns that look like probabilities of one. */
export async function targetsFor(log: NamedLog, args: Arguments): Promise<string> {
  const columns = (await probabilityColumns(log, args)).map((name): Offer => [
    `column:${name}`,
    'probabilities in that column of the log',
  ])
  return offered([...OF_LOG, ...(columns.length > 0 ? columns : [COLUMN]), ...OF_FILES])
}

/** At most so many columns are named. */
const MOST_COLUMNS = 5

async function probabilityColumns(log: NamedLog, args: Arguments): Promise<readonly string[]> {
  const [file] = filesOf(log)
  // Standard input could not be read a second time.
  if (file === undefined || file === '-' || args.values['glob'] === true) return []
  const { previewLogFile } = await import('../node/preview-file.js')
  const format = text(args, 'format')
  try {
    return targetColumns(await previewLogFile(file, format === undefined ? {} : { format }))
  } catch {
    // What is wrong with the file is said once a target is named.
    return []
  }
}

/** The columns that hold probabilities and are not the propensities. */
const targetColumns = ({ columns, guesses }: Pick<Preview, 'columns' | 'guesses'>): string[] => {
  const isOther = (name: string): boolean =>
    guesses.some(({ column, names }) => column !== 'target' && names.includes(name))
  return columns
    .filter(({ name, content }) => content === 'probabilities' && !isOther(name))
    .map(({ name }) => name)
    .slice(0, MOST_COLUMNS)
}
