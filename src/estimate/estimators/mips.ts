import { row } from '../../sql/expression.js'
import type { Estimator } from '../estimator.js'
import { weighingRewards } from './weighing.js'

/** Marginalised IPS: weights of the item's category, w(u, c) = π(c|u)/b(c|u), in place of the item's (Saito & Joachims 2022). */
export const mips: Estimator<'mips'> = {
  name: 'mips',
  label: 'MIPS',
  family: 'weighted',
  meaning:
    'Marginalised IPS: weights of item categories instead of items. Less variance; unbiased if categories explain the reward.',
  docs: 'estimators/mips.md',
  rows: 'categories',
  ...weighingRewards(row.m),
}
