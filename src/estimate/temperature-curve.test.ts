import { describe, expect, it } from 'vitest'
import type { Policy } from '../policy/policy.js'
import { ruledPolicy } from '../policy/ruled-policy.js'
import { parseScoreRule } from '../policy/score-rule.js'
import { uniformPolicy } from '../policy/probabilities.js'
import { toyWorld } from '../world/toy.js'
import { evaluate } from './evaluate.js'
import { temperatureCurves } from './temperature-curve.js'

const world = toyWorld({ seed: 8, users: 50, items: 12, exposures: 10, skew: 1 })
const log = world.draw()
const scored = (name: string, scale: number, rule: string): Policy =>
  ruledPolicy(name, (user) => Float64Array.from({ length: 12 }, (_, item) => scale * world.clickRate(user, item)), parseScoreRule(rule), { items: 12 }) // prettier-ignore

describe('temperatureCurves', () => {
  it('have at each temperature what an evaluation says', async () => {
    const [curve, ...more] = await temperatureCurves(log, [scored('model:a', 1, 'rank'), uniformPolicy(12)], {
      temperatures: [1, 0.1, Infinity],
    })
    expect(more).toEqual([])
    expect(curve).toMatchObject({ target: 'model:a', estimator: 'snips' })
    expect(curve!.points.map(({ temperature }) => temperature)).toEqual([0.1, 1, null])
    const { evaluation } = await evaluate(log, { target: { kind: 'policy', policy: scored('model:a', 1, 'softmax=0.1') }, estimators: ['snips'] }) // prettier-ignore
    const { value, interval, verdict } = evaluation.estimates[0]!
    expect(curve!.points[0]).toMatchObject({
      value,
      interval,
      verdict,
      essRatio: evaluation.diagnostics.essRatio,
    })
  })

  it('have a point at the temperature of each policy, so that its answer is one of theirs', async () => {
    const policies = [scored('model:a', 1, 'softmax=0.5'), scored('model:a', 1, 'softmax=7')]
    const [curve, ...more] = await temperatureCurves(log, policies)
    expect(more).toEqual([])
    expect(curve!.points).toHaveLength(10)
    expect(curve!.points.map(({ temperature }) => temperature)).toEqual(expect.arrayContaining([0.5, 7]))
  })

  it('of the same scores in another unit are the same', async () => {
    const [a, b] = await temperatureCurves(log, [scored('model:a', 1, 'rank'), scored('model:b', 64, 'rank')])
    expect(a!.points).toHaveLength(8)
    a!.points.forEach(({ essRatio, value }, k) => {
      // Up to the rounding of temperatures to two digits.
      expect(b!.points[k]!.essRatio! / essRatio!).toBeCloseTo(1, 1)
      expect(b!.points[k]!.value).toBeCloseTo(value!, 2)
    })
  })
})
