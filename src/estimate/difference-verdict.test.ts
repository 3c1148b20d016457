import { describe, expect, it } from 'vitest'
import { fixedPolicy } from '../policy/probabilities.js'
import { evaluationSchema } from '../schemas/index.js'
import { toyWorld } from '../world/toy.js'
import { compare } from './compare.js'
import { evaluate } from './evaluate.js'
import { exampleSegments } from './segments/example-segments.js'
import type { Target } from './target.js'

const log = toyWorld({ seed: 3, users: 400, items: 20, exposures: 10, skew: 2 }).draw()
/** The first ten items earn the more. */
const skewed = {
  ...log,
  reward: log.reward.map((_, row) => (row % (log.item[row]! < 10 ? 2 : 7) === 0 ? 1 : 0)),
}
/** The policies were made elsewhere. */
const said = { policyMade: 'elsewhere' } as const
const leaning = (lean: number): Target => ({
  kind: 'policy',
  policy: fixedPolicy(
    'leaning',
    Array.from({ length: 20 }, (_, item) => Math.exp((-lean * item) / 10)),
  ),
})

describe('a decision without a baseline', () => {
  it.each([
    ['snips', leaning(0.8), 'launch'],
    ['snips', leaning(-4), 'keep'],
    ['dr', leaning(0.8), 'launch'],
    ['ips', { kind: 'uniform' } as Target, 'launch'],
  ] as const)(
    'by %s has what the logging policy earned as one, as a comparison has: %s',
    async (estimator, target, action) => {
      const { evaluation } = await evaluate(skewed, { said, target, estimators: [estimator] })
      const { decision } = await compare(skewed, {
        said,
        targets: [{ target: { kind: 'logging' } }, { target }],
        estimator,
      })
      expect(evaluationSchema.parse(JSON.parse(JSON.stringify(evaluation)))).toEqual(evaluation)
      expect(evaluation.decision).toMatchObject({ action, policy: decision.policy })
      expect(evaluation.decision!.lift).toBeCloseTo(decision.lift!, 10)
      decision.interval!.forEach((end, k) => expect(evaluation.decision!.interval![k]).toBeCloseTo(end, 10))
      expect(evaluation.decision!.errorRate).toEqual(decision.errorRate)
    },
  )

  it('knows that days differ', async () => {
    const days = exampleSegments({ users: 200, rowsEach: 20 })
    const target = { kind: 'uniform' } as const
    const { evaluation } = await evaluate(days, { target, estimators: ['snips'] })
    const { decision } = await compare(days, { targets: [{ target: { kind: 'logging' } }, { target }] })
    expect(evaluation.cluster).toBe('user+day')
    expect(evaluation.decision!.interval![0]).toBeCloseTo(decision.interval![0], 10)
  })

  it('is not made for the logging policy itself, nor from an interval that allows looking again', async () => {
    const own = await evaluate(skewed, { target: { kind: 'logging' } })
    expect(own.evaluation).not.toHaveProperty('decision')
    const looking = await evaluate(skewed, { target: leaning(0.8), interval: 'sequence', maxWeight: 100 })
    expect(looking.evaluation).not.toHaveProperty('decision')
  })

  it('has no number where the log does not cover the policy', async () => {
    const { evaluation } = await evaluate(toyWorld({ seed: 7, users: 40, skew: 8 }).draw(), {
      target: { kind: 'uniform' },
    })
    expect(evaluation.verdict.means).toBe('cannot-tell')
    expect(evaluation.decision).toEqual({
      action: 'cannot-tell',
      policy: 'uniform',
      lift: null,
      interval: null,
      errorRate: null,
    })
  })
})
