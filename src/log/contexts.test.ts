import { describe, expect, it } from 'vitest'
import { popularityPolicy } from '../policy/popularity.js'
import { softmaxPolicy } from '../policy/ruled-policy.js'
import { tablePolicy } from '../policy/probabilities.js'
import { randomStream } from '../random/stream.js'
import { alignLog } from './align.js'
import { contextColumn, featuresOf, policyOverContexts, userOfContext } from './contexts.js'
import { type Log, takeRows } from './log.js'
import { splitByRow } from './split.js'

const plain: Log = {
  rows: 5,
  user: Uint32Array.of(0, 0, 1, 2, 2),
  item: Uint32Array.of(0, 1, 0, 1, 1),
  userIds: ['ann', 'bob', 'eve'],
  itemIds: ['x', 'y'],
  catalogueKnown: true,
  reward: Float64Array.of(1, 2, 3, 4, 5),
  propensity: new Float64Array(5).fill(0.5),
  propensitySource: 'logged',
}
const log: Log = {
  ...plain,
  contexts: {
    index: Uint32Array.of(0, 3, 2, 1, 1),
    user: Uint32Array.of(0, 2, 1, 0),
    names: ['hour', 'age'],
    features: Float32Array.of(8, 30, 12, 40, 18, 50, 23, 30),
  },
}
/** What each row is about, in words that no index changes. */
const rowsOf = (of: Log): string[] =>
  Array.from({ length: of.rows }, (_, row) => {
    const context = contextColumn(of).index[row]!
    const user = of.userIds[userOfContext(of, context)]
    return `${user} ${of.reward[row]} ${featuresOf(of.contexts!, context).join(' ')}`
  })
const whole = ['ann 1 8 30', 'ann 2 23 30', 'bob 3 18 50', 'eve 4 12 40', 'eve 5 12 40']

describe('contexts', () => {
  it('are the users of a log that has no others', () => {
    expect(contextColumn(plain)).toEqual({ index: plain.user, count: 3 })
    expect(userOfContext(plain, 2)).toBe(2)
    expect(contextColumn(log).count).toBe(4)
    expect(rowsOf(log)).toEqual(whole)
  })

  it('go with their rows when some are taken, or dealt into parts', () => {
    expect(rowsOf(takeRows(log, Uint32Array.of(4, 0, 1)))).toEqual([whole[4], whole[0], whole[1]])
    expect(takeRows(plain, Uint32Array.of(0))).not.toHaveProperty('contexts')
    const { train, validation, test } = splitByRow(log, { validation: 0.3, test: 0.3 })
    expect([train, validation, test].flatMap(rowsOf).toSorted()).toEqual(whole)
  })

  it('follow their users into another log, and leave with those it does not know', () => {
    const { log: aligned } = alignLog(log, { ...plain, userIds: ['zoe', 'eve', 'ann'] })
    expect(rowsOf(aligned)).toEqual(whole.filter((row) => !row.startsWith('bob')))
    expect(Array.from(aligned.contexts!.user)).toEqual([2, 1, 2])
    expect(aligned.contexts!.features).toHaveLength(6)
    expect(alignLog(log, log)).toEqual({ log, leftOut: 0 })
  })
})

describe('a policy over users in a log with contexts', () => {
  const byUser = tablePolicy('table', [
    [0.1, 0.9],
    [0.2, 0.8],
    [0.3, 0.7],
  ])

  it('does in each context as for its user', () => {
    const lifted = policyOverContexts(byUser, log)
    expect([0, 1, 2, 3].map((context) => lifted.probabilities(context)[0])).toEqual([0.1, 0.3, 0.2, 0.1])
    const drawn = lifted.sample(1, randomStream(1, 'lifted'), 20)
    expect(drawn).toEqual(byUser.sample(2, randomStream(1, 'lifted'), 20))
    expect(lifted).not.toHaveProperty('groupOf')
    expect(policyOverContexts(popularityPolicy([1, 2], { kind: 'best' }), log).groupOf!(3)).toBe(0)
    const warmer = policyOverContexts(
      softmaxPolicy('tastes', (user) => [user, 1], 1, { items: 2 }),
      log,
    )
    expect(warmer.ruled!.by({ kind: 'softmax', temperature: 2 }).probabilities(3)).toEqual(
      softmaxPolicy('tastes', [log.contexts!.user[3]!, 1], 2).probabilities(0),
    )
  })

  it('is itself where there are no contexts', () => {
    expect(policyOverContexts(byUser, plain)).toBe(byUser)
  })
})
