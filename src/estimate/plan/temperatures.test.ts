import { describe, expect, it } from 'vitest'
import { type Log, takeRows } from '../../log/log.js'
import { softmaxPolicy } from '../../policy/ruled-policy.js'
import { evaluate } from '../evaluate.js'
import { popularityTargets } from '../popularity-targets.js'
import type { Target } from '../target.js'
import { drawnLog } from './example-world.js'
import { plan } from './plan.js'
import { softmaxAt } from '../../policy/score-rule.js'

const log = drawnLog({ users: 300, rowsPerUser: 4, days: 8, seed: 1, byDay: 0.05, byUser: 0.1 })
const popular = (temperature: number): Target => ({
  kind: 'policy',
  policy: popularityTargets(log).by(softmaxAt(temperature)),
})

/** Two items, shown 3 of 4 times and 1 of 4. */
const FOUR_ROWS: Log = {
  rows: 4,
  user: Uint32Array.of(0, 1, 2, 3),
  item: Uint32Array.of(0, 0, 0, 1),
  userIds: ['a', 'b', 'c', 'd'],
  itemIds: ['x', 'y'],
  catalogueKnown: true,
  reward: Float64Array.of(1, 0, 1, 0),
  propensity: Float64Array.of(0.75, 0.75, 0.75, 0.25),
  propensitySource: 'logged',
}

describe('a target at other temperatures', () => {
  it('is, at its own, what the plan says', async () => {
    const { temperatures, value, difference, goals, verdict } = await plan(log, {
      target: popular(0.5),
      detect: 0.03,
      width: 0.05,
    })
    const { evaluation } = await evaluate(log, { target: popular(0.5) })
    expect(temperatures!.own).toBe(0.5)
    expect(temperatures!.points.map(({ temperature }) => temperature)).toEqual([0.25, 0.5, 1, 2, 4])
    expect(temperatures!.points[1]).toEqual({
      temperature: 0.5,
      ess: evaluation.diagnostics.ess,
      essRatio: evaluation.diagnostics.essRatio,
      seOfValue: value.se,
      difference: difference.estimate,
      seOfDifference: difference.se,
      moreRows: goals.map(({ needed }) => needed!.more.rows),
      verdict,
    })
  })

  it('is, at another, what the plan for that policy says', async () => {
    const options = { detect: 0.03, width: 0.05, temperatures: [0.3, 1, Infinity] }
    const { temperatures } = await plan(log, { target: popular(0.5), ...options })
    for (const asked of [0.3, 1, Infinity]) {
      const own = asked === Infinity ? null : asked
      const { temperatures: there } = await plan(log, { target: popular(asked), ...options })
      expect(there!.own).toBe(own)
      const at = (points: typeof there) => points!.points.find(({ temperature }) => temperature === own)
      expect(at(temperatures)).toEqual(at(there))
    }
  })

  it('of an exact example: scores of log 3 and 0, all items alike and at temperatures 0.5 and 1', async () => {
    const policy = softmaxPolicy('tastes', [Math.log(3), 0], Infinity)
    const { temperatures } = await plan(FOUR_ROWS, {
      target: { kind: 'policy', policy },
      temperatures: [1, 0.5],
    })
    const [sharp, logging, uniform] = temperatures!.points
    // π = 9/10 and 1/10: w = 1.2, 1.2, 1.2, 0.4, so that (Σw)²/Σw² = 16/4.48.
    expect(sharp!.ess).toBeCloseTo(16 / 4.48, 12)
    // SNIPS = 2.4/4; φ = 0.12, −0.18, 0.12, −0.06, so that V = 4/3 · 0.0648.
    expect(sharp!.seOfValue).toBeCloseTo(Math.sqrt(0.0864), 12)
    expect(sharp!.difference).toBeCloseTo(0.1, 12)
    // π = 3/4 and 1/4 is the logging policy: nothing differs.
    expect(logging!.ess).toBeCloseTo(4, 12)
    expect(logging).toMatchObject({ difference: null, moreRows: [null] })
    expect(logging!.reason).toBeTruthy()
    // w = 2/3, 2/3, 2/3, 2: 16/(16/3).
    expect(uniform).toMatchObject({ temperature: null, ess: expect.closeTo(3, 12) })
  })

  it('may be answered where the target itself is refused', async () => {
    // The log shows once what the target likes best.
    const few = drawnLog({ users: 30, rowsPerUser: 4, days: 1, seed: 2 })
    const [, ...others] = Array.from(few.item.keys()).filter((row) => few.item[row] === 1)
    const once = takeRows(
      few,
      Uint32Array.from(few.item.keys()).filter((row) => !others.includes(row)),
    )
    const sharp: Target = { kind: 'policy', policy: softmaxPolicy('tastes', [0, 60, 59, 58], 0.2) }
    const { temperatures, verdict } = await plan(once, { target: sharp, temperatures: [0.2, 200] })
    expect(verdict.means).toBe('cannot-tell')
    expect(temperatures!.points.map((point) => point.verdict.level)).toEqual(['refuse', 'caution'])
  })

  it('is not known of targets without one, and a temperature is above 0', async () => {
    const { temperatures, temperaturesReason } = await plan(log, { target: { kind: 'uniform' } })
    expect(temperatures).toBeNull()
    expect(temperaturesReason).toBe('uniform has no temperature')
    await expect(plan(log, { target: popular(1), temperatures: [0] })).rejects.toThrow(
      'A temperature of 0 is not above 0.',
    )
  })
})
