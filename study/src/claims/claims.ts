import { longTails, rareItems } from './data.js'
import { moderateBias, snipsVariance } from './estimators.js'
import type { Measured } from './measured.js'
import { regularisedEarly, regularisedLate, regularisedValue, steadierEvaluation } from './regulariser.js'
import { weightedUnderSnips, weightedUnderUniform } from './weights.js'
import type { Claim } from '../results.js'

/** The claims of the paper, each put to the test on what was measured; those that nothing was measured for are left out. */
export const claimsOf = (measured: Measured): Claim[] =>
  [
    snipsVariance(measured),
    moderateBias(measured),
    weightedUnderSnips(measured),
    weightedUnderUniform(measured),
    regularisedEarly(measured),
    regularisedLate(measured),
    regularisedValue(measured),
    steadierEvaluation(measured),
    rareItems(measured),
    longTails(measured),
  ].filter((claim) => claim.effects.length > 0)
