import type { Expression as ExpressionOver } from '../expression.js'

/**
 * A column of pages as a target sees them, over the slots k = 1 … L of a page: `slots` L, `weights` Σ w_k, `rewards` Σ r_k,
 * `weighted` Σ w_k r_k, `whole` w_{1:L}, `upto_k` w_{1:k}, of a shorter page w_{1:L}; `earned` Σ w_{1:k} r_k, `earned_k` of slot k
 * alone, `earned_from_k` of that slot and all below; `corrected` Σ w_{1:k}(r_k − q_k) + w_{1:k−1} v_k.
 */
export type PageColumn =
  | 'slots'
  | 'weights'
  | 'rewards'
  | 'weighted'
  | 'whole'
  | `upto_${number}`
  | 'earned'
  | `earned_${number}`
  | `earned_from_${number}`
  | 'corrected'

/** A number made from the columns of a page. */
export type PageExpression = ExpressionOver<PageColumn>

/** A column of a page, as an expression. */
export const pageColumn = (column: PageColumn): PageExpression => ({ kind: 'column', column })
