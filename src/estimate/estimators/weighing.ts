import { type Expression, plus, row, times } from '../../sql/expression.js'
import type { Estimator } from '../estimator.js'
import { error, judgedBy, one, term } from '../term.js'

/** IPS with some weight: the mean of weight·r. */
export const weighingRewards = (weight: Expression): Pick<Estimator, 'ratios' | 'judged'> => ({
  ratios: [{ numerator: term(times(weight, row.r)), denominator: one }],
  judged: judgedBy(weight, row.r),
})

/** DR with some weight: the mean of v + weight·(r − q). */
export const weighingErrors = (weight: Expression): Pick<Estimator, 'ratios' | 'judged'> => ({
  ratios: [{ numerator: term(plus(row.v, times(weight, error))), denominator: one }],
  judged: judgedBy(weight, error),
})
