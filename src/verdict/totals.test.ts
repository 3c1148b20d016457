import { describe, expect, it } from 'vitest'
import { totalsReasons } from './totals.js'

const KNOWN = { rows: 10_000, reward: 500 }
/** An estimate of the size of the mean reward. */
const ANSWER = { value: 0.06, half: 0.004 }
const found = (rows: number, reward: number, known: Parameters<typeof totalsReasons>[0] = KNOWN) =>
  totalsReasons(known, { rows, reward }, ANSWER)[0]

describe('what totals show', () => {
  it('is nothing where the log has what is known, but for clocks and roundings', () => {
    expect(totalsReasons(KNOWN, { rows: 10_000, reward: 500 }, ANSWER)).toEqual([])
    expect(totalsReasons(KNOWN, { rows: 9_970, reward: 499 }, ANSWER)).toEqual([])
  })

  it('thinned rows: rewards are all there, rows without them are not', () => {
    expect(found(5000, 500)).toEqual({
      code: 'rows-thinned',
      level: 'refuse',
      question: 'rewards',
      // Half of the rows, so the mean is 2 times as high: 0.06 would be 0.03.
      shift: -0.03,
      driver: null,
      message:
        'The log has 5,000 rows (known: 10,000) and rewards of 500 (known: 500). Rows without rewards are missing, so the mean reward is 100 % too high. At the known mean reward, the answer would be 0.0300 instead of 0.0600.',
      value: 0.5,
    })
  })

  it('lost clicks', () => {
    const reason = found(10_000, 400)!
    expect([reason.code, reason.level]).toEqual(['rewards-missing', 'refuse'])
    // 500/400 times as many.
    expect(reason.shift).toBeCloseTo(0.015, 12)
    expect(reason.message).toContain('Rewards were lost, so the mean reward is 20 % too low.')
  })

  it('rows that came twice, with their rewards or without', () => {
    const copied = found(20_000, 1000)!
    expect([copied.code, copied.level, copied.shift]).toEqual(['rows-doubled', 'note', 0])
    expect(copied.message).toContain(
      'more than once, with and without rewards alike, so intervals are too narrow.',
    )
    const refreshed = found(11_000, 500)!
    expect([refreshed.code, refreshed.level]).toEqual(['rows-doubled', 'refuse'])
    expect(refreshed.shift).toBeCloseTo(0.006, 12)
  })

  it('rewards that were joined to too many rows', () => {
    const reason = found(10_000, 1500)!
    expect([reason.code, reason.level]).toEqual(['rewards-doubled', 'refuse'])
    expect(reason.shift).toBeCloseTo(-0.04, 12)
    expect(reason.message).toContain('joined to too many rows, so the mean reward is 200 % too high.')
  })

  it('rows that are missing alike, which moves nothing', () => {
    const reason = found(9_000, 450)!
    expect([reason.code, reason.level, reason.shift]).toEqual(['rows-missing', 'note', 0])
  })

  it('the further off of two things', () => {
    expect(found(9_900, 1000)!.code).toBe('rewards-doubled')
    expect(found(5_000, 510)!.code).toBe('rows-thinned')
    expect(found(11_000, 300)!.code).toBe('rewards-missing')
    expect(found(20_000, 490)!.code).toBe('rows-doubled')
  })
})

describe('how much it matters', () => {
  it.each([
    [9_900, 'note', -0.0006],
    [9_500, 'caution', -0.003],
    [9_000, 'refuse', -0.006],
  ] as const)('is the shift against the margin: %i rows', (rows, level, shift) => {
    const reason = found(rows, 500)!
    expect(reason.level).toBe(level)
    expect(reason.shift).toBeCloseTo(shift, 12)
  })

  it('counts a small difference that moves a precise answer', () => {
    const precise = { value: 0.06, half: 0.0002 }
    expect(totalsReasons(KNOWN, { rows: 9_970, reward: 500 }, precise)).toMatchObject([
      { code: 'rows-thinned', level: 'caution' },
    ])
  })

  it('is not known of rows alone, nor without an answer', () => {
    expect(found(9_000, 500, { rows: 10_000 })).toMatchObject({
      code: 'rows-missing',
      level: 'caution',
      shift: null,
    })
    expect(found(12_000, 500, { rows: 10_000 })).toMatchObject({ code: 'rows-doubled', level: 'caution' })
    expect(totalsReasons(KNOWN, { rows: 5000, reward: 500 })).toMatchObject([
      { level: 'caution', shift: null },
    ])
  })

  it('goes by rewards alone where rows are not known', () => {
    expect(found(9_000, 400, { reward: 500 })).toMatchObject({ code: 'rewards-missing', level: 'refuse' })
    expect(found(9_000, 400, { reward: 500 })!.shift).toBeCloseTo(0.015, 12)
  })

  it('is endless where all rewards are gone', () => {
    expect(found(10_000, 0)).toMatchObject({ code: 'rewards-missing', level: 'caution', shift: null })
  })
})

describe('totals by day', () => {
  const day = (k: number): string => `2026-03-${String(k).padStart(2, '0')}`
  const days = Array.from({ length: 10 }, (_, k) => ({ day: day(k + 1), rows: 1000, reward: 50 }))
  const seenWith = (changed: Readonly<Record<string, { rows?: number; reward?: number }>>) => {
    const own = days.map((one) => ({ ...one, ...changed[one.day] }))
    return {
      rows: own.reduce((sum, { rows }) => sum + rows, 0),
      reward: own.reduce((sum, { reward }) => sum + reward, 0),
      days: own,
    }
  }

  it('name the days that make up a difference', () => {
    const [reason] = totalsReasons(
      { days },
      seenWith({ [day(4)]: { reward: 0 }, [day(7)]: { reward: 10 } }),
      ANSWER,
    )
    expect(reason).toMatchObject({ code: 'rewards-missing', level: 'refuse', driver: `${day(4)}, ${day(7)}` })
    const everywhere = Object.fromEntries(days.map((one) => [one.day, { reward: 40 }]))
    expect(totalsReasons({ days }, seenWith(everywhere), ANSWER)[0]!.driver).toBeNull()
  })

  it('count a day without rows as lost, and no day before or after the log', () => {
    const beyond = [
      { day: '2026-02-01', rows: 5000, reward: 9 },
      ...days,
      { day: '2026-04-01', rows: 5000, reward: 9 },
    ]
    expect(totalsReasons({ days: beyond }, seenWith({}), ANSWER)).toEqual([])
    const without = seenWith({})
    const lost = { rows: 9000, reward: 450, days: without.days.filter((one) => one.day !== day(5)) }
    expect(totalsReasons({ days: beyond }, lost, ANSWER)).toMatchObject([
      { code: 'rows-missing', level: 'note', driver: day(5) },
    ])
  })

  it('that differ while their sums agree are a note', () => {
    const shifted = seenWith({
      [day(2)]: { rows: 880, reward: 44 },
      [day(3)]: { rows: 1060, reward: 53 },
      [day(4)]: { rows: 1060, reward: 53 },
    })
    expect(totalsReasons({ days }, shifted, ANSWER)).toMatchObject([
      { code: 'days-differ', level: 'note', value: 0.3, driver: day(2) },
    ])
  })

  it('are summed where the log has no dates', () => {
    expect(totalsReasons({ days }, { rows: 5000, reward: 500 }, ANSWER)[0]).toMatchObject({
      code: 'rows-thinned',
    })
  })
})
