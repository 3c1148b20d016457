import type { Log } from '../log/log.js'
import type { Policy } from '../policy/policy.js'

export interface DrawOptions {
  /** Which of the world's independent logs to draw: 0 (default), 1, 2, … */
  replicate?: number
  /** Who chooses what is shown; default the world's own logging policy. Uniform gives an unbiased log. */
  policy?: Policy
}

/** A place whose truth is known: it draws logs, and knows what any policy is worth. */
export interface World {
  readonly name: string
  readonly seed: number
  readonly userIds: readonly string[]
  readonly itemIds: readonly string[]
  /** The policy that chooses what is shown in its logs. */
  readonly logging: Policy
  /** The true probability that a user clicks an item shown to them. */
  clickRate(user: number, item: number): number
  /**
   * A log: the same for the same seed, replicate and policy, and independent of any other replicate and
   * of logs under a policy of another name, so that one can be trained on and another tested on.
   */
  draw(options?: DrawOptions): Log
  /** True value of a policy: expected clicks an impression, users equally likely. */
  value(policy: Policy): number
}
