import { areWholeNumbers } from '../ids.js'
import type { Log } from '../log.js'
import { columnsOf, type WrittenColumn } from './text.js'

/** The log as the bytes of a Parquet file: ids as INT64 if all are whole numbers, else as text; numbers as DOUBLE. */
export async function parquetBytes(log: Log): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await import('hyparquet-writer')
  const columnData = columnsOf(log).map((column) => ({
    name: column.name,
    nullable: false,
    ...columnValues(column),
  }))
  return new Uint8Array(parquetWriteBuffer({ columnData, rowGroupSize: 122_880 }))
}

type ParquetValues =
  | { data: string[]; type: 'STRING' }
  | { data: BigInt64Array; type: 'INT64' }
  | { data: Float64Array; type: 'DOUBLE'; encoding?: 'PLAIN' }

function columnValues(column: WrittenColumn): ParquetValues {
  if ('values' in column) {
    const data = column.values
    // The writer's dictionary treats 0 and -0 as the same value.
    const hasMinusZero = data.some((value) => Object.is(value, -0))
    return { data, type: 'DOUBLE', ...(hasMinusZero && { encoding: 'PLAIN' }) }
  }
  const { ids, index } = column
  if (!areWholeNumbers(ids)) return { data: Array.from(index, (place) => ids[place]!), type: 'STRING' }
  const numbers = ids.map(BigInt)
  return { data: BigInt64Array.from(index, (place) => numbers[place]!), type: 'INT64' }
}
