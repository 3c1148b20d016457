import { type Adjacency, neighboursOf } from '../graph/graph.js'
import type { Policy } from '../policy/policy.js'
import { softmaxPolicy } from '../policy/softmax.js'
import type { Model } from './model.js'

export interface ModelPolicyOptions {
  /** Default: the kind of the model and the temperature. */
  name?: string
  /** Items that are never shown to the users it links them to, such as those already clicked. */
  exclude?: Adjacency
}

/** The policy that shows items by the softmax of a model's scores: π(a|u) ∝ exp(score(u, a) / temperature). */
export function modelPolicy(model: Model, temperature: number, options: ModelPolicyOptions = {}): Policy {
  const { name = `${model.kind}@${temperature}`, exclude } = options
  const scores = (user: number): Float32Array => {
    const row = model.scores(user)
    if (exclude) for (const item of neighboursOf(exclude, user)) row[item] = -Infinity
    return row
  }
  return softmaxPolicy(name, scores, temperature, { items: model.items })
}
