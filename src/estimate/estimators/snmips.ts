import type { Estimator } from '../estimator.js'
import { row } from '../../sql/expression.js'
import { judgedBy, term, weight } from '../term.js'
import { categoryReward } from './category-terms.js'

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
}
