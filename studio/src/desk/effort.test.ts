import { beforeEach, describe, expect, it } from 'vitest'
import { evaluate } from '$core/estimate/evaluate.js'
import { plan } from '$core/estimate/plan/plan.js'
import { exampleSegments } from '$core/estimate/segments/example-segments.js'
import { takeRows } from '$core/log/log.js'
import { daysOfTarget } from './days.js'
import { planFor, sensitivityFor } from './effort.js'
import { evaluateTarget } from './evaluate.js'
import { hold } from './held.js'

const log = exampleSegments({ users: 120, rowsEach: 20 })
const target = { kind: 'uniform' } as const
const choices = { estimators: ['ips', 'snips'], confidence: 0.9 } as const

beforeEach(() => hold({ log }))

describe('a plan at the desk', () => {
  it('is the one of the command line, whatever estimators are shown', async () => {
    const expected = await plan(log, { target, confidence: 0.9, detect: 0.01 })
    expect(await planFor({ target, choices, detect: 0.01 })).toEqual(expected)
    expect(expected.estimator).toBe('snips')
  })

  it('is for another baseline, and for the rows that are looked at', async () => {
    const part = [{ by: 'position', from: 1, to: 2 }] as const
    const rows = Uint32Array.from(log.position!.keys()).filter((row) => log.position![row]! >= 1)
    const expected = await plan(takeRows(log, rows), {
      target: { kind: 'logging' },
      against: { target },
      confidence: 0.9,
    })
    expect(await planFor({ target: { kind: 'logging' }, against: target, choices, part })).toEqual(expected)
  })
})

describe('how wrong propensities may be', () => {
  it('is asked of the rows where the sums do not tell, as with rewards that are no clicks', async () => {
    const paid = { ...log, reward: log.reward.map((reward, row) => reward * ((row % 7) + 0.5)) }
    hold({ log: paid })
    const { evaluation } = await evaluateTarget({ target, choices })
    expect(evaluation.sensitivity).toBeNull()
    const asked = { ...choices, estimators: ['snips'], target, sensitivity: true }
    const expected = (await evaluate(paid, asked)).evaluation.sensitivity
    expect(expected).not.toBeNull()
    expect(await sensitivityFor({ target, choices, whole: evaluation })).toEqual(expected)
  })
})

describe('the days of a policy', () => {
  it('are those of the rows of each day alone', async () => {
    const days = await daysOfTarget({ target, choices })
    expect(days).toHaveLength(21)
    const second = Uint32Array.from(log.time!.keys()).filter(
      (row) => Math.floor(log.time![row]! / 86_400_000) === days[1]!.day,
    )
    const { evaluation } = await evaluate(takeRows(log, second), { target, estimators: ['ips'] })
    expect(days[1]!.value).toBeCloseTo(evaluation.estimates[0]!.value!, 12)
    expect(days[1]!.rows).toBe(second.length)
  })

  it('are none where the log has no times', async () => {
    const { time: _, ...timeless } = log
    hold({ log: timeless })
    expect(await daysOfTarget({ target, choices })).toEqual([])
  })
})
