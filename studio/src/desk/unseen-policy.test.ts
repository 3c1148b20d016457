import { describe, expect, it } from 'vitest'
import { graphOf } from '$core/graph/graph.js'
import { fixedPolicy } from '$core/policy/probabilities.js'
import { ruledPolicy, withOrigin } from '$core/policy/ruled-policy.js'
import { softmaxAt } from '$core/policy/score-rule.js'
import { unseenPolicy } from './unseen-policy.js'

const policy = fixedPolicy('some', [4, 3, 8, 1])

describe('a policy among what a user was not shown', () => {
  it('keeps the ratios of the items that are left', () => {
    const shown = graphOf(2, 4, Uint32Array.of(0, 0), Uint32Array.of(0, 2))
    const left = unseenPolicy(policy, shown.byUser)
    expect(left.name).toBe('some')
    expect(Array.from(left.probabilities(0))).toEqual([0, 0.75, 0, 0.25])
    expect(Array.from(left.probabilities(1))).toEqual([0.25, 0.1875, 0.5, 0.0625])
  })

  it('is an error where nothing it would show is left', () => {
    const shown = graphOf(1, 2, Uint32Array.of(0), Uint32Array.of(0))
    const left = unseenPolicy(fixedPolicy('first', [1, 0]), shown.byUser)
    expect(() => left.probabilities(0)).toThrow('only items seen in training')
  })

  it('keeps what it shows beyond its items in proportion', () => {
    const beyond = { ...fixedPolicy('some', [4, 3, 8, 1]), outside: () => 0.5 }
    beyond.probabilities = (user) => policy.probabilities(user).map((p) => p / 2)
    const shown = graphOf(2, 4, Uint32Array.of(0, 0), Uint32Array.of(0, 2))
    const left = unseenPolicy(beyond, shown.byUser)
    // Of 4/32, 3/32, 8/32, 1/32 and 16/32, the first and third are gone: 20/32 are left.
    expect(Array.from(left.probabilities(0))).toEqual([0, 3 / 20, 0, 1 / 20])
    expect([left.outside!(0), left.outside!(1)]).toEqual([0.8, 0.5])
    expect(unseenPolicy(policy, shown.byUser).outside).toBeUndefined()
  })

  it('of which nothing but what it shows beyond its items is left, is that', () => {
    const beyond = { ...fixedPolicy('first', [1, 0]), outside: () => 0.25 }
    beyond.probabilities = () => Float64Array.of(0.75, 0)
    const left = unseenPolicy(beyond, graphOf(1, 2, Uint32Array.of(0), Uint32Array.of(0)).byUser)
    expect([Array.from(left.probabilities(0)), left.outside!(0)]).toEqual([[0, 0], 1])
  })

  it('knows by every rule where it comes from', () => {
    const origin = { made: 'this-log', share: 0.8 } as const
    const scored = withOrigin(ruledPolicy('some', [4, 1, 8, 1], softmaxAt(3)), origin)
    const shown = graphOf(1, 4, Uint32Array.of(0, 0), Uint32Array.of(0, 2))
    const left = unseenPolicy(scored, shown.byUser)
    expect([left.origin, left.ruled!.temperature]).toEqual([origin, 3])
    const cooler = left.ruled!.by(softmaxAt(1))
    expect([cooler.name, cooler.origin, Array.from(cooler.probabilities(0))]).toEqual([
      'some@softmax=1',
      origin,
      [0, 0.5, 0, 0.5],
    ])
  })

  it('shows the best of the items that are left, where it shows the best', () => {
    const best = ruledPolicy('some', [4, 3, 8, 1], { kind: 'best' })
    const shown = graphOf(1, 4, Uint32Array.of(0, 0), Uint32Array.of(0, 2))
    const left = unseenPolicy(best, shown.byUser)
    expect(Array.from(left.probabilities(0))).toEqual([0, 1, 0, 0])
    expect(left.sorted!.standing(0)).toMatchObject({ tied: Uint32Array.of(0, 1, 0, 1), candidates: 2 })
    const { ruled } = left
    expect(Array.from(ruled!.by({ kind: 'epsilon', epsilon: 0.4 }).probabilities(0))).toEqual([
      0, 0.8, 0, 0.2,
    ])
  })
})
