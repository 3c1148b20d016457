import { describe, expect, it } from 'vitest'
import { unseenRows } from '../estimate/unseen.js'
import { logByContext } from '../log/by-context.js'
import { type Log, takeRows } from '../log/log.js'
import { isLinked } from '../graph/graph.js'
import { fewUsersLog, withClock } from './example-plane.js'
import { exampleSplit, logOf } from './example-split.js'
import { judgedRows } from './judged-rows.js'
import { judgedPolicyValue, logSum, policyValue } from './policy-value.js'

const score = (user: number, item: number): number => Math.sin(3 * user + item * item)
const tableOf =
  (items: number) =>
  async (users: Uint32Array): Promise<Float64Array> =>
    Float64Array.from({ length: users.length * items }, (_, k) =>
      score(users[Math.floor(k / items)]!, k % items),
    )

describe('policyValue', () => {
  it.each([0.1, 1, 10])('is SNIPS of softmax(scores / %d) over items not shown in training', async (T) => {
    const { train, validation } = exampleSplit({ users: 300, exposures: 20 })
    const unseen = unseenRows(train, validation)
    const { log, shown } = unseen
    let [weights, squares, earned] = [0, 0, 0]
    for (let row = 0; row < log.rows; row++) {
      const user = log.user[row]!
      let total = 0
      for (let item = 0; item < 40; item++)
        if (!isLinked(shown.byUser, user, item)) total += Math.exp(score(user, item) / T)
      const weight = Math.exp(score(user, log.item[row]!) / T) / total / log.propensity![row]!
      weights += weight
      squares += weight * weight
      earned += weight * log.reward[row]!
    }
    const { value, interval, ess, essRatio } = await policyValue(unseen, tableOf(40), T)
    expect(value).toBeCloseTo(earned / weights, 10)
    expect(ess).toBeCloseTo(weights ** 2 / squares, 6)
    expect(essRatio).toBeCloseTo(weights ** 2 / squares / log.rows, 8)
    expect(interval![0]).toBeLessThan(value!)
    expect(interval![1]).toBeGreaterThan(value!)
  })

  it('is not known without rows', async () => {
    const empty = logOf([], { users: 1, items: 40, propensity: new Float64Array(0) })
    const { value, interval, ess } = await policyValue(unseenRows(empty, empty), tableOf(40), 1)
    expect([value, interval, ess]).toEqual([null, null, null])
  })
})

describe('judgedPolicyValue', () => {
  const { train, validation } = exampleSplit({ users: 300, exposures: 60 })
  const held = judgedRows(train, validation)

  it('is SNIPS on all held-out rows, and at least the lower of the lower ends of SNIPS and IPS', async () => {
    const { value, interval, atLeast, doubt } = await judgedPolicyValue(held, tableOf(40), 10)
    const plain = await policyValue(held, tableOf(40), 10)
    expect(held.log.rows).toBe(validation.rows)
    expect(value).toBeCloseTo(plain.value!, 12)
    expect(interval![0]).toBeCloseTo(plain.interval![0], 2)
    expect(atLeast).toBeLessThanOrEqual(interval![0])
    expect(atLeast).toBeGreaterThan(0.5 * value!)
    expect(doubt).toBeUndefined()
  })

  it('is in doubt where the verdict refuses: a policy that hardly any row speaks for', async () => {
    const { doubt, ess } = await judgedPolicyValue(held, tableOf(40), 0.001)
    expect(ess).toBeLessThan(100)
    expect(doubt).toMatch(/\.$/)
  })
})

describe('judgedPolicyValue of rows by context', () => {
  it('goes by the users of the log, so that repeating their rows does not move the bound', async () => {
    const log = fewUsersLog(1, 40, 50)
    const twice = takeRows(
      log,
      Uint32Array.from({ length: 2 * log.rows }, (_, row) => row % log.rows),
    )
    const atLeast = async (logged: Log): Promise<number> => {
      const held = judgedRows(logByContext(takeRows(logged, new Uint32Array(0))), logByContext(logged))
      const { features, names } = logged.contexts!
      const scores = async (contexts: Uint32Array): Promise<Float64Array> =>
        Float64Array.from({ length: 3 * contexts.length }, (_, k) => {
          const x = features[names.length * contexts[Math.floor(k / 3)]!]!
          return [3 * x, -3 * x, 0][k % 3]!
        })
      return (await judgedPolicyValue(held, scores, 1, logged)).atLeast!
    }
    expect(await atLeast(log)).toBeGreaterThan(0)
    expect(await atLeast(withClock(twice))).toBeCloseTo(await atLeast(log), 10)
  })
})

describe('logSum', () => {
  it('is log Σ exp(logit / T) beyond the range of an exponential, and leaves −∞ out', () => {
    expect(logSum(Float64Array.of(1, 2, 3), 2)).toBeCloseTo(
      Math.log(Math.exp(0.5) + Math.exp(1) + Math.exp(1.5)),
      13,
    )
    expect(logSum(Float64Array.of(5000, 5000), 1)).toBeCloseTo(5000 + Math.log(2), 9)
    expect(logSum(Float64Array.of(-Infinity, 7), 1)).toBe(7)
  })
})
