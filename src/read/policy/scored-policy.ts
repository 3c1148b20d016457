import { probabilitiesByRule } from '../../policy/ruled-policy.js'
import { isSorted, type ScoreRule } from '../../policy/score-rule.js'
import { standingOf } from '../../policy/sorted-pages.js'
import { type PolicyFile, rowsOf, sumOf, whoseRow } from './policy-file.js'
import { advice, set } from '../../advice.js'
import { HindcastError } from '../../error.js'
import { sumsToOne } from './rounding.js'

/**
 * The policy that follows from a file of scores: probabilities over the items that have a score for a user, whether or not
 * a log has them. Rows are computed when asked for. A softmax of what seem to be probabilities is an error.
 */
export function scoredPolicyFile(scores: PolicyFile, rule: ScoreRule): PolicyFile {
  if (rule.kind === 'softmax') refuseProbabilities(scores)
  return {
    ...scores,
    values: (row) => probabilitiesByRule(rule, Float64Array.from(scores.values(row)), whoseRow(scores, row)),
    ruled: {
      rule,
      by: (other) => scoredPolicyFile(scores, other),
      ...(isSorted(rule) && { standing: (row: number) => standingOf(Float64Array.from(scores.values(row))) }),
    },
  }
}

/**
 * Refuses a file of scores in which every row lies in [0, 1] and sums to 1: these are probabilities, and their softmax is
 * another policy, close to uniform. The first row of other scores ends the search.
 */
function refuseProbabilities(file: PolicyFile): void {
  let isAnyUneven = false
  for (let row = 0; row < rowsOf(file); row++) {
    const values = file.values(row)
    if (!values.every((value) => value >= 0 && value <= 1) || !sumsToOne(sumOf(values), values)) return
    isAnyUneven ||= values.some((value) => value !== values[0])
  }
  // The softmax of equal probabilities is the same policy.
  if (isAnyUneven) throw notScores(file.name, file.userIds !== undefined)
}

/** The error about scores that are probabilities. */
export const notScores = (name: string, hasUsers: boolean): HindcastError =>
  new HindcastError(
    'bad-option',
    `${name} seems to hold probabilities, not scores: ${hasUsers ? 'the numbers of every user' : 'its numbers'} lie between 0 and 1 and sum to 1. Their softmax would be another policy.`,
    {
      remedy: advice`For the policy that shows items with these probabilities, use ${set('target', `table:${name}`)}. To change it by a temperature, write the logarithms of the probabilities as scores. Rules by order alone (best, top, epsilon, rank) take them as they are: ${set('target', `scores:${name}@best`)}.`,
    },
  )
