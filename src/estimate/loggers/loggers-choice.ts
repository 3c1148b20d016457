import { advice, set } from '../../advice.js'
import { HindcastError } from '../../error.js'
import type { Log } from '../../log/log.js'
import type { FaultCount } from '../source/broken-rows.js'
import type { LoggerWeighing } from '../source/source.js'

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

/** A propensity further than this part from that of the row's own logger contradicts it: more than rounding. */
export const CONTRADICTS = 1e-3

/** A log in memory that says which logger drew each row. */
export interface MarkedLog {
  readonly choice: LoggersChoice
  /** The log; where it has the probabilities of every logger, its propensities are those of each row's own. */
  readonly log: Log
  /** The logger of each row, as an index into `names`; some may have no rows. */
  readonly index: Uint32Array
  readonly names: readonly string[]
  /** Counts what is wrong with the probabilities of the loggers. */
  readonly addFaults: (count: FaultCount) => void
}

/** A log with its loggers. */
export function markedLog(log: Log, choice: LoggersChoice): MarkedLog {
  const labels = log.labels?.[choice.column]
  if (!labels) throw notKept(choice.column, 'labels')
  const { index, ids: names } = labels
  if (!choice.probabilities) return { choice, log, index, names, addFaults: () => undefined }
  if (log.propensitySource === 'assumed' || log.propensitySource === 'estimated') throw standInBesideLoggers()
  requireProbabilities(choice, occurring(index, names))
  const columns = names.map((name) => numbersOf(log, choice, name))
  const own = Float64Array.from(index, (logger, row) => columns[logger]![row]!)
  return {
    choice,
    log: { ...log, propensity: own, propensitySource: 'logged' },
    index,
    names,
    addFaults: (count) => addFaults(log, own, choice, count),
  }
}

const occurring = (index: Uint32Array, names: readonly string[]): string[] =>
  [...new Set(index)].map((logger) => names[logger]!)

/** b_j of the item shown in each row; a name without rows needs none. */
function numbersOf(log: Log, { probabilities }: LoggersChoice, name: string): Float64Array {
  const column = Object.hasOwn(probabilities!, name) ? probabilities![name]! : undefined
  if (column === undefined) return new Float64Array(log.rows).fill(NaN)
  const values = log.numbers?.[column]
  if (!values) throw notKept(column, 'numbers')
  return values
}

const notKept = (column: string, where: 'labels' | 'numbers'): HindcastError =>
  new HindcastError('missing-column', `The log does not have the column ${JSON.stringify(column)}.`, {
    remedy: advice`Read the log with ${where}: ['${column}'], so that ${set('loggers')} can refer to it.`,
  })

/** Probabilities must be numbers from 0 to 1, and those of a row's own logger must be its propensity, where that was logged too. */
function addFaults(log: Log, own: Float64Array, { probabilities }: LoggersChoice, count: FaultCount): void {
  for (const column of new Set(Object.values(probabilities!))) {
    const values = log.numbers?.[column]
    if (!values) throw notKept(column, 'numbers')
    for (let row = 0; row < log.rows; row++) {
      const value = values[row]!
      if (value >= 0 && value <= 1) continue
      count.add(row, column, Number.isNaN(value) ? 'missing' : 'out-of-range')
    }
  }
  const { propensity } = log
  if (!propensity) return
  for (let row = 0; row < log.rows; row++)
    if (Math.abs(propensity[row]! - own[row]!) > CONTRADICTS * own[row]!)
      count.add(row, 'propensity', 'contradiction')
}

/** The log with propensities Σ_j (n_j/n) b_j of its mixture of loggers. */
export function balancedLog(
  { log, choice }: MarkedLog,
  { names, shares }: Extract<LoggerWeighing, { kind: 'balanced' }>,
): Log {
  const columns = names.map((name) => numbersOf(log, choice, name))
  const propensity = new Float64Array(log.rows)
  for (let row = 0; row < log.rows; row++) {
    let mixed = shares[0]! * columns[0]![row]!
    for (let j = 1; j < names.length; j++) mixed += shares[j]! * columns[j]![row]!
    propensity[row] = mixed
  }
  return { ...log, propensity }
}

/** The logger of each row as its place among `names`: the column l of rows. */
export function placesOf({ index, names: ids }: MarkedLog, names: readonly string[]): Float64Array {
  const placeOf = new Map(names.map((name, place) => [name, place]))
  const places = ids.map((id) => placeOf.get(id) ?? NaN)
  return Float64Array.from(index, (logger) => places[logger]!)
}
