import { describe, expect, it } from 'vitest'
import type { Log } from '../log/log.js'
import { takeRows } from '../log/log.js'
import { fixedPolicy } from '../policy/fixed.js'
import type { EvaluateOptions } from './evaluate.js'
import { run, sound, world } from './example-evaluations.js'

describe('verdicts on planted faults', () => {
  const levelAndCodes = async (
    log: Log,
    options: Partial<EvaluateOptions> = {},
  ): Promise<[string, string[]]> => {
    const { verdict } = await run(log, options)
    return [verdict.level, verdict.reasons.map(({ code }) => code)]
  }

  it('everything fine: trust', async () => {
    expect((await levelAndCodes(sound))[0]).toBe('trust')
  })

  it('one propensity of 1e-6: refuse, because one row dominates', async () => {
    const propensity = sound.propensity!.slice()
    propensity[5] = 1e-6
    const [level, codes] = await levelAndCodes({ ...sound, propensity })
    expect(level).toBe('refuse')
    expect(codes).toContain('one-row-dominates')
  })

  it('logging and target disjoint on half of the items: refuse, because their reward is unknown', async () => {
    const half = fixedPolicy(
      'half',
      Array.from({ length: 20 }, (_, item) => (item < 10 ? 1 : 0)),
    )
    const [level, codes] = await levelAndCodes(world.draw({ policy: half }))
    expect(level).toBe('refuse')
    expect(codes[0]).toBe('unsupported')
    const unknown = await levelAndCodes({ ...world.draw({ policy: half }), catalogueKnown: false })
    expect(unknown[0]).toBe('refuse')
    expect(unknown[1]).toContain('mean-weight')
  })

  it('12 clicks in all: not trust, because few clicks carry the answer', async () => {
    let clicks = 0
    const reward = sound.reward.map((r) => (r > 0 && clicks++ < 12 ? 1 : 0))
    const [level, codes] = await levelAndCodes({ ...sound, reward })
    expect(level).not.toBe('trust')
    expect(codes).toContain('few-effective-clicks')
  })

  it('propensities off by a factor of two: refuse, because weights do not average to one', async () => {
    const [level, codes] = await levelAndCodes({ ...sound, propensity: sound.propensity!.map((b) => b / 2) })
    expect(level).toBe('refuse')
    expect(codes).toContain('mean-weight')
  })

  it('propensities that were not logged: never trust', async () => {
    expect(await levelAndCodes({ ...sound, propensitySource: 'assumed' })).toEqual([
      'caution',
      ['propensities'],
    ])
  })
})

it('a column of target probabilities that sum to 2 is named as the cause of its weights', async () => {
  const doubled = { ...sound, target: new Float64Array(sound.rows).fill(2 / sound.itemIds.length) }
  const { verdict } = await run(doubled, { target: { kind: 'column', name: 'new' }, estimators: ['snips'] })
  expect(verdict.level).toBe('refuse')
  expect(verdict.reasons.find(({ code }) => code === 'mean-weight')!.message).toMatch(
    /average [12]\.\d+ instead of 1 .*: the target probabilities of a decision sum to more than 1, or/,
  )
})

describe('undefined is never 0', () => {
  it('one row, one user: a value, no interval, refused', async () => {
    const evaluation = await run(takeRows(sound, Uint32Array.of(0)), { estimators: ['ips', 'snips'] })
    expect(evaluation.estimates.every(({ value, interval }) => value !== null && interval === null)).toBe(
      true,
    )
    expect(evaluation.verdict.level).toBe('refuse')
  })

  it('one user: no reward model, because there is nobody else to learn from', async () => {
    const rows = Uint32Array.from({ length: 10 }, (_, row) => row)
    const { estimates } = await run(takeRows(sound, rows), { estimators: ['dm', 'dr', 'mrdr'] })
    for (const { value, reason } of estimates) {
      expect(value).toBeNull()
      expect(reason).toContain('no other users')
    }
  })

  it('slates without a reward model: no cascade-dr, and the reason is not the weights', async () => {
    const slates = {
      slate: Uint32Array.from({ length: sound.rows }, (_, row) => row >> 1),
      slateIds: Array.from({ length: sound.rows / 2 }, (_, slate) => String(slate)),
      position: Float64Array.from({ length: sound.rows }, (_, row) => row % 2),
    }
    const log = { ...sound, ...slates, target: sound.propensity! }
    const { estimates } = await run(log, {
      target: { kind: 'column', name: 'same' },
      estimators: ['iips', 'cascade-dr'],
    })
    expect(estimates[0]!.value).toBeCloseTo(
      2 * (sound.reward.reduce((sum, r) => sum + r, 0) / sound.rows),
      10,
    )
    expect(estimates[1]).toMatchObject({ value: null, reason: 'it needs a reward model, and none is given' })
  })

  it('all weights zero: no SNIPS, refused', async () => {
    const shown = new Set(sound.item.subarray(0, 50))
    const policy = fixedPolicy(
      'elsewhere',
      Array.from({ length: 20 }, (_, item) => (shown.has(item) ? 0 : 1)),
    )
    const rows = Uint32Array.from({ length: 50 }, (_, row) => row)
    const evaluation = await run(takeRows(sound, rows), {
      target: { kind: 'policy', policy },
      estimators: ['snips'],
    })
    expect(evaluation.estimates[0]).toMatchObject({ value: null, interval: null })
    expect(evaluation.estimates[0]!.reason).toContain('no row has any weight')
    expect(evaluation.verdict.level).toBe('refuse')
  })

  it('an empty log is an error', async () => {
    await expect(run(takeRows(sound, new Uint32Array(0)))).rejects.toThrow(/no rows/)
  })
})
