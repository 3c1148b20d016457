import { badOption } from '../error.js'
import type { Log } from '../log/log.js'
import type { Policy } from '../policy/policy.js'

export interface DrawOptions {
  /** Which of the world's independent logs to draw: 0 (default), 1, 2, … */
  replicate?: number
  /** The policy that chooses what is shown; by default the world's own logging policy. Uniform gives an unbiased log. */
  policy?: Policy
}

/** A simulator with known truth: it draws logs, and knows the value of any policy. */
export interface World {
  readonly name: string
  readonly seed: number
  readonly userIds: readonly string[]
  readonly itemIds: readonly string[]
  /** The policy behind its logs. */
  readonly logging: Policy
  /** The true probability that a user clicks on an item they are shown. */
  clickRate(user: number, item: number): number
  /**
   * A log: the same for the same seed, replicate and policy, and independent of any other replicate and
   * of logs under a policy of another name, so that you can train on one and test on another.
   */
  draw(options?: DrawOptions): Log
  /** True value of a policy: expected clicks per impression, all users equally likely. */
  value(policy: Policy): number
}

/** Throws for anything but a whole number of at least 1. */
export function requireCount(name: string, value: number): void {
  if (!Number.isInteger(value) || value < 1)
    throw badOption(`${value} ${name} are not possible.`, `Use a whole number of ${name}, at least 1.`)
}
