import type { LearntFromLog, Policy } from './policy.js'

/** The policy, at every temperature, with what it has learnt from the log it is for. */
export function withLearnt(policy: Policy, learnt: LearntFromLog): Policy {
  const { tempered, softmaxAt } = policy
  const at = (make: (temperature: number) => Policy) => (temperature: number) =>
    withLearnt(make(temperature), learnt)
  return {
    ...policy,
    learnt,
    ...(tempered && { tempered: { ...tempered, at: at(tempered.at) } }),
    ...(softmaxAt && { softmaxAt: at(softmaxAt) }),
  }
}
