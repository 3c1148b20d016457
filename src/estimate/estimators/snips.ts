import { row } from '../../sql/expression.js'
import type { Estimator } from '../estimator.js'
import { judgedBy, weight, weightedReward } from '../term.js'

/** Self-normalised IPS: V = S[wr]/S[w] (Swaminathan & Joachims 2015). */
export const snips: Estimator<'snips'> = {
  name: 'snips',
  label: 'SNIPS',
  family: 'self-normalised',
  meaning: 'Self-normalised IPS: IPS divided by the mean weight. Less variance.',
  docs: 'estimators/snips.md',
  rows: 'plain',
  ratios: [{ numerator: weightedReward, denominator: weight }],
  judged: judgedBy(row.w, row.r),
}
