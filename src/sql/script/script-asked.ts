import type { SqlTarget, SqlView } from '../weighed-rows.js'
import type { Step } from './layout.js'
import type { PolicyTable } from './policy-steps.js'
import type { Output } from './script-format.js'

/** What a statement is to compute, of which table. */
export interface ScriptAsked extends Pick<
  SqlView,
  'dialect' | 'relation' | 'propensity' | 'clickFrom' | 'largest' | 'smallest'
> {
  readonly target: SqlTarget
  /** What was asked, in words that the result repeats, by name. */
  readonly settings: Readonly<Record<string, string>>
  /** What stands at the head of the statement. */
  readonly about: string
  /** Rows to use: a condition over the table. */
  readonly where?: string
  /** The table of the target's probabilities, where it is one. */
  readonly policy?: PolicyTable
  /** The relation is a query, which is to be computed once. */
  readonly isQuery?: boolean
  /** What answers come back, from the rows as the step `weighed` has them. */
  readonly answers: (view: SqlView) => {
    readonly steps: readonly Step[]
    readonly outputs: readonly Output[]
  }
}
