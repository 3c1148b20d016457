/** A cell as a reader delivers it: text from CSV; text, a number or a boolean from JSON and Parquet. */
export type Cell = string | number | bigint | boolean | Date | null | undefined

const NUMBER = /^[ \t-\r]*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[ \t-\r]*$/
/** ISO 8601, and what warehouses make of it: a space for the T, zones behind a space, UTC or GMT for Z. */
const DATE =
  /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?: ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?))?)?$/
const MINUTE = 60_000
const FOUR_CENTURIES = 146_097 * 24 * 60 * MINUTE
const MONTH_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** The number in a cell; true is 1 and false is 0; NaN if there is none. */
export function cellNumber(cell: Cell): number {
  if (typeof cell === 'number') return cell
  if (typeof cell === 'string') return textNumber(cell)
  if (typeof cell === 'bigint' || typeof cell === 'boolean') return Number(cell)
  return NaN
}

/** Words of an outcome that happened, and of one that did not: lower case. */
export const YES: readonly string[] = ['true', 'yes', 'y', 't']
export const NO: readonly string[] = ['false', 'no', 'n', 'f']

/** The number in a cell that says what happened: as `cellNumber`, and 1 for yes, y and t, 0 for no, n and f. */
export function cellOutcome(cell: Cell): number {
  const number = cellNumber(cell)
  if (typeof cell !== 'string' || !Number.isNaN(number)) return number
  const word = cell.toLowerCase()
  return YES.includes(word) ? 1 : NO.includes(word) ? 0 : NaN
}

function textNumber(text: string): number {
  const match = NUMBER.exec(text)
  if (match) return Number(match[1])
  const word = text.toLowerCase()
  if (word === 'true') return 1
  if (word === 'false') return 0
  return /^[ \t-\r]*[+-]?inf(inity)?[ \t-\r]*$/.test(word) ? (word.includes('-') ? -Infinity : Infinity) : NaN
}

/** What programs write for a value that is missing: databases, pandas, R and spreadsheets. */
export const MISSING_WORDS: readonly string[] = [
  String.raw`\N`,
  'NULL',
  'null',
  'None',
  'nil',
  'NaN',
  'nan',
  'NA',
  '<NA>',
  'N/A',
  'n/a',
  '#N/A',
]

/** Whether a cell is empty, or holds what programs write for a missing value. */
export const isMissing = (cell: Cell): boolean =>
  cellText(cell) === undefined || (typeof cell === 'string' && MISSING_WORDS.includes(cell))

/** The time in a cell: a number as it is, a date as milliseconds since 1970 UTC (dates without a zone are UTC). */
export function cellTime(cell: Cell): number {
  if (cell instanceof Date) return cell.getTime()
  if (typeof cell === 'boolean') return NaN
  if (typeof cell !== 'string') return cellNumber(cell)
  const number = textNumber(cell)
  return Number.isNaN(number) || /^[tf]/i.test(cell) ? dateTime(cell) : number
}

function dateTime(text: string): number {
  const match = DATE.exec(text)
  if (!match) return NaN
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] = match
  if (+month! < 1 || +month! > 12 || +day! < 1 || +day! > daysIn(+year!, +month!)) return NaN
  if (+hour > 23 || +minute > 59 || +second > 59) return NaN
  // Date.UTC treats the years 0 to 99 as 1900 to 1999; the calendar repeats every 400 years.
  const local = Date.UTC(+year! + 400, +month! - 1, +day!, +hour, +minute, +second) - FOUR_CENTURIES
  const whole = local - zoneOffset(zone)
  // Anything finer than a microsecond is cut off, as in databases.
  const microseconds = Number(fraction.slice(0, 6).padEnd(6, '0'))
  return (whole * 1000 + microseconds) / 1000
}

const daysIn = (year: number, month: number): number =>
  month === 2 && !(year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)) ? 28 : MONTH_DAYS[month - 1]!

function zoneOffset(zone: string): number {
  if (!/^[+-]/.test(zone)) return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(3).replace(':', '') || '0')
  return (zone[0] === '-' ? -1 : 1) * (hours * 60 + minutes) * MINUTE
}

/** The id in a cell: text as it is, a whole number in digits; undefined if there is none. */
export function cellId(cell: Cell): string | undefined {
  if (typeof cell === 'string') return cell === '' ? undefined : cell
  if (typeof cell === 'bigint') return cell.toString()
  // Larger numbers may already have lost digits, and two ids could become one.
  if (typeof cell === 'number') return Number.isSafeInteger(cell) ? String(cell) : undefined
  return undefined
}

/**
 * The label in a cell: text as it is, whole numbers in digits, true or false, and fractions that everyone writes alike;
 * undefined if there is none.
 */
export function cellLabel(cell: Cell): string | undefined {
  if (typeof cell === 'boolean') return String(cell)
  if (typeof cell !== 'number' || Number.isInteger(cell)) return cellId(cell)
  // Smaller and larger ones have an exponent, which engines write in ways of their own.
  return Math.abs(cell) >= 1e-4 && Math.abs(cell) < 1e15 ? String(cell) : undefined
}

/** A cell as text for messages and quarantine; undefined if it is empty. */
export function cellText(cell: Cell): string | undefined {
  if (cell === null || cell === undefined || cell === '') return undefined
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? 'an impossible date' : cell.toISOString()
  // Nested Parquet cells may hold bigints, which JSON cannot represent.
  return typeof cell === 'object'
    ? JSON.stringify(cell, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
    : String(cell)
}
