import { HindcastError } from '../error.js'
import type { ColumnOrigins } from '../log/bad-rows.js'
import type { TextContainer } from '../log/bytes/detect.js'
import type { ByteInput } from '../log/bytes/input.js'
import type { OpenParquet } from '../log/bytes/parquet-source.js'
import { MissingColumns } from '../log/layout.js'
import { planParquetColumns, planTextColumns } from './notations.js'
import type { ReadOptions } from './plan.js'

/**
 * Finds the columns of the log in a file. Where some are missing and nothing was said about the layout, the error proposes
 * what a look at the first rows suggests.
 */
export async function planLogColumns(
  input: ByteInput,
  file: TextContainer | OpenParquet,
  options: ReadOptions,
): Promise<ColumnOrigins> {
  try {
    return 'metadata' in file
      ? await planParquetColumns(file, options)
      : await planTextColumns(input, file, options)
  } catch (error) {
    if (!(error instanceof MissingColumns) || options.format !== undefined) throw error
    // Only those whose file is not understood pay for the look.
    const { proposedRemedy } = await import('./proposed-columns.js')
    const remedy = await proposedRemedy(input, error, options)
    throw remedy === undefined
      ? error
      : new HindcastError(error.code, error.message, { remedy, cause: error })
  }
}
