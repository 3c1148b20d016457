import { badOption } from '../error.js'
import type { Log } from '../log/log.js'
import { counted, formatCount } from '../number-text.js'
import type { Policy } from '../policy/policy.js'
import { randomStream } from '../random/stream.js'

export interface DrawOptions {
  /** Which of the world's independent logs to draw: 0 (default), 1, 2, … */
  replicate?: number
  /** The policy that chooses what is shown; by default the world's own logging policy. Uniform gives an unbiased log. */
  policy?: Policy
}

/** What defines a world: its ids, its logging policy and its click probabilities. */
export interface Truth {
  readonly name: string
  readonly seed: number
  readonly userIds: readonly string[]
  readonly itemIds: readonly string[]
  /** The policy behind its logs. */
  readonly logging: Policy
  /** Independent exposures per user in a log. */
  readonly exposures: number
  /** The true probability that a user clicks on an item they are shown. */
  clickRate(user: number, item: number): number
}

/** A simulator with known truth: it draws logs, and knows the value of any policy. */
export interface World extends Omit<Truth, 'exposures'> {
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

/** The world defined by a truth: every user is shown `exposures` items drawn with replacement, and clicks at random. */
export function worldOf(truth: Truth): World {
  const { name, seed, userIds, itemIds, logging, clickRate } = truth
  return {
    name,
    seed,
    userIds,
    itemIds,
    logging,
    clickRate,
    draw: (options = {}) => draw(truth, options),
    value: (policy) => value(truth, policy),
  }
}

function draw(truth: Truth, { replicate = 0, policy = truth.logging }: DrawOptions): Log {
  refuseOther(truth, policy)
  if (!Number.isSafeInteger(replicate) || replicate < 0)
    throw badOption(`There is no replicate ${replicate}.`, 'Replicates are numbered 0, 1, 2, …')
  const { seed, userIds, itemIds, exposures } = truth
  const rows = userIds.length * exposures
  const user = new Uint32Array(rows)
  const item = new Uint32Array(rows)
  const reward = new Float64Array(rows)
  const propensity = new Float64Array(rows)
  for (let u = 0; u < userIds.length; u++) {
    const start = u * exposures
    // Each user has their own random numbers, so that users can be drawn in any order.
    const shown = policy.sample(u, randomStream(seed, `exposures by ${policy.name}`, u, replicate), exposures)
    const clicks = randomStream(seed, `clicks on ${policy.name}`, u, replicate)
    user.fill(u, start, start + exposures)
    item.set(shown.items, start)
    propensity.set(shown.propensities, start)
    for (let k = 0; k < exposures; k++)
      reward[start + k] = clicks.uniform() < truth.clickRate(u, shown.items[k]!) ? 1 : 0
  }
  return {
    rows,
    user,
    item,
    userIds,
    itemIds,
    catalogueKnown: true,
    reward,
    propensity,
    propensitySource: 'logged',
  }
}

/** V(π) = mean over users of Σ_a π(a|u) · P(click | u, a). */
function value(truth: Truth, policy: Policy): number {
  refuseOther(truth, policy)
  const { userIds, itemIds } = truth
  let total = 0
  for (let u = 0; u < userIds.length; u++) {
    const probabilities = policy.probabilities(u)
    let expected = 0
    for (let a = 0; a < itemIds.length; a++)
      if (probabilities[a]! > 0) expected += probabilities[a]! * truth.clickRate(u, a)
    total += expected
  }
  return total / userIds.length
}

function refuseOther(truth: Truth, policy: Policy): void {
  if (policy.items !== truth.itemIds.length)
    throw badOption(
      `Policy ${policy.name} is for ${counted(policy.items, 'item')}, but world ${truth.name} has ${formatCount(truth.itemIds.length)}.`,
      'Create the policy for the items of this world.',
    )
}
