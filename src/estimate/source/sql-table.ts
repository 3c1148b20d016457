import type { ColumnOrigins } from '../../log/bad-rows.js'
import type { JoinFacts } from '../../log/join/join-facts.js'
import type { RowSource } from '../../log/source.js'
import type { SqlView } from '../../sql/weighed-rows.js'
import type { LoggersChoice } from '../loggers/loggers-choice.js'
import type { SlatePropensities } from '../slate/slate-term.js'

/** How an engine predicts rewards, where the log has no predictions of its own. */
export interface SqlRewards {
  /** Default `item-mean`. */
  readonly model?: 'item-mean' | 'item-position-mean'
  /** Of the folds of users (default 0). */
  readonly seed?: number
}

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
  /** Which kind of propensities pages have (default: as the log shows). */
  readonly slatePropensities?: SlatePropensities
  /** As messages call it. */
  readonly name: string
  /** Where the rows of a file are looked up, for messages: its columns, and the cells of rows by their 0-based places. */
  readonly file?: Pick<RowSource, 'lineUnit' | 'rawRows'> & { readonly origins: ColumnOrigins }
  /** How rewards are predicted, without columns q and v and without a `model`. */
  readonly rewards?: SqlRewards
  /** The number of all items, where the rows are a part of a log that has more. */
  readonly items?: number
  /** The ids of all items, if they are known. */
  readonly catalogue?: readonly string[]
  /** More clusters than this are summed by bucket (default: 65,536). */
  readonly mostClusters?: number
}
