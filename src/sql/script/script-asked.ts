import type { Expression } from '../expression.js'
import type { SqlTarget, SqlView } from '../weighed-rows.js'
import type { Step } from './layout.js'
import type { PolicyTable } from './policy-steps.js'
import type { Output } from './script-outputs.js'

/** A way in which rows may depend on each other: a column of ids, or days. */
export type ScriptWay = 'user' | 'day' | 'column'

/** What a statement is to compute, of which table. */
export interface ScriptAsked extends Pick<
  SqlView,
  'dialect' | 'relation' | 'propensity' | 'clickFrom' | 'largest' | 'smallest'
> {
  readonly target: SqlTarget
  /** The quantities to be summed. */
  readonly expressions: readonly Expression[]
  /** Clusters of the first way, and where there is a second one, of that and of both. */
  readonly ways: readonly ScriptWay[]
  /** What was asked, in words that the result repeats, by name. */
  readonly settings: Readonly<Record<string, string>>
  /** What stands at the head of the statement. */
  readonly about: string
  /** Rows to use: a condition over the table. */
  readonly where?: string
  /** The table of the target's probabilities, where it is one. */
  readonly policy?: PolicyTable
  /** At most so many groups of a kind come back (default 65,536); more are dealt into buckets. */
  readonly mostGroups?: number
  /** The relation is a query, which is to be computed once. */
  readonly isQuery?: boolean
  /** What else comes back, from the rows as the step `weighed` has them. */
  readonly further?: (view: SqlView) => {
    readonly steps: readonly Step[]
    readonly outputs: readonly Output[]
  }
}
