import type { JoinFacts } from '../../log/join/join-facts.js'
import type { SqlView } from '../../sql/weighed-rows.js'
import type { LoggersChoice } from '../loggers/loggers-choice.js'

/** A log that stays in an engine, as a target sees it. */
export interface SqlTable extends Pick<
  SqlView,
  'relation' | 'target' | 'propensity' | 'clickFrom' | 'model'
> {
  /** The table with the `category` of each item `id`, for estimators by category. */
  readonly categories?: { readonly table: string }
  /** Which column of the relation's `labels` names the logger of each row, and which of its `further` columns have probabilities. */
  readonly loggers?: LoggersChoice
  /** What became of the outcomes, where rewards were joined from another table. */
  readonly join?: JoinFacts
  /** As messages call it. */
  readonly name: string
  /** The ids of all items, if they are known. */
  readonly catalogue?: readonly string[]
  /** More clusters than this are summed by bucket (default: two million). */
  readonly mostClusters?: number
}
