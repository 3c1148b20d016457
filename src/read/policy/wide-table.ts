import { advice, set } from '../../advice.js'
import type { ColumnOrigins } from '../../log/bad-rows.js'
import { type FurtherColumn, furtherColumn } from '../../log/columns.js'
import { HindcastError, throwIfAborted } from '../../error.js'
import { type Batch, MISSING, type RowSource } from '../../log/source.js'
import { counted } from '../../number-text.js'
import { matrixPolicy } from './matrix-policy.js'
import type { WideColumns } from './policy-columns.js'
import type { PolicyFile } from './policy-file.js'
import type { PolicyTableOptions } from './read-policy-table.js'

/** The columns of a wide table as a reader is asked for them: one of ids, and one of numbers per item. */
export const wideOrigins = ({ user, items }: WideColumns): ColumnOrigins => ({
  user: [user],
  ...(Object.fromEntries(items.map((item) => [furtherColumn(item), [item]])) as Record<
    FurtherColumn,
    readonly string[]
  >),
})

/**
 * A policy from a table that has a row per user and a column per item, called by its id. An error also says that columns
 * were taken for items: the table may be of another shape, with names that nobody knows.
 */
export async function readWideTable(
  source: RowSource,
  columns: WideColumns,
  { kind, most, signal }: PolicyTableOptions,
): Promise<PolicyFile> {
  const { user, items } = columns
  try {
    const { users, values } = await readCells(source, columns, signal)
    const matrix = { rows: users.length, columns: items.length, values }
    return {
      ...matrixPolicy(source.name, kind, matrix, { users, items }, most),
      notes: [
        `${source.name} has no column of items, so each of its ${counted(items.length, 'column')} besides ${user === '' ? 'the first' : user} is taken for an item.`,
      ],
    }
  } catch (error) {
    if (!(error instanceof HindcastError) || error.code === 'interrupted') throw error
    throw new HindcastError(error.code, error.message, {
      remedy: advice`${error.advice} The columns of ${source.name} were taken for items; if they are not, say which is which with ${set('policyColumns', `user=NAME,item=NAME,${kind}=NAME`)}.`,
      cause: error,
    })
  }
}

/** The users of a table, and its numbers row after row. */
async function readCells(
  source: RowSource,
  { user, items }: WideColumns,
  signal: AbortSignal | undefined,
): Promise<{ users: readonly string[]; values: Float64Array }> {
  const batches: Batch[] = []
  let rows = 0
  for await (const batch of source.batches(signal)) {
    const bad = firstBad(batch)
    if (bad !== undefined) throw await badRow(source, rows + bad, user, batch.broken?.get(bad))
    batches.push(batch)
    rows += batch.rows
  }
  throwIfAborted(signal)
  const values = new Float64Array(rows * items.length)
  const users: string[] = []
  for (const { rows: size, ids, numbers } of batches) {
    const start = users.length
    items.forEach((item, column) => {
      const own = numbers[furtherColumn(item)]!
      for (let k = 0; k < size; k++) values[(start + k) * items.length + column] = own[k]!
    })
    for (let k = 0; k < size; k++) users.push(source.idText('user', ids.user![k]!))
  }
  return { users, values }
}

/** The first row of a batch that is not a row of the table, or nobody's. */
function firstBad({ rows, ids, broken }: Batch): number | undefined {
  for (let k = 0; k < rows; k++) if (broken?.has(k) || ids.user![k] === MISSING) return k
  return undefined
}

async function badRow(
  source: RowSource,
  place: number,
  user: string,
  structure = `has no ${user === '' ? 'user' : user}`,
): Promise<HindcastError> {
  const [raw] = await source.rawRows([place])
  return new HindcastError(
    'bad-rows',
    `${source.name}, ${source.lineUnit} ${raw!.line}: the row ${structure}.`,
    { remedy: 'Correct the row, or leave it out.' },
  )
}
