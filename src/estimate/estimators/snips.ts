import type { Estimator } from '../estimator.js'
import { weight, weightedReward } from '../term.js'

/** Self-normalised IPS: V = S[wr]/S[w] (Swaminathan & Joachims 2015). */
export const snips: Estimator = {
  name: 'snips',
  ratios: [{ numerator: weightedReward, denominator: weight }],
}
