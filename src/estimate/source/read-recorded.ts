import type { ByteInput } from '../../log/bytes/input.js'
import { readSmallTable } from '../../log/bytes/small-table.js'
import { isRecordedRow, type RecordedCell, recordedRows } from './recorded-table.js'
import type { RecordedRow } from './recorded-rows.js'

/** The rows of a result in a file: CSV or TSV with or without names, a JSON array, JSON lines, or Parquet; gzipped or not. */
export async function readRecorded(input: ByteInput): Promise<RecordedRow[]> {
  const table = await readSmallTable(input, 'the result of the statement that Hindcast wrote')
  const [head, records] = [table.head, table.records] as [RecordedCell[], RecordedCell[][]]
  if (!isRecordedRow(head)) return recordedRows(input.name, head.map(String), records)
  const positional = ['part', 'id', 'part_rows', ...head.slice(3).map((_, k) => `x${k}`)]
  return recordedRows(input.name, positional, [head, ...records])
}
