import { type Expression, minus, plus, row, times } from '../../sql/expression.js'
import type { Estimator } from '../estimator.js'
import { error, judgedBy, one, term, weight } from '../term.js'
import { dr, ips, snips } from './importance.js'

const { r, w, m, g, h } = row

/**
 * m·x with what it costs to have estimated m: (w − m)·x̄ with x̄ the mean of x over the rows behind m. That adds up to 0
 * over those rows, so no value changes; but m is made of all of them, and only with it are the rows' own shares of the
 * sum independent. Without it, an interval over rows or days would be far too narrow.
 */
const marginalised = (value: Expression, mean: Expression): Expression =>
  plus(times(m, value), times(minus(w, m), mean))

/** m·r: the reward, weighted by the category. */
const categoryReward: Expression = marginalised(r, g)

/** m·(r − q): the error of the model, weighted by the category. */
const categoryError: Expression = marginalised(error, minus(g, h))

/** Marginalised IPS: weights of the item's category, w(x, c) = π(c|x)/b(c|x), in place of the item's (Saito & Joachims 2022). */
export const mips: Estimator<'mips'> = {
  name: 'mips',
  label: 'MIPS',
  family: 'weighted',
  meaning:
    'Marginalised IPS: weights of item categories instead of items. Less variance; unbiased if categories explain the reward.',
  docs: 'estimators/mips.md',
  rows: 'categories',
  ratios: [{ numerator: term(categoryReward), denominator: one }],
  judged: judgedBy(row.m, row.r),
  unbiased: ips,
}

/** Self-normalised MIPS: V = S[m r]/S[m]. The weights of categories add up to those of items, S[m] = S[w]. */
export const snmips: Estimator<'snmips'> = {
  name: 'snmips',
  label: 'SNMIPS',
  family: 'self-normalised',
  meaning: 'Self-normalised MIPS: MIPS divided by the mean weight. Less variance.',
  docs: 'estimators/snmips.md',
  rows: 'categories',
  ratios: [{ numerator: term(categoryReward), denominator: weight }],
  judged: judgedBy(row.m, row.r),
  unbiased: snips,
}

/** Conjunct effect model: V = mean of v + m·(r − q) (Saito, Ren & Joachims 2023). */
export const offcem: Estimator<'offcem'> = {
  name: 'offcem',
  label: 'OffCEM',
  family: 'doubly-robust',
  meaning:
    'Conjunct effect model: DM with its errors corrected by MIPS. Unbiased if the model has the differences between items of a category right.',
  docs: 'estimators/offcem.md',
  rows: 'categories',
  ratios: [{ numerator: term(plus(row.v, categoryError)), denominator: one }],
  judged: judgedBy(row.m, error),
  unbiased: dr,
}
