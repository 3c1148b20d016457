import { beforeEach, describe, expect, it } from 'vitest'
import { evaluate } from '$core/estimate/evaluate.js'
import { exampleSegments } from '$core/estimate/segments/example-segments.js'
import { logOf } from '$core/estimate/slate/example-pages.js'
import { takeRows } from '$core/log/log.js'
import { evaluateTarget, weightsOfTarget } from './evaluate.js'
import { hold } from './held.js'
import { type Condition, rowsInPart } from './part.js'
import { stripsOf } from './strips.js'

const log = exampleSegments({ users: 120, rowsEach: 20 })
/** The day of a row, counted slowly. */
const dayOf = (row: number): number => Math.floor(log.time![row]! / 86_400_000)
const firstDay = dayOf(0)
const days: Condition = { by: 'day', from: firstDay + 2, to: firstDay + 9 }
const positions: Condition = { by: 'position', from: 1, to: 2 }
const rowsWhere = (isIn: (row: number) => boolean): Uint32Array =>
  Uint32Array.from({ length: log.rows }, (_, row) => row).filter(isIn)
const isOnDays = (row: number): boolean => dayOf(row) >= days.from && dayOf(row) <= days.to

const target = { kind: 'uniform' } as const
const choices = { estimators: ['ips', 'snips'] } as const

beforeEach(() => hold({ log }))

describe('a part of the log', () => {
  it('is evaluated as a log of its rows alone would be', async () => {
    const both = rowsWhere((row) => isOnDays(row) && log.position![row]! >= 1 && log.position![row]! <= 2)
    expect(both.length).toBeGreaterThan(100)
    const { evaluation } = await evaluateTarget({ target, choices, part: [days, positions] })
    expect(evaluation).toEqual((await evaluate(takeRows(log, both), { ...choices, target })).evaluation)
    expect(evaluation.log.rows).toBe(both.length)
  })

  it('has weights of its own, whatever was weighed before', async () => {
    const whole = await weightsOfTarget({ target, choices })
    await evaluateTarget({ target, choices })
    const part = await weightsOfTarget({ target, choices, part: [days] })
    expect(part.count).toBe(rowsWhere(isOnDays).length)
    expect(part.count).toBeLessThan(whole.count)
  })

  it('is not compared with what is known of the whole log', async () => {
    const known = {
      ...choices,
      totals: { rows: 2 * log.rows, reward: 1 },
      said: { facts: { people: false } },
    } as const
    const codesOf = async (part?: Condition[]): Promise<string[]> =>
      (
        await evaluateTarget({ target, choices: known, ...(part && { part }) })
      ).evaluation.verdict.reasons.map(({ code }) => code)
    expect(await codesOf()).toEqual(expect.arrayContaining(['rewards-doubled', 'ids-not-people']))
    const part = await codesOf([days])
    expect(part).toContain('ids-not-people')
    expect(part).not.toContain('rewards-doubled')
  })

  it('of items keeps all rows and counts their rewards alone, so that parts add up to the whole', async () => {
    const valueOf = async (part: Condition[]): Promise<number> =>
      (await evaluateTarget({ target, choices, ...(part.length > 0 && { part }) })).evaluation.estimates[1]!
        .value!
    const ranks = (from: number, to: number): Condition => ({ by: 'rank', from, to })
    const [whole, first, rest] = [
      await valueOf([]),
      await valueOf([ranks(1, 2)]),
      await valueOf([ranks(3, 6)]),
    ]
    expect(first + rest).toBeCloseTo(whole, 12)
    expect(first).toBeGreaterThan(0)
    expect(rowsInPart(log, [ranks(1, 2)]).rows).toBe(log.rows)
  })

  it('of the first places of pages is of pages, and of others is not', () => {
    const pages = [
      [0, 1, 2],
      [2, 1, 0],
    ].map((items) => ({ items, propensity: [0.5, 0.5, 1], reward: [1, 0, 0] }))
    const shown = logOf(pages, 3)
    expect(rowsInPart(shown, [{ by: 'position', from: 1, to: 2 }])).toMatchObject({
      rows: 4,
      slateIds: shown.slateIds,
    })
    expect(rowsInPart(shown, [{ by: 'position', from: 2, to: 3 }])).not.toHaveProperty('slate')
  })

  it('of items on some days ranks them as the whole log does', () => {
    const counts = new Map<number, number>()
    log.item.forEach((item) => counts.set(item, (counts.get(item) ?? 0) + 1))
    const [most] = [...counts].toSorted((a, b) => b[1] - a[1])[0]!
    const part = rowsInPart(log, [days, { by: 'rank', from: 1, to: 1 }])
    expect(part.rows).toBe(rowsWhere(isOnDays).length)
    part.reward.forEach((reward, row) => {
      if (part.item[row] !== most) expect(reward).toBe(0)
    })
    expect(part.reward.some((reward) => reward > 0)).toBe(true)
  })

  it('without rows, or by what the log does not tell, is an error', () => {
    expect(() => rowsInPart(log, [{ by: 'day', from: 1, to: 2 }])).toThrow('No row of the log')
    const { time: _, ...timeless } = log
    expect(() => rowsInPart(timeless, [days])).toThrow('no days')
  })

  it('knows no truth, which is of all rows', async () => {
    expect((await evaluateTarget({ target, choices, part: [days] })).truth).toBeNull()
  })
})

describe('the strips', () => {
  it('count the rows that the other conditions leave', () => {
    const [byDay, byPosition, byRank] = stripsOf([days])
    expect([byDay!.by, byPosition!.by, byRank!.by]).toEqual(['day', 'position', 'rank'])
    const kept = (bins: readonly { kept: number }[]): number => bins.reduce((sum, bin) => sum + bin.kept, 0)
    expect(kept(byDay!.bins)).toBe(log.rows)
    expect(byDay!.bins).toHaveLength(21)
    expect(kept(byPosition!.bins)).toBe(rowsWhere(isOnDays).length)
    const first = rowsWhere((row) => isOnDays(row) && log.position![row] === 0)
    expect(byPosition!.bins[0]).toMatchObject({
      from: 0,
      to: 0,
      kept: first.length,
      reward: first.reduce((sum, row) => sum + log.reward[row]!, 0),
    })
    expect(byRank!.bins.at(-1)!.to).toBe(6)
  })

  it('leave out what the log does not tell', () => {
    const { time: _, position: _position, ...bare } = log
    hold({ log: bare })
    expect(stripsOf([]).map(({ by }) => by)).toEqual(['rank'])
  })
})
