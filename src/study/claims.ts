import { longTails, rareItems } from './claims/data.js'
import { moderateBias, snipsVariance } from './claims/estimators.js'
import type { Measured } from './claims/measured.js'
import {
  regularisedEarly,
  regularisedLate,
  regularisedValue,
  steadierEvaluation,
} from './claims/regulariser.js'
import { weightedUnderSnips, weightedUnderUniform } from './claims/weights.js'
import type { Claim } from './results.js'

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
