import { describe, expect, it } from 'vitest'
import { type Graph, isLinked } from '../graph/graph.js'
import type { Log } from '../log/log.js'
import { fixedPolicy } from '../policy/probabilities.js'
import { worldOf } from '../world/world.js'
import { unseenRows } from './unseen.js'

const USERS = 40
const ITEMS = 12

function logFrom(rows: readonly (readonly [user: number, item: number, propensity?: number])[]): Log {
  return {
    rows: rows.length,
    user: Uint32Array.from(rows, ([user]) => user),
    item: Uint32Array.from(rows, ([, item]) => item),
    userIds: ['a', 'b'],
    itemIds: ['0', '1', '2', '3'],
    catalogueKnown: true,
    reward: new Float64Array(rows.length),
    ...(rows[0]?.[2] !== undefined && { propensity: Float64Array.from(rows, (row) => row[2]!) }),
    propensitySource: 'logged',
  }
}

describe('unseenRows', () => {
  it('keeps the pairs that training did not show, with the propensity among those', () => {
    const training = logFrom([
      [0, 1, 0.4],
      [0, 1, 0.4],
      [0, 2, 0.1],
      [1, 0, 0.25],
    ])
    const heldOut = logFrom([
      [0, 0, 0.3],
      [0, 1, 0.4],
      [0, 3, 0.2],
      [1, 3, 0.5],
      [1, 0, 0.25],
    ])
    const { log, shown } = unseenRows(training, heldOut)
    expect(Array.from(log.user)).toEqual([0, 0, 1])
    expect(Array.from(log.item)).toEqual([0, 3, 3])
    // User a was shown items 1 and 2, each counted once: half of all is left. User b: three quarters.
    ;[0.3 / 0.5, 0.2 / 0.5, 0.5 / 0.75].forEach((b, row) => expect(log.propensity![row]).toBeCloseTo(b, 12))
    expect(shown.edges).toBe(3)
    expect(isLinked(shown.byUser, 0, 1)).toBe(true)
  })

  it('leaves everything where training showed nothing', () => {
    const heldOut = logFrom([[0, 0, 0.3]])
    expect(unseenRows({ ...logFrom([]), propensity: new Float64Array(0) }, heldOut).log).toEqual(heldOut)
  })

  it('keeps the rows of a log without propensities, and invents none', () => {
    const { log } = unseenRows(
      logFrom([[0, 1]]),
      logFrom([
        [0, 1],
        [0, 0],
      ]),
    )
    expect(Array.from(log.item)).toEqual([0])
    expect(log.propensity).toBeUndefined()
  })

  it('refuses a training log without propensities beside a held-out log with them', () => {
    expect(() => unseenRows(logFrom([[0, 1]]), logFrom([[0, 0, 0.5]]))).toThrow(
      expect.objectContaining({ code: 'missing-propensity' }),
    )
  })

  it('gives the last item that is left a propensity of 1, rounding or not', () => {
    const thirds = logFrom([
      [0, 0, 0.1],
      [0, 1, 0.2],
      [0, 2, 0.6],
    ])
    expect(unseenRows(thirds, logFrom([[0, 3, 0.1]])).log.propensity![0]).toBeLessThanOrEqual(1)
    expect(unseenRows(thirds, logFrom([[0, 3, 0.1]])).log.propensity![0]).toBeCloseTo(1, 12)
  })

  it('refuses propensities that sum to more than 1, and names the user', () => {
    const training = logFrom([
      [1, 0, 0.6],
      [1, 1, 0.5],
    ])
    expect(() => unseenRows(training, logFrom([[1, 3, 0.1]]))).toThrow(
      'The propensities of the items shown to user "b" add up to more than 1.',
    )
    // What is left is less than the item alone would need.
    expect(() => unseenRows(logFrom([[1, 0, 0.6]]), logFrom([[1, 3, 0.5]]))).toThrow('more than 1')
  })
})

describe('the value of a policy that remembers its training', () => {
  // Clicks are certain or impossible, so that an item clicked in training is clicked again whenever it is shown.
  const likes = (user: number, item: number): boolean => (user * 7 + item * 5 + user * item) % 3 === 0
  const world = worldOf({
    name: 'certain',
    seed: 5,
    exposures: 12,
    userIds: Array.from({ length: USERS }, (_, user) => String(user)),
    itemIds: Array.from({ length: ITEMS }, (_, item) => String(item)),
    logging: fixedPolicy(
      'logging',
      Array.from({ length: ITEMS }, (_, item) => 1 / (1 + item)),
    ),
    clickRate: (user, item) => (likes(user, item) ? 1 : 0),
  })

  /** A policy that shows what was clicked in training twenty times as often, and later items more often than earlier ones. */
  function memorised({ user, item, reward }: Log): (user: number, among?: Graph) => Float64Array {
    const clicked = new Set(
      Array.from(user.keys(), (row) => (reward[row]! > 0 ? user[row]! * ITEMS + item[row]! : -1)),
    )
    return (of, shown) => {
      const powers = Float64Array.from({ length: ITEMS }, (_, a) =>
        shown && isLinked(shown.byUser, of, a) ? 0 : (clicked.has(of * ITEMS + a) ? 20 : 1) * (3 + a),
      )
      const total = powers.reduce((sum, power) => sum + power)
      return powers.map((power) => power / total)
    }
  }
  const valueFor = (user: number, probabilities: Float64Array): number =>
    probabilities.reduce((sum, probability, item) => sum + (likes(user, item) ? probability : 0), 0)

  /** What SNIPS says on some rows, what is true for their users, and the mean weight. */
  function judged(log: Log, policy: (user: number) => Float64Array) {
    let [weights, earned, truth] = [0, 0, 0]
    for (let row = 0; row < log.rows; row++) {
      const probabilities = policy(log.user[row]!)
      const weight = probabilities[log.item[row]!]! / log.propensity![row]!
      weights += weight
      earned += weight * log.reward[row]!
      truth += valueFor(log.user[row]!, probabilities)
    }
    return { snips: earned / weights, truth: truth / log.rows, meanWeight: weights / log.rows }
  }

  const LOGS = 300
  const logs = Array.from({ length: LOGS }, (_, k) => {
    const [training, heldOut] = [world.draw({ replicate: 2 * k }), world.draw({ replicate: 2 * k + 1 })]
    const policy = memorised(training)
    const { log, shown } = unseenRows(training, heldOut)
    return { all: judged(heldOut, policy), unseen: judged(log, (user) => policy(user, shown)) }
  })
  const meanOf = (values: readonly number[]): { mean: number; error: number } => {
    const mean = values.reduce((a, b) => a + b) / values.length
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)
    return { mean, error: Math.sqrt(variance / values.length) }
  }

  it('is told without bias on unseen rows, for the policy restricted to unseen items', () => {
    const { mean, error } = meanOf(logs.map(({ unseen }) => unseen.snips - unseen.truth))
    expect(error).toBeLessThan(0.005)
    expect(Math.abs(mean)).toBeLessThan(4 * error)
    const weight = meanOf(logs.map(({ unseen }) => unseen.meanWeight))
    expect(weight.error).toBeLessThan(0.01)
    expect(Math.abs(weight.mean - 1)).toBeLessThan(4 * weight.error)
  })

  it('is flattered on all rows, where what was clicked once is clicked again', () => {
    const [all, unseen] = [
      meanOf(logs.map((one) => one.all.snips)),
      meanOf(logs.map((one) => one.unseen.truth)),
    ]
    expect(all.mean - unseen.mean).toBeGreaterThan(0.3)
  })
})
