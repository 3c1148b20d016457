import { describe, expect, it } from 'vitest'
import { type Log, takeRows } from '../log/log.js'
import { fixedPolicy } from '../policy/probabilities.js'
import { tablePolicy } from '../policy/probabilities.js'
import { drawLog } from '../verdict/example-log.js'
import type { EvaluateOptions } from './evaluate.js'
import { run, sound, valueOf, world } from './example-evaluations.js'
import { exampleSegments } from './segments/example-segments.js'

/** The level, what it means, and what it was lowered by. */
const judged = async (log: Log, options: Partial<EvaluateOptions> = {}): Promise<string[]> => {
  const { verdict } = await run(log, options)
  return [
    verdict.level,
    verdict.means,
    ...verdict.reasons.filter(({ level }) => level !== 'note').map(({ code }) => code),
  ]
}

describe('verdicts on planted faults', () => {
  it('everything fine: trust, and nothing to say', async () => {
    expect((await run(sound)).verdict).toMatchObject({ level: 'trust', means: 'decide', reasons: [] })
  })

  it('a policy that gives every item the same probability: no neighbour has another', async () => {
    const log = exampleSegments()
    const phones = Uint32Array.from(log.user.keys()).filter((row) => log.labels!['device']!.index[row] === 1)
    expect((await run(takeRows(log, phones))).verdict).toMatchObject({ level: 'trust', reasons: [] })
  })

  it('one propensity of 1e-6: refuse, because one row dominates', async () => {
    const log = { ...sound, propensity: sound.propensity!.with(5, 1e-6) }
    expect((await judged(log)).slice(0, 3)).toEqual(['refuse', 'cannot-tell', 'dominated'])
  })

  it('logging and target disjoint on half of the items: refuse, because their reward is unknown', async () => {
    const half = fixedPolicy(
      'half',
      Array.from({ length: 20 }, (_, item) => (item < 10 ? 1 : 0)),
    )
    const log = world.draw({ policy: half })
    expect(await judged(log)).toEqual(['refuse', 'cannot-tell', 'unsupported'])
    expect(await judged({ ...log, catalogueKnown: false })).toEqual(['refuse', 'cannot-tell', 'unseen-mass'])
  })

  it('a column of probabilities whose other half the log never shows: refuse, because its weights average less than 1', async () => {
    const half = fixedPolicy(
      'half',
      Array.from({ length: 20 }, (_, item) => (item < 10 ? 1 : 0)),
    )
    // 0.08 for the first item down to 0.026 for the tenth: 53 % of what it shows.
    const drawn = world.draw({ policy: half })
    const log = { ...drawn, target: Float64Array.from(drawn.item, (item) => 0.08 - 0.006 * item) }
    const options = { target: { kind: 'column', name: 'target_prob' } } as const
    expect((await judged(log, options)).slice(0, 3)).toEqual(['refuse', 'cannot-tell', 'unseen-mass'])
    // A factor of all propensities moves the weights too, and no answer that divides by them.
    const factor = { ...log, propensity: log.propensity!.map((b) => 2 * b) }
    expect(await judged(factor, options)).not.toContain('unseen-mass')
  })

  it('12 clicks in all: a wide interval, which is no fault', async () => {
    let clicks = 0
    const reward = sound.reward.map((r) => (r > 0 && clicks++ < 12 ? 1 : 0))
    const few = await run({ ...sound, reward })
    expect(few.verdict.level).toBe('trust')
    const [low, high] = few.estimates.find(({ estimator }) => estimator === 'snips')!.interval!
    // 12 of 4,000 rows, of which some items were shown more often than they would be.
    expect(low).toBeLessThan(12 / 4000 / 2)
    expect(high).toBeGreaterThan((12 / 4000) * 2)
    const question = few.verdict.questions.find(({ question }) => question === 'overlap')!
    expect(question.text).toMatch(/^About 4\.4 effective clicks/)
  })

  it('propensities off by a factor of two: do not believe what does not divide by the weights', async () => {
    const log = { ...sound, propensity: sound.propensity!.map((b) => b / 2) }
    expect(await judged(log, { estimators: ['ips'] })).toEqual(['refuse', 'do-not-believe', 'mean-weight'])
    // Factors cancel.
    const [found, expected] = [await run(log), await run(sound)]
    expect(found.answer).toBe('snips')
    expect(valueOf(found, 'snips')).toBeCloseTo(valueOf(expected, 'snips')!, 12)
    expect(found.verdict).toMatchObject({ level: 'trust', reasons: [{ code: 'mean-weight', level: 'note' }] })
  })

  it('propensities of some items off by a factor of two: do not believe, unless items earn alike', async () => {
    const isFirst = (row: number): boolean => sound.item[row]! < 10
    const propensity = sound.propensity!.map((b, row) => (isFirst(row) ? b / 2 : b))
    expect(await judged({ ...sound, propensity })).toEqual(['trust', 'decide'])
    const reward = sound.reward.map((_, row) => (row % (isFirst(row) ? 2 : 7) === 0 ? 1 : 0))
    expect(await judged({ ...sound, reward })).toEqual(['trust', 'decide'])
    const found = await judged({ ...sound, reward, propensity })
    expect(found).toEqual(['refuse', 'do-not-believe', 'item-shares'])
  })

  it('propensities that were not logged: never trust', async () => {
    expect(await judged({ ...sound, propensitySource: 'assumed' })).toEqual([
      'caution',
      'careful',
      'propensities-assumed',
    ])
  })
})

it('a column of target probabilities that sum to 2 is named as the cause of its weights', async () => {
  const doubled = { ...sound, target: new Float64Array(sound.rows).fill(2 / sound.itemIds.length) }
  const { verdict } = await run(doubled, { target: { kind: 'column', name: 'new' }, estimators: ['ips'] })
  expect(verdict.level).toBe('refuse')
  expect(verdict.reasons.find(({ code }) => code === 'mean-weight')!.message).toMatch(
    /average [12]\.\d+ instead of 1: the probabilities of the policy sum to more than 1, or/,
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

  it('all weights zero though every item is shown, to other users: what a reward model predicts is refused too', async () => {
    const { log } = drawLog({ seed: 5, items: 4, users: 100 })
    // Each user sees the items of one half, and the policy shows those of the other.
    const rows = Uint32Array.from(log.item.keys()).filter((row) => log.item[row]! % 2 === log.user[row]! % 2)
    const other = tablePolicy(
      'other half',
      Array.from({ length: log.userIds.length }, (_, user) =>
        user % 2 ? [0.5, 0, 0.5, 0] : [0, 0.5, 0, 0.5],
      ),
    )
    const { estimates } = await run(takeRows(log, rows), {
      target: { kind: 'policy', policy: other },
      estimators: ['dr'],
    })
    expect(estimates[0]!.interval).not.toBeNull()
    expect(estimates[0]!.verdict).toMatchObject({ level: 'refuse', means: 'cannot-tell' })
  })

  it('an empty log is an error', async () => {
    await expect(run(takeRows(sound, new Uint32Array(0)))).rejects.toThrow(/no rows/)
  })
})
