/** What a row has to offer an estimator. */
export interface RowValues {
  /** Reward r. */
  r: number
  /** Importance weight w = π(a|u)/b(a|u). */
  w: number
  /** Predicted reward q̂(u, a) of the item shown; NaN without a reward model. */
  q: number
  /** Predicted value v = Σ_a π(a|u) q̂(u, a) of the target; NaN without a reward model. */
  v: number
  /** Weight w(u, c) of the item's category; NaN without categories. */
  m: number
}

/**
 * A quantity of a row whose sums estimators are made of. Said twice, for typed arrays and for a database;
 * one conformance suite holds the two to each other. In SQL the columns are r, w, q, v and m.
 */
export interface Term {
  /** Tells terms apart: two of one name are the same term. */
  readonly name: string
  readonly of: (row: RowValues) => number
  readonly sql: string
}

export const one: Term = { name: 'n', of: () => 1, sql: '1.0' }
export const weight: Term = { name: 'w', of: ({ w }) => w, sql: 'w' }
export const weightSquared: Term = { name: 'w²', of: ({ w }) => w * w, sql: 'w * w' }
export const reward: Term = { name: 'r', of: ({ r }) => r, sql: 'r' }
export const weightedReward: Term = { name: 'wr', of: ({ w, r }) => w * r, sql: 'w * r' }
export const weightedRewardSquared: Term = {
  name: 'w²r²',
  of: ({ w, r }) => w * r * (w * r),
  sql: '(w * r) * (w * r)',
}
export const modelValue: Term = { name: 'v', of: ({ v }) => v, sql: 'v' }
export const weightedError: Term = { name: 'we', of: ({ w, r, q }) => w * (r - q), sql: 'w * (r - q)' }
export const correctedValue: Term = {
  name: 'v + we',
  of: ({ v, w, r, q }) => v + w * (r - q),
  sql: 'v + w * (r - q)',
}

/** A number in SQL, infinity too. Quoted, so that it is parsed as a double and not as a decimal first, which would lose its last bit. */
export const sqlNumber = (value: number): string =>
  `'${Number.isFinite(value) ? value : value > 0 ? 'inf' : '-inf'}'::DOUBLE`
