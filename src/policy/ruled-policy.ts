import type { Policy } from './policy.js'
import { probabilitiesByRule, ruledName, type ScoreRule } from './score-rule.js'
import { scoredPolicy, type ScoreOptions, type Scores } from './scores.js'
import { temperedPolicy } from './temperature.js'

/** The policy that scores become by a rule. Its name has the rule in it, unless it is softmax at temperature 1. */
export function ruledPolicy(
  name: string,
  scores: Scores,
  rule: ScoreRule,
  options: ScoreOptions = {},
): Policy {
  const by = (one: ScoreRule): Policy =>
    scoredPolicy(ruledName(name, one), scores, options, (row, whose) => probabilitiesByRule(one, row, whose))
  const tempered = (at: number): Policy =>
    temperedPolicy((temperature) => by({ kind: 'softmax', temperature }), at)
  return rule.kind === 'softmax' ? tempered(rule.temperature) : { ...by(rule), softmaxAt: tempered }
}
