import { type Expression, minus, plus, row, times } from '../../sql/expression.js'
import { error } from '../term.js'

const { r, w, m, g, h } = row

/**
 * m·x with what it costs to have estimated m: (w − m)·x̄ with x̄ the mean of x over the rows behind m. That adds up to 0
 * over those rows, so no value changes; but m is made of all of them, and only with it are the rows' own shares of the
 * sum independent. Without it, an interval over rows or days would be far too narrow.
 */
const marginalised = (value: Expression, mean: Expression): Expression =>
  plus(times(m, value), times(minus(w, m), mean))

/** m·r: the reward, weighted by the category. */
export const categoryReward: Expression = marginalised(r, g)

/** m·(r − q): the error of the model, weighted by the category. */
export const categoryError: Expression = marginalised(error, minus(g, h))
