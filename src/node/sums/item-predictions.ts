import { HindcastError } from '../../error.js'
import type { SqlView } from '../../sql/weighed-rows.js'
import type { Engine } from '../duckdb/engine.js'
import { loadItemTable } from './item-table.js'

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
  engine: Engine,
  { itemIds, predictions, value }: ItemPredictions,
  isInteger: boolean,
): Promise<NonNullable<SqlView['model']>> {
  if (!Number.isFinite(value) || !predictions.every(Number.isFinite))
    throw new HindcastError('bad-option', 'A prediction is not a finite number.', {
      remedy: 'Give a number for every item, and for the value.',
    })
  const table = 'predictions'
  await loadItemTable(
    engine,
    { table, column: 'q', what: ['prediction', 'predictions'], itemIds, values: predictions },
    isInteger,
  )
  return { table, value }
}
