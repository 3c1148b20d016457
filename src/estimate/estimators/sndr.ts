import { row } from '../../sql/expression.js'
import type { Estimator } from '../estimator.js'
import { error, judgedBy, modelValue, one, weight, weightedError } from '../term.js'

/** Self-normalised doubly robust: V = mean of v + S[we]/S[w]. */
export const sndr: Estimator<'sndr'> = {
  name: 'sndr',
  label: 'SNDR',
  family: 'doubly-robust',
  meaning: 'Self-normalised DR: DM with its errors corrected by SNIPS.',
  docs: 'estimators/sndr.md',
  rows: 'model',
  ratios: [
    { numerator: modelValue, denominator: one },
    { numerator: weightedError, denominator: weight },
  ],
  judged: judgedBy(row.w, error),
}
