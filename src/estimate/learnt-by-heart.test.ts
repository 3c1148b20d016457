import { describe, expect, it } from 'vitest'
import type { Log } from '../log/log.js'
import { withLearnt } from '../policy/learnt.js'
import { mixturePolicy } from '../policy/mixture.js'
import type { Policy } from '../policy/policy.js'
import { softmaxPolicy } from '../policy/ruled-policy.js'
import { uniformPolicy } from '../policy/uniform.js'
import { toyWorld } from '../world/toy.js'
import { evaluate } from './evaluate.js'
import { learntByHeart } from './learnt-by-heart.js'
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

describe('learntByHeart', () => {
  const policy = byHeart(log)
  const learnt = withLearnt(policy, { share: 1, isSameLog: true })

  it('is refused, since the truth lies far outside the interval', async () => {
    const { evaluation } = await evaluate(log, { target: { kind: 'policy', policy: learnt } })
    const snips = evaluation.estimates.find(({ estimator }) => estimator === 'snips')!
    expect(snips.interval![0] - world.value(policy)).toBeGreaterThan(3 * snips.se!)
    expect(evaluation.verdict.level).toBe('refuse')
    expect(evaluation.verdict.reasons).toContainEqual(
      expect.objectContaining({ code: 'learnt-from-log', value: 1 }),
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

  it('is only a caution where users may have clicked the same items again', () => {
    const [complaint] = learntByHeart({ target: 'model:m', learnt: { share: 0.6, isSameLog: false } })
    expect(complaint!.level).toBe('caution')
    expect(complaint!.message).toMatch(/^model:m knew 60 % of the clicks of this log from training\./)
  })

  it('says nothing of a target that has learnt nothing here', () => {
    expect(learntByHeart({ target: 'uniform' })).toEqual([])
  })
})
