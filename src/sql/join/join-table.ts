import type { ColumnOrigins } from '../../log/bad-rows.js'
import type { SqlColumn } from '../column-kind.js'
import type { Dialect } from '../dialect.js'
import type { Relation } from '../relation.js'
import { keySql } from './join-key.js'

/** Decisions or outcomes in an engine, with the ids by which they are joined among the keys of the relation. */
export interface JoinTable {
  /** As messages call it. */
  readonly name: string
  readonly relation: Relation
  readonly origins: ColumnOrigins
  readonly columns: readonly SqlColumn[]
}

/** Decisions, which may be a part of their table. */
export interface DecisionTable extends JoinTable {
  /** The whole table and the condition for the part: outcomes of decisions that were left out on purpose are none of this log. */
  readonly whole?: { readonly from: string; readonly condition: string } | undefined
}

export interface JoinTables {
  readonly decisions: DecisionTable
  readonly outcomes: JoinTable
}

/** The key of the rows of each table, in SQL, and whether it is a text. */
export interface JoinKeys {
  readonly decisions: string
  readonly outcomes: string
  readonly isText: boolean
}

/** Ids of one type of whole numbers are compared as they are, which is quicker; all others as texts. */
export function joinKeys(dialect: Dialect, tables: JoinTables, isLoose: boolean): JoinKeys {
  const [shown, came] = [idColumn(tables.decisions), idColumn(tables.outcomes)]
  const isSame = shown.type === came.type && (shown.kind === 'integer' || shown.kind === 'uuid')
  if (isSame && !tables.decisions.relation.keys!['key:item'])
    return { decisions: dialect.identifier(shown.name), outcomes: dialect.identifier(came.name), isText: false } // prettier-ignore
  return { ...textKeys(dialect, tables, isLoose), isText: true }
}

/** The keys as texts. */
export function textKeys(
  dialect: Dialect,
  { decisions, outcomes }: JoinTables,
  isLoose: boolean,
): Pick<JoinKeys, 'decisions' | 'outcomes'> {
  const keyOf = ({ relation }: JoinTable): string =>
    keySql(dialect, relation.keys!['key:decision']!, relation.keys!['key:item'], { isLoose })
  return { decisions: keyOf(decisions), outcomes: keyOf(outcomes) }
}

/** The column with the ids of decisions. */
export const idColumn = ({ columns, origins }: JoinTable): SqlColumn =>
  columns.find(({ name }) => name === origins['key:decision']![0])!
