import { probabilitiesByRule } from '../../policy/ruled-policy.js'
import { isSorted, type ScoreRule } from '../../policy/score-rule.js'
import { standingOf } from '../../policy/sorted-pages.js'
import { type PolicyFile, whoseRow } from './policy-file.js'
import { refuseProbabilities } from './probabilities-as-scores.js'

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
