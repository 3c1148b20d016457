import type { Estimator } from '../estimator.js'
import { one, weightedReward } from '../term.js'

/** Inverse propensity scoring: V = S[wr]/n. Unbiased where every item the target shows could have been shown. */
export const ips: Estimator = { name: 'ips', ratios: [{ numerator: weightedReward, denominator: one }] }
