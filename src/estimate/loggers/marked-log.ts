import { advice, set } from '../../advice.js'
import { HindcastError } from '../../error.js'
import type { Log } from '../../log/log.js'
import type { FaultCount } from '../source/broken-rows.js'
import type { LoggerWeighing } from '../source/source.js'
import { type LoggersChoice, requireProbabilities, standInBesideLoggers } from './loggers-choice.js'

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
