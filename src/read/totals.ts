import { HindcastError } from '../error.js'
import { given } from '../given.js'
import type { ByteInput } from '../log/bytes/input.js'
import { readSmallTable, type SmallCell } from '../log/bytes/small-table.js'
import { listed } from '../listed.js'

/** What is known of the log from elsewhere, a dashboard or the billing: of all of it, and of its days where those are given. */
export interface Totals {
  readonly rows?: number
  readonly reward?: number
  /** By day, as `2026-03-01`. */
  readonly days?: readonly { readonly day: string; readonly rows?: number; readonly reward?: number }[]
}

const REMEDY =
  'Give a table with a column day (2026-03-01) and rows, reward or both; or one row of rows and reward for all of the log.'

/** Reads what is known of a log from a table with the columns day, rows and reward; without days, from its one row. */
export async function readTotals(input: ByteInput): Promise<Totals> {
  const { name } = input
  const { head, records } = await readSmallTable(input, 'a table of totals')
  const names = head.map((cell) => String(cell).trim().toLowerCase())
  const [day, rows, reward] = ['day', 'rows', 'reward'].map((column) => names.indexOf(column)) as [
    number,
    number,
    number,
  ]
  if (rows < 0 && reward < 0)
    throw new HindcastError(
      'missing-column',
      `${name} has neither a column rows nor a column reward; it has ${listed(names)}.`,
      { remedy: REMEDY },
    )
  const amount = (cells: readonly SmallCell[], place: number, row: number): number | undefined =>
    place < 0 ? undefined : amountOf(cells[place], `${name}, row ${row + 1}, ${names[place]}`)
  const totals = records.map((cells, row) => {
    const [known, earned] = [amount(cells, rows, row), amount(cells, reward, row)]
    return given({
      day: day < 0 ? undefined : dayOf(cells[day], `${name}, row ${row + 1}`),
      rows: known,
      reward: earned,
    })
  })
  if (day < 0) {
    if (totals.length === 1) return totals[0]!
    throw new HindcastError('bad-file', `${name} has ${totals.length} rows and no column day.`, {
      remedy: REMEDY,
    })
  }
  const days = totals as NonNullable<Totals['days']>
  const twice = days.find((one, k) => days.findIndex((other) => other.day === one.day) < k)
  if (twice)
    throw new HindcastError('bad-rows', `${name} has the day ${twice.day} more than once.`, {
      remedy: 'Give one row for each day.',
    })
  if (days.length === 0) throw new HindcastError('bad-file', `${name} has no rows.`, { remedy: REMEDY })
  return { days }
}

/** A day as a date; Parquet has them as such, other files as text that may go on with a time. */
function dayOf(cell: SmallCell, where: string): string {
  const text = cell instanceof Date ? cell.toISOString() : String(cell ?? '').trim()
  const [, day] = /^(\d{4}-\d{2}-\d{2})(?:$|[T ])/.exec(text) ?? []
  if (day !== undefined) return day
  throw new HindcastError('bad-rows', `${where}: the day is ${JSON.stringify(text)}.`, {
    remedy: 'Write days as 2026-03-01.',
  })
}

function amountOf(cell: SmallCell, where: string): number | undefined {
  const text = String(cell ?? '').trim()
  if (text === '') return undefined
  const value = Number(text)
  if (Number.isFinite(value)) return value
  throw new HindcastError('bad-rows', `${where} is ${JSON.stringify(text)}, not a number.`, {
    remedy: 'Write numbers without separators: 1200000.',
  })
}
