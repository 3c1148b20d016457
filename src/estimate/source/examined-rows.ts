import type { Finding } from '../../doctor/finding.js'
import type { RowOrder } from '../../doctor/quick-findings.js'
import { type Log, takeRows } from '../../log/log.js'

/** About so many rows are examined before an estimate is trusted: enough for every fault that the doctor knows. */
const MOST_EXAMINED = 400_000
/** Rows are examined in blocks of so many, because some faults show only between neighbours. */
export const EXAMINED_BLOCK = 20_000

/** Every how many-th block of a log is examined: the same in every source. */
export const examinedEvery = (rows: number): number => Math.max(1, Math.ceil(rows / MOST_EXAMINED))

/** With fewer rows of a larger log, checks that find nothing say nothing. */
const FEWEST_EXAMINED = 1000

/** Whether so many rows of some users speak for a log of so many: checks of fewer count as not made. */
export const isEnough = (examined: number, rows: number): boolean =>
  examined >= Math.min(rows, FEWEST_EXAMINED)

/** What the doctor's quick checks find in a log in memory that lowers a verdict. */
export async function examinedFindings(log: Log): Promise<readonly Finding[]> {
  const every = examinedEvery(log.rows)
  if (every === 1) return quickly(log)
  const rows = new Uint32Array(log.rows)
  let taken = 0
  for (let from = 0; from < log.rows; from += every * EXAMINED_BLOCK)
    for (let row = from; row < Math.min(from + EXAMINED_BLOCK, log.rows); row++) rows[taken++] = row
  return quickly(takeRows(log, rows.subarray(0, taken)))
}

/** The checks are a tenth of the core: a web page loads them with the first evaluation. */
export async function quickly(log: Log, order?: RowOrder): Promise<readonly Finding[]> {
  const { quickFindings } = await import('../../doctor/quick-findings.js')
  return quickFindings(log, order)
}
