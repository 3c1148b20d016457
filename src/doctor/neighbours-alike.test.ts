import { describe, expect, it } from 'vitest'
import { drawFrom, examinationOf, type Impression } from './example-log.js'
import { checkNeighboursAlike, neighbourCorrelations } from './neighbours-alike.js'

interface Visits {
  readonly rows?: number
  /** Rows of one session, which share a click rate. */
  readonly session?: number
  /** The click rate at a place in the file. */
  readonly rate?: (row: number) => number
  readonly timed?: boolean
}

/** Each row has a user of its own. */
function drawn(
  seed: number,
  { rows = 4000, session = 1, rate = () => 0.2, timed = false }: Visits,
): Impression[] {
  const draw = drawFrom(seed)
  let mood = 1
  return Array.from({ length: rows }, (_, k): Impression => {
    if (k % session === 0) mood = draw() < 0.5 ? 1.7 : 0.3
    const item = Math.floor(6 * draw())
    return {
      user: `request ${k}`,
      item,
      reward: draw() < rate(k) * (0.5 + item / 5) * (session > 1 ? mood : 1) ? 1 : 0,
      propensity: 1 / 6,
      ...(timed && { time: Date.UTC(2024, 2, 4) + 300_000 * k }),
    }
  })
}
const check = (rows: readonly Impression[]) => checkNeighboursAlike(examinationOf(rows))

it('correlates values with those one to four places on, and twenty-one to forty', () => {
  const draw = drawFrom(1)
  const values = Float64Array.from({ length: 200 }, () => draw() - 0.5)
  const at = (lag: number): number =>
    values.reduce((sum, value, k) => sum + value * (values[k + lag] ?? 0), 0)
  const mean = (from: number, to: number): number => {
    let sum = 0
    for (let lag = from; lag <= to; lag++) sum += at(lag)
    return sum / (to - from + 1) / at(0)
  }
  const { near, far } = neighbourCorrelations(values)
  expect(near).toBeCloseTo(mean(1, 4), 10)
  expect(far).toBeCloseTo(mean(21, 40), 10)
  const backwards = Uint32Array.from(values, (_, k) => values.length - 1 - k)
  expect(neighbourCorrelations(values, backwards).near).toBeCloseTo(near, 10)
})

describe('sessions without a column', () => {
  it('are found, short and long, in the order of the file and of time', () => {
    for (const session of [4, 10, 50]) {
      const [found] = check(drawn(1, { rows: 8000, session }))
      expect(found).toMatchObject({ code: 'neighbours-alike', lowersTo: 'caution', column: 'user' })
    }
    const rows = drawn(2, { session: 10, timed: true })
    expect(check(rows)).toHaveLength(1)
    expect(check(rows.toSorted((a, b) => Number(a.item) - Number(b.item)))).toHaveLength(1)
  })

  it('are not looked for where users have several rows', () => {
    const rows = drawn(1, { session: 10 }).map((row, k) => ({ ...row, user: Math.floor(k / 10) }))
    expect(check(rows)).toEqual([])
  })
})

describe('a sound log with a user for each row', () => {
  it.each([
    ['of one rate', {}],
    ['of a rate that rises', { rate: (k) => 0.1 + k / 20_000 }],
    [
      'of weak nights, with times',
      { rate: (k) => 0.2 * (1 + 0.8 * Math.sin((2 * Math.PI * k) / 288)), timed: true },
    ],
    ['of days that differ', { rate: (k) => 0.1 + 0.1 * ((Math.floor(k / 288) * 5) % 3), timed: true }],
  ] satisfies [string, Visits][])('%s is not suspected', (_, visits) => {
    for (let seed = 1; seed <= 8; seed++) expect(check(drawn(seed, visits))).toEqual([])
  })

  it('is not suspected in the order of its items or clicks', () => {
    for (let seed = 1; seed <= 4; seed++) {
      const rows = drawn(seed, {})
      expect(check(rows.toSorted((a, b) => Number(a.item) - Number(b.item)))).toEqual([])
      expect(check(rows.toSorted((a, b) => a.reward - b.reward))).toEqual([])
    }
  })
})
