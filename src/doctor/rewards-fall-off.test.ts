import { describe, expect, it } from 'vitest'
import { checkDrift } from './drift.js'
import { drawFrom, examinationOf, type Impression, without } from './example-log.js'
import { checkFallOff } from './rewards-fall-off.js'

const DAY = 86_400_000
const START = Date.UTC(2024, 2, 4)

interface Period {
  readonly rows?: number
  readonly days?: number
  /** The click rate by day, times one by item. */
  readonly rate?: (day: number) => number
  /** Days until an outcome arrives, in the mean; those that arrive after the end are lost. */
  readonly delay?: number
}

function drawn(seed: number, { rows = 4000, days = 14, rate = () => 0.2, delay = 0 }: Period): Impression[] {
  const draw = drawFrom(seed)
  return Array.from({ length: rows }, (_, k): Impression => {
    const day = (days * k) / rows
    const item = Math.floor(8 * draw())
    const isClicked = draw() < rate(day) * (0.6 + item / 10)
    const arrives = day - delay * Math.log(1 - draw())
    return {
      user: Math.floor(400 * draw()),
      item,
      reward: isClicked && arrives < days ? 1 : 0,
      propensity: 1 / 8,
      time: START + Math.floor(DAY * day),
    }
  })
}
const check = (rows: readonly Impression[]) => checkFallOff(examinationOf(rows))

describe('outcomes that are not in yet', () => {
  it('are found, with how many are missing and what to leave out', () => {
    for (const delay of [1.5, 2, 4]) {
      const [found] = check(drawn(1, { rows: 8000, delay }))
      expect(found).toMatchObject({ code: 'rewards-fall-off', level: 'problem', lowersTo: 'caution' })
      // Of a rate α over d days, s/d·(1 − exp(−d/s)) is missing.
      const missing = (delay / 14) * (1 - Math.exp(-14 / delay))
      expect(found!.numbers['missing']).toBeGreaterThan(missing / 2)
      expect(found!.numbers['missing']).toBeLessThan(2 * missing)
      expect(found!.numbers['usual']).toBeGreaterThan(0.16)
      expect(found!.numbers['atEnd']).toBeLessThan(0.06)
    }
  })

  it('are found whatever the order of the file and the unit of times', () => {
    const rows = drawn(2, { delay: 3 })
    const numbers = check(rows)[0]!.numbers
    const byUser = check(rows.toSorted((a, b) => Number(a.user) - Number(b.user)))
    expect(byUser[0]!.numbers['missing']).toBeCloseTo(numbers['missing']!, 9)
    const inSeconds = check(rows.map((row) => ({ ...row, time: row.time! / 1000 })))
    expect(inSeconds[0]!.numbers['missing']).toBeCloseTo(numbers['missing']!, 9)
    const inNumbers = check(rows.map((row, k) => ({ ...row, time: k })))
    expect(inNumbers[0]!.remedy.toString()).not.toContain('days')
  })

  it('are no reason to evaluate on the latest part alone', () => {
    const late = checkDrift(examinationOf(drawn(3, { delay: 3 })))
    expect(late[0]!.remedy).toMatch(/not on the last \d+ days, whose outcomes may still be to come/)
    const rising = checkDrift(examinationOf(drawn(3, { rate: (day) => 0.1 + 0.01 * day })))
    expect(rising[0]!.remedy).toContain('on the latest part alone')
  })
})

describe('a sound log', () => {
  it.each([
    ['does not change', {}],
    ['has days that differ', { rate: (day) => 0.2 * (1 + 0.5 * Math.sin(7 * Math.floor(day))) }],
    ['is weaker at weekends, and ends with one', { rate: (day) => (Math.floor(day) % 7 > 4 ? 0.1 : 0.25) }],
    ['falls slowly by a third', { days: 60, rate: (day) => 0.25 * (1 - day / 180) }],
    ['rises', { rate: (day) => 0.1 + day / 70 }],
    ['has weak nights', { rate: (day) => 0.2 * (1 + 0.8 * Math.sin(2 * Math.PI * day)) }],
    ['has few clicks', { rate: () => 0.01 }],
    ['has outcomes within hours', { delay: 0.1 }],
  ] satisfies [string, Period][])('that %s is not suspected', (_, period) => {
    for (let seed = 1; seed <= 8; seed++) expect(check(drawn(seed, period))).toEqual([])
  })

  it('without times, or with negative rewards, is not judged', () => {
    const rows = drawn(1, { delay: 3 })
    expect(check(rows.map((row) => without(row, 'time')))).toEqual([])
    expect(check(rows.map((row) => ({ ...row, reward: -row.reward })))).toEqual([])
  })
})
