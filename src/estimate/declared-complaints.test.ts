import { describe, expect, it } from 'vitest'
import type { Log } from '../log/log.js'
import { withOrigin } from '../policy/origin.js'
import { mixturePolicy } from '../policy/mixture.js'
import type { Policy } from '../policy/policy.js'
import { softmaxPolicy } from '../policy/softmax.js'
import { uniformPolicy } from '../policy/uniform.js'
import { toyWorld } from '../world/toy.js'
import { evaluate } from './evaluate.js'
import type { VerdictOptions } from '../verdict/said.js'
import { temperatureCurves } from './temperature-curve.js'

const ITEMS = 10
const world = toyWorld({ seed: 3, users: 200, items: ITEMS, exposures: 20, skew: 0 })
const log = world.draw()

/** Shows each user what they clicked: a score of 1 for every click in the log. */
function byHeart({ user, item, reward, rows }: Log): Policy {
  const clicks = new Map<number, Float64Array>()
  for (let row = 0; row < rows; row++) {
    const own = clicks.get(user[row]!) ?? new Float64Array(ITEMS)
    own[item[row]!]! += reward[row]!
    clicks.set(user[row]!, own)
  }
  return softmaxPolicy('clicks', (one) => clicks.get(one) ?? new Float64Array(ITEMS), 1, { items: ITEMS })
}

describe('a policy that was made from the log', () => {
  const policy = byHeart(log)
  const learnt = withOrigin(policy, { made: 'this-log', share: 1 })

  it('is refused, since the truth lies far outside the interval', async () => {
    const { evaluation } = await evaluate(log, { target: { kind: 'policy', policy: learnt } })
    const snips = evaluation.estimates.find(({ estimator }) => estimator === 'snips')!
    expect(snips.interval![0] - world.value(policy)).toBeGreaterThan(3 * snips.se!)
    expect(evaluation.verdict.level).toBe('refuse')
    expect(evaluation.verdict.reasons).toContainEqual(
      expect.objectContaining({ code: 'trained-on-this-log', value: 1 }),
    )
  })

  it('is refused at every temperature, and in a mixture', async () => {
    const [curve] = await temperatureCurves(log, [learnt], { temperatures: [0.5, 2] })
    expect(curve!.points.map(({ verdict }) => verdict.level)).toEqual(['refuse', 'refuse'])
    const half = mixturePolicy('half', [
      { policy: uniformPolicy(ITEMS), weight: 0.5 },
      { policy: learnt, weight: 0.5 },
    ])
    const { evaluation } = await evaluate(log, { target: { kind: 'policy', policy: half } })
    expect(evaluation.verdict.level).toBe('refuse')
  })

  it('is refused where the user says so', async () => {
    const asked = { target: { kind: 'policy', policy }, said: { policyMade: 'this-log' } } as const
    const { evaluation } = await evaluate(log, asked)
    expect(evaluation.verdict.reasons).toContainEqual(
      expect.objectContaining({ code: 'trained-on-this-log' }),
    )
    expect(evaluation.said).toEqual({ policyMade: 'this-log' })
  })
})

describe('what the user says', () => {
  const codesOf = async (options: VerdictOptions): Promise<string[]> => {
    const { evaluation } = await evaluate(log, { target: { kind: 'uniform' }, estimators: ['snips'], ...options })
    return evaluation.verdict.reasons.map(({ code }) => code)
  }

  it('caps a verdict at caution where it is no', async () => {
    expect(await codesOf({ said: { facts: { people: false, complete: true } } })).toEqual(['ids-not-people'])
    expect(await codesOf({ strict: true, said: { facts: { people: true, complete: true } } })).toEqual([
      'drawn-propensities-not-said',
      'joined-by-impression-not-said',
      'item-only-not-said',
    ])
  })

  it('shows rows that are missing from the log, by how much they move each estimate', async () => {
    const total = log.reward.reduce((sum, one) => sum + one, 0)
    expect(await codesOf({ totals: { rows: log.rows, reward: total } })).not.toContain('rewards-missing')
    expect(await codesOf({ totals: { rows: log.rows, reward: 2 * total } })).toContain('rewards-missing')
    const { evaluation } = await evaluate(log, {
      target: { kind: 'uniform' },
      totals: { rows: 2 * log.rows, reward: total },
    })
    expect(evaluation.verdict).toMatchObject({ level: 'refuse', reasons: [{ code: 'rows-thinned' }] })
  })
})
