import {
  byRankPolicy,
  distributionOf,
  HindcastError,
  type Log,
  type Policy,
  policyOf,
  type World,
} from 'hindcast'
import { type Graph, isLinked, type Model, neighboursOf, unseenRows } from 'hindcast/train'

/** Which of a world's independent logs is for what. */
export const REPLICATE = {
  training: 0,
  test: 1,
  validation: 2,
  misspecification: 3,
  firstOfMany: 1000,
} as const

/** A held-out log that can be opened once: whoever has looked at it can no longer train. */
export function sealed(draw: () => Log): () => Log {
  let isOpen = false
  return () => {
    if (isOpen)
      throw new HindcastError('bad-option', 'The test log of this run was read before.', {
        remedy: 'Train everything first, then open it once and value all that was trained.',
      })
    isOpen = true
    return draw()
  }
}

/** Where a learned policy can be valued fairly: what its training did not show. */
export interface Unseen {
  /** Rows of a held-out log on pairs not shown in training, with propensities given that. */
  readonly log: Log
  readonly shown: Graph
  /** Probability that the logging policy shows each user something new: how much the user counts. */
  readonly left: Float64Array
}

/** The part of a held-out log that training did not show. */
export function unseenOf(world: World, training: Log, heldOut: Log): Unseen {
  const { log, shown } = unseenRows(training, heldOut)
  const left = Float64Array.from(world.userIds, (_, user) => {
    const probabilities = world.logging.probabilities(user)
    let rest = 1
    for (const item of neighboursOf(shown.byUser, user)) rest -= probabilities[item]!
    return rest
  })
  return { log, shown, left }
}

/** π ∝ 1/rank of a model's scores over the items not shown to the user in training; kept for all users. */
export function learnedPolicy(name: string, model: Model, shown: Graph): Policy {
  const policy = byRankPolicy(name, unseenScores(model, shown), { items: model.items })
  return remembered(policy, model.users)
}

/** A model's scores, −Infinity for the items shown to the user in training. */
export const unseenScores =
  (model: Model, shown: Graph) =>
  (user: number): Float32Array => {
    const scores = model.scores(user)
    const { offsets, neighbours } = shown.byUser
    for (let edge = offsets[user]!; edge < offsets[user + 1]!; edge++) scores[neighbours[edge]!] = -Infinity
    return scores
  }

/** The same policy with the probabilities of all users made once. */
export function remembered(policy: Policy, users: number): Policy {
  const rows = Array.from({ length: users }, (_, user) => distributionOf(policy.probabilities(user).slice()))
  return policyOf(policy.name, policy.items, (user) => rows[user]!)
}

/** Uniform over the items not shown in training: what knowing nothing is worth. */
export const chancePolicy = (shown: Graph): Policy =>
  policyOf('chance', shown.items, (user) => {
    const seen = neighboursOf(shown.byUser, user)
    const probabilities = new Float64Array(shown.items).fill(1 / (shown.items - seen.length))
    for (const item of seen) probabilities[item] = 0
    return distributionOf(probabilities)
  })

/** True value of a policy over unseen items, users counted by how much of their exposure is new. */
export function trueValue(world: World, policy: Policy, left: Float64Array): number {
  let total = 0
  let mass = 0
  for (let user = 0; user < left.length; user++) {
    const probabilities = policy.probabilities(user)
    let expected = 0
    for (let item = 0; item < probabilities.length; item++)
      if (probabilities[item]! > 0) expected += probabilities[item]! * world.clickRate(user, item)
    total += left[user]! * expected
    mass += left[user]!
  }
  return total / mass
}

/** Refuses to value a learned policy on anything its training has shown. */
export function requireUnseen(policy: Policy, { log, shown }: Pick<Unseen, 'log' | 'shown'>): void {
  let seen = 0
  for (let row = 0; row < log.rows; row++) if (isLinked(shown.byUser, log.user[row]!, log.item[row]!)) seen++
  for (let user = 0; user < shown.users; user++) {
    const probabilities = policy.probabilities(user)
    for (const item of neighboursOf(shown.byUser, user)) if (probabilities[item]! > 0) seen++
  }
  if (seen > 0)
    throw new HindcastError(
      'bad-option',
      `${policy.name} would be valued on ${seen} pairs that its training was shown.`,
      { remedy: 'Value learned policies on unseen rows, over unseen items.' },
    )
}
