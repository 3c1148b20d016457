import { type Advice, advice, set } from '../../advice.js'
import { HindcastError } from '../../error.js'
import { listed } from '../../listed.js'
import { COLUMNS, type NumberColumn } from '../../log/columns.js'
import type { Log } from '../../log/log.js'
import { remedyFor, RULES } from '../../log/rules.js'
import { counted, formatCount } from '../../number-text.js'

/** What can be wrong with a row: NULL or NaN, a value that breaks the rule of its column, a number too large to be squared or too small to divide by, a propensity other than that of the row's own logger. */
export type Fault = 'missing' | 'out-of-range' | 'overflow' | 'underflow' | 'contradiction'

/** Rows that cannot be used. */
export interface BrokenRows {
  /** How many there are, a row with two faults once. */
  readonly rows: number
  /** How many have each fault, by column; `w` is the weight of the target. */
  readonly faults: readonly { readonly column: string; readonly fault: Fault; readonly rows: number }[]
  /** The first of them, counted from 1 in the order of the log, where the source knows. */
  readonly first?: readonly number[]
  /** Some of them by their ids, where the rows of the source have no order. */
  readonly examples?: readonly string[]
  /** What reading the file into memory would say of them, where the source can look them up. */
  readonly error?: HindcastError
}

/**
 * Rewards, weights and numbers of impressions beyond this are too large: the product of all three could not be squared.
 * The same in every source.
 */
export const LARGEST = 1e50
/** Propensities and numbers of impressions below this are too small: what is divided by them would be too large. */
export const SMALLEST = 1e-50

/** So many rows are named in an error. */
const MOST_NAMED = 5

const FAULTS: readonly Fault[] = ['missing', 'out-of-range', 'overflow', 'underflow', 'contradiction']

/** Columns whose numbers are multiplied and squared. */
const MULTIPLIED: readonly NumberColumn[] = ['reward', 'weight', 'q', 'v']
/** Columns whose numbers, all above 0, are divided by. */
const DIVIDED_BY: readonly NumberColumn[] = ['propensity', 'weight']

/** What is wrong with a number in a column of a log; undefined where nothing is. */
export function faultOf(column: NumberColumn, value: number): Fault | undefined {
  if (Number.isNaN(value)) return 'missing'
  const { least, most, whole = false } = RULES[column]
  if (!(value >= least && value <= most) || (whole && value % 1 !== 0)) return 'out-of-range'
  if (DIVIDED_BY.includes(column) && value < SMALLEST) return 'underflow'
  return MULTIPLIED.includes(column) && Math.abs(value) > LARGEST ? 'overflow' : undefined
}

/** Counts faults as rows are gone through. */
export class FaultCount {
  readonly #counts = new Map<string, { column: string; fault: Fault; rows: number }>()
  readonly #rows = new Set<number>()

  add(row: number, column: string, fault: Fault): void {
    const key = `${column} ${fault}`
    const known = this.#counts.get(key)
    if (known) known.rows++
    else this.#counts.set(key, { column, fault, rows: 1 })
    this.#rows.add(row)
  }

  copy(): FaultCount {
    const copy = new FaultCount()
    for (const [key, value] of this.#counts) copy.#counts.set(key, { ...value })
    for (const row of this.#rows) copy.#rows.add(row)
    return copy
  }

  get broken(): BrokenRows {
    const first = [...this.#rows]
      .toSorted((a, b) => a - b)
      .slice(0, MOST_NAMED)
      .map((row) => row + 1)
    return { rows: this.#rows.size, faults: inOrder([...this.#counts.values()]), first }
  }
}

/** The faults of the rows of a log in memory, whatever the target. */
export function faultsOf(log: Log): FaultCount {
  const count = new FaultCount()
  for (const column of Object.keys(RULES) as NumberColumn[]) {
    const values = log[column]
    if (!values) continue
    const { most, whole = false } = RULES[column]
    const least = DIVIDED_BY.includes(column) ? SMALLEST : RULES[column].least
    const limit = MULTIPLIED.includes(column) ? LARGEST : Infinity
    for (let row = 0; row < log.rows; row++) {
      const value = values[row]!
      // What `faultOf` checks, all at once: nearly all numbers are sound.
      if (value >= least && value <= most && Math.abs(value) <= limit && !(whole && value % 1 !== 0)) continue
      count.add(row, column, faultOf(column, value)!)
    }
  }
  return count
}

/** The rows that cannot be used: those with faults, and those of which the target makes too much. */
export function brokenRowsOf({ propensity }: Log, weights: Float64Array, faults: FaultCount): BrokenRows {
  const count = faults.copy()
  for (let row = 0; row < weights.length; row++)
    // A propensity that is not valid gives no weight.
    if (weights[row]! > LARGEST && (propensity ? propensity[row]! : 1) > 0) count.add(row, 'w', 'overflow')
  return count.broken
}

/** Faults in an order that no source decides. */
export const inOrder = (faults: BrokenRows['faults']): BrokenRows['faults'] =>
  faults.toSorted(
    (a, b) =>
      (a.column < b.column ? -1 : a.column > b.column ? 1 : 0) ||
      FAULTS.indexOf(a.fault) - FAULTS.indexOf(b.fault),
  )

/** Throws for a log with rows that cannot be used: none is left out silently. */
export function requireSound({ rows, faults, first, examples, error }: BrokenRows, name = 'The log'): void {
  if (rows === 0) return
  if (error) throw error
  const named = faults.map(({ column, fault, rows: count }) => `${formatCount(count)} ${WITH[fault](column)}`)
  const places = first
    ? ` (${first.length === 1 ? 'row' : 'rows'} ${listed(first.map(formatCount))}${first.length < rows ? ' …' : ''})`
    : ''
  throw new HindcastError(
    'bad-rows',
    [`${name}: ${counted(rows, 'row')} cannot be used: ${listed(named)}${places}.`, ...(examples ?? [])].join(
      '\n  ',
    ),
    {
      remedy: faults.some(({ fault }) => fault === 'contradiction')
        ? advice`Check in ${set('loggers')} which column belongs to which logger; the propensity of a row is that of its own logger.`
        : first || examples
          ? advice`Correct these rows or leave them out. ${remedyOfMost(faults)}`
          : advice`Use ${set('engine', 'memory')} to see which rows they are.`,
    },
  )
}

/** What to do about the fault that most rows have; nothing where the number itself says it. */
function remedyOfMost(faults: BrokenRows['faults']): string | Advice {
  const { column, fault } = faults.reduce((most, one) => (one.rows > most.rows ? one : most))
  // Further columns hold the probabilities of loggers.
  if (fault === 'missing' || fault === 'out-of-range')
    return remedyFor(COLUMNS.find((one) => one === column) ?? 'propensity')
  return column === 'w' || column === 'propensity'
    ? 'A weight is the target probability divided by the propensity: look for propensities close to 0.'
    : ''
}

const WITH: Readonly<Record<Fault, (column: string) => string>> = {
  missing: (column) => `without a valid ${column}`,
  'out-of-range': (column) => `with a ${column} out of range`,
  overflow: (column) => `with ${column === 'w' ? 'an importance weight' : `a ${column}`} beyond ${LARGEST}`,
  underflow: (column) => `with a ${column} below ${SMALLEST}`,
  contradiction: (column) => `with a ${column} other than that of the row’s own logger`,
}
