import { HindcastError } from '../../error.js'
import type { Engine } from '../duckdb/engine.js'
import type { SqlView } from '../../sql/weighed-rows.js'

/** Predictions of a reward model that depends on the item only. */
export interface ItemPredictions {
  readonly itemIds: readonly string[]
  /** q̂(a) of each item, in the order of `itemIds`. */
  readonly predictions: Float64Array
  /** v = Σ_a π(a) q̂(a), the same for every row. */
  readonly value: number
}

/** Loads predictions into a table of the engine, with numeric ids if those of the log are. */
export async function loadPredictions(
  { connection }: Engine,
  { itemIds, predictions, value }: ItemPredictions,
  isInteger: boolean,
): Promise<NonNullable<SqlView['model']>> {
  if (itemIds.length !== predictions.length || new Set(itemIds).size !== itemIds.length)
    throw new HindcastError(
      'bad-option',
      `There are ${predictions.length} predictions for ${new Set(itemIds).size} different items.`,
      { remedy: 'Give one prediction per item.' },
    )
  if (!Number.isFinite(value) || !predictions.every(Number.isFinite))
    throw new HindcastError('bad-option', 'A prediction is not a finite number.', {
      remedy: 'Give a number for every item, and for the value.',
    })
  await connection.run('CREATE TEMP TABLE prediction_texts (id VARCHAR, q DOUBLE)')
  const appender = await connection.createAppender('prediction_texts')
  itemIds.forEach((id, k) => {
    appender.appendVarchar(id)
    appender.appendDouble(predictions[k]!)
    appender.endRow()
  })
  appender.closeSync()
  // An id like 007 is not a number in the log, though a cast would make it one.
  const asNumber = 'TRY_CAST(id AS HUGEINT)'
  await connection.run(
    isInteger
      ? `CREATE TEMP TABLE predictions AS SELECT ${asNumber} AS id, q FROM prediction_texts WHERE ${asNumber}::VARCHAR = id`
      : 'CREATE TEMP TABLE predictions AS FROM prediction_texts',
  )
  return { table: 'predictions', value }
}
