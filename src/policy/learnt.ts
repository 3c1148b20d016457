import type { LearntFromLog, Policy } from './policy.js'
import { adaptRuled } from './ruled-policy.js'

/** The policy, by every rule, with what it has learnt from the log it is for. */
export const withLearnt = (policy: Policy, learnt: LearntFromLog): Policy => ({
  ...policy,
  learnt,
  ...adaptRuled(policy, (other) => withLearnt(other, learnt)),
})
