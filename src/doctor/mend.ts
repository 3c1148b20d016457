import type { BadCell } from '../log/bad-rows.js'
import { BrokenCells } from '../log/build.js'
import { CANONICAL_NAMES } from '../log/columns.js'
import { areWholeNumbers } from '../log/ids.js'
import { type Labels, NO_LABEL } from '../log/labels.js'
import type { ColumnMapping } from '../log/layout.js'
import { type Log, takeRows } from '../log/log.js'
import type { RawRow } from '../log/source.js'
import type { WorkOptions } from '../model/long-work.js'
import { counted } from '../number-text.js'
import type { ReadLog, ReadOptions } from '../read/plan.js'
import { findingsOf } from './diagnose.js'
import type { Finding, Mend } from './finding.js'

/** How a file is read, as often as it takes. */
export type Reader = (
  options: Pick<ReadOptions, 'columns' | 'labels' | 'onBadRow' | 'onSkipped'>,
) => Promise<ReadLog>

/** A row that was left out of a mended log, with why. */
export interface LeftOut {
  readonly cell: BadCell
  readonly raw: RawRow
}

/** A log without what could be mended in it. */
export interface MendedLog {
  readonly log: Log
  /** What was done, one sentence each. */
  readonly done: readonly string[]
  /** The rows that were left out: those that stay bad, and copies. */
  readonly leftOut: readonly LeftOut[]
  /** What is found in the mended log. */
  readonly findings: readonly Finding[]
}

/** One mend may bring another mistake to light, but not for ever. */
const MOST_ROUNDS = 4

/**
 * Mends what the doctor finds and no person has to judge: values on another scale are computed, copies left out, rows put
 * in the order of time. Nothing is lost: rows that stay bad are given back, and further columns of the file are kept as
 * text. A column of the file whose name the mended log needs is kept as NAME_before.
 */
export async function mendLog(
  read: Reader,
  asked: ColumnMapping | undefined,
  options: WorkOptions = {},
): Promise<MendedLog> {
  const done: string[] = []
  const { columns, unmended } = await mendedColumns(read, asked, done, options)
  const leftOut: LeftOut[] = []
  const kept = await read({
    ...(columns && { columns }),
    labels: await furtherColumns(unmended, options.signal),
    onBadRow: 'skip',
    onSkipped: (bad) => void leftOut.push(...bad),
  })
  if (kept.skipped > 0) done.push(`Left out ${counted(kept.skipped, 'row')} that cannot be used.`)
  // Its bad rows are gone.
  const whole = await findingsOf({ ...kept, broken: new BrokenCells(false) }, options)
  const copies = mendsOf(whole, 'copies').flatMap(({ rows }) => [...rows()])
  if (copies.length > 0) {
    leftOut.push(...(await copiedRows(kept, copies, options.signal)))
    done.push(`Left out ${counted(copies.length, 'copy', 'copies')} of other rows.`)
  }
  const order = mendsOf(whole, 'order').length > 0 ? 'time' : 'file'
  if (order === 'time') done.push('Sorted the rows by time.')
  const log = withNamesKept(takeRows(kept.log, rowsKept(kept.log, new Set(copies), order)))
  const { examine } = await import('./examine.js')
  return { log, done, leftOut, findings: await examine({ log, mapping: CANONICAL_NAMES }, options) }
}

/** The mapping with the values that mend columns, and the log as it was last read. */
export async function mendedColumns(
  read: Reader,
  asked: ColumnMapping | undefined,
  done: string[],
  options: WorkOptions,
): Promise<{ columns: ColumnMapping | undefined; unmended: ReadLog }> {
  let columns = asked
  for (let round = 0; ; round++) {
    const unmended = await read({ ...(columns && { columns }), onBadRow: 'keep' })
    const findings = round === MOST_ROUNDS ? [] : await findingsOf(unmended, options)
    const [mend] = mendsOf(findings, 'values')
    if (!mend) return { columns, unmended }
    columns = { ...columns, ...mend.columns }
    for (const [column, value] of Object.entries(mend.columns)) done.push(`Computed ${column} as ${value}.`)
  }
}

const mendsOf = <Kind extends Mend['kind']>(
  findings: readonly Finding[],
  kind: Kind,
): Extract<Mend, { kind: Kind }>[] =>
  findings.flatMap(({ mend }) => (mend?.kind === kind ? [mend as Extract<Mend, { kind: Kind }>] : []))

/** The columns of the file that no column of the log is read from as it is. */
export async function furtherColumns({ origins, rawRows }: ReadLog, signal?: AbortSignal): Promise<string[]> {
  const [first] = await rawRows([0], signal)
  const read = new Set(Object.values(origins).flat())
  return Object.keys(first?.cells ?? {}).filter((name) => !read.has(name))
}

async function copiedRows(read: ReadLog, rows: readonly number[], signal?: AbortSignal): Promise<LeftOut[]> {
  const raw = await read.rawRows(rows, signal)
  return raw.map((row) => ({
    raw: row,
    cell: {
      file: read.file,
      line: row.line,
      column: undefined,
      value: undefined,
      reason: 'is a copy of another row',
    },
  }))
}

/** The rows that stay, in the order of the file or of time; rows of the same time stay as they are. */
function rowsKept({ rows, time }: Log, copies: ReadonlySet<number>, order: 'file' | 'time'): Uint32Array {
  const kept = Uint32Array.from({ length: rows }, (_, row) => row).filter((row) => !copies.has(row))
  return order === 'time' ? kept.sort((a, b) => time![a]! - time![b]! || a - b) : kept
}

/** Labels whose names the columns of a log take are kept under other names. */
export function withNamesKept(log: Log): Log {
  if (!log.labels) return log
  const taken = new Set<string>(Object.values(CANONICAL_NAMES))
  const labels = Object.entries(log.labels).map(([name, label]) => [
    taken.has(name) ? `${name}_before` : name,
    label,
  ])
  return { ...log, labels: Object.fromEntries(labels) }
}

/** The log with labels that are fractions kept as numbers, as which they are written; whole numbers may be ids. */
export function withNumbers(log: Log): Log {
  const { labels = {}, numbers = {} } = log
  const isFractions = ({ ids }: Labels): boolean =>
    !areWholeNumbers(ids) && ids.every((id) => id !== NO_LABEL && String(Number(id)) === id)
  const [fractions, others] = [true, false].map((wanted) =>
    Object.entries(labels).filter(([, label]) => isFractions(label) === wanted),
  ) as [[string, Labels][], [string, Labels][]]
  const asNumbers = ({ index, ids }: Labels): Float64Array => {
    const values = ids.map(Number)
    return Float64Array.from(index, (place) => values[place]!)
  }
  return {
    ...log,
    labels: Object.fromEntries(others),
    numbers: {
      ...numbers,
      ...Object.fromEntries(fractions.map(([name, label]) => [name, asNumbers(label)])),
    },
  }
}
