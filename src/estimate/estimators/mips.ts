import { row } from '../../sql/expression.js'
import type { Estimator } from '../estimator.js'
import { judgedBy, one, term } from '../term.js'
import { categoryReward } from './category-terms.js'

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
}
