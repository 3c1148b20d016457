import { type Adjacency, neighboursOf } from '../graph/graph.js'
import type { Policy } from '../policy/policy.js'
import { ruledPolicy } from '../policy/ruled-policy.js'
import type { ScoreRule } from '../policy/score-rule.js'
import type { Model } from './model.js'

export interface ModelPolicyOptions {
  /** What comes before the rule in its name (default: the kind of the model). */
  name?: string
  /** Items that are never shown to the users it links them to, such as those already clicked. */
  exclude?: Adjacency
}

/** The policy that shows items by a model's scores, as a rule says. */
export function modelPolicy(model: Model, rule: ScoreRule, options: ModelPolicyOptions = {}): Policy {
  const { name = model.kind, exclude } = options
  const scores = (user: number): Float32Array => {
    const row = model.scores(user)
    if (exclude) for (const item of neighboursOf(exclude, user)) row[item] = -Infinity
    return row
  }
  return ruledPolicy(name, scores, rule, { items: model.items })
}
