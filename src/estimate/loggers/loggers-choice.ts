import { advice, set } from '../../advice.js'
import { HindcastError } from '../../error.js'

/** How a log marks which of several logging policies drew each row. */
export interface LoggersChoice {
  /** The column that names the logger of each row: one of the log's `labels`. */
  readonly column: string
  /** For every logger, the column with its probability b_j(a|u) of the item shown: each one of the log's `numbers`. */
  readonly probabilities?: Readonly<Record<string, string>>
}

/** More different names than this do not name logging policies. */
export const MOST_LOGGERS = 20

/** Reads `COLUMN`, or `COLUMN:a=P_A,b=P_B` where the log has the probability of the item shown under every logger. */
export function parseLoggers(text: string): LoggersChoice {
  const [, column = text, pairs] = /^([^:]*):(.*=.*)$/.exec(text) ?? []
  if (column.trim() === '') throw badLoggers(`${JSON.stringify(text)} does not name a column.`)
  if (pairs === undefined) return { column: column.trim() }
  const probabilities = new Map<string, string>()
  for (const pair of pairs.split(',')) {
    const equals = pair.indexOf('=')
    const [name, own] = [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()]
    if (equals < 1 || name === '' || own === '')
      throw badLoggers(`${JSON.stringify(pair)} does not have the form LOGGER=COLUMN.`)
    if (probabilities.has(name)) throw badLoggers(`the logger ${JSON.stringify(name)} is named twice.`)
    probabilities.set(name, own)
  }
  return { column: column.trim(), probabilities: Object.fromEntries(probabilities) }
}

const badLoggers = (what: string): HindcastError =>
  new HindcastError('bad-option', advice`${set('loggers')}: ${what}`, {
    remedy: advice`Name the column with the logger of each row, ${set('loggers', 'policy')}; or also, for each logger, the column with its probabilities: ${set('loggers', 'policy:old=p_old,new=p_new')}.`,
  })

/** The columns of a file that must be read as labels and as numbers. */
export const columnsForLoggers = ({
  column,
  probabilities = {},
}: LoggersChoice): { readonly labels: readonly string[]; readonly numbers: readonly string[] } => ({
  labels: [column],
  numbers: [...new Set(Object.values(probabilities))],
})

/** Throws where a logger has no column of probabilities, though others have. */
export function requireProbabilities(
  { column, probabilities }: LoggersChoice,
  names: readonly string[],
): void {
  if (!probabilities) return
  const missing = names.find((name) => !Object.hasOwn(probabilities, name))
  if (missing === undefined) return
  const known = Object.entries(probabilities).map(([name, own]) => `${name}=${own}`)
  throw new HindcastError(
    'missing-column',
    missing === ''
      ? `Some rows name no logger in the column ${JSON.stringify(column)}.`
      : `The logger ${JSON.stringify(missing)} has no column with its probabilities.`,
    {
      remedy:
        missing === ''
          ? 'Name the logger of every row, or leave such rows out.'
          : advice`Name the column of every logger: ${set('loggers', `${column}:${[...known, `${missing}=NAME`].join(',')}`)}. Without them, ${set('loggers', column)}.`,
    },
  )
}

/** The error for propensities that were assumed or estimated beside logged ones of every logger. */
export const standInBesideLoggers = (): HindcastError =>
  new HindcastError(
    'bad-option',
    'The log has the probabilities of every logger, and propensities were assumed or estimated beside them.',
    { remedy: advice`Leave out ${set('propensity')}.` },
  )
