import { plus, row } from '../../sql/expression.js'
import type { Estimator } from '../estimator.js'
import { error, judgedBy, one, term } from '../term.js'
import { categoryError } from './category-terms.js'
import { dr } from './dr.js'

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
