import { describe, expect, it } from 'vitest'
import {
  drawFrom,
  examinationOf,
  impressionsOf,
  softmax,
  toyWorld,
  type ExampleWorld,
  type Impression,
} from './example-log.js'
import { checkTarget, pageLength, roundingOfSum } from './targets.js'

const check = (rows: readonly Impression[]) => checkTarget(examinationOf(rows))
const toy = (
  target: (user: number) => readonly number[],
  changes: Partial<ExampleWorld> = {},
): Impression[] => impressionsOf(toyWorld({ target, ...changes }), drawFrom(1))
const all = (value: (item: number) => number): number[] =>
  Array.from({ length: 200 }, (_, item) => value(item))

describe('a target that sums to one', () => {
  it('is accepted, rounded or not', () => {
    expect(check(toy(() => all(() => 1 / 200)))).toEqual([])
    const byUser = (user: number): number[] => softmax(all((item) => (item * user) % 7))
    expect(check(toy(byUser))).toEqual([])
    expect(check(toy((user) => byUser(user).map((p) => Number(p.toFixed(4)))))).toEqual([])
    expect(
      check(
        toy(() => all(() => 0.00667), {
          items: 150,
          logging: () => Array.from({ length: 150 }, () => 1 / 150),
        }),
      ),
    ).toEqual([])
  })

  it('is accepted when it changes from moment to moment', () => {
    const draw = drawFrom(2)
    const rows = Array.from({ length: 2000 }, (_, k) => {
      const item = Math.floor(10 * draw())
      return {
        user: k % 50,
        item,
        reward: 1,
        propensity: 0.1,
        target: item === Math.floor(10 * draw()) ? 1 : 0,
      }
    })
    expect(check(rows)).toEqual([])
  })
})

describe('a target that does not', () => {
  it('is found when it looks at the item only', () => {
    expect(check(toy(() => all(() => 0.01)))).toMatchObject([
      { code: 'target-sum', level: 'problem', rows: [0, 1, 2, 3, 4] },
    ])
  })

  it('is found when it looks at the user', () => {
    const scores = (user: number): number[] => all((item) => 0.2 + ((item * user) % 7) / 10)
    const findings = check(toy(scores, { exposures: 10 }))
    expect(findings).toMatchObject([{ code: 'target-sum', level: 'problem' }])
    expect(findings[0]!.numbers['largestSum']).toBeGreaterThan(1)
  })

  it('is found by the mean weight when it is too small, or varies by moment', () => {
    const small = check(toy(() => all(() => 0.5 / 200)))
    expect(small).toMatchObject([{ code: 'target-sum', level: 'problem' }])
    expect(small[0]!.numbers['meanWeight']).toBeCloseTo(0.5, 0)
    const draw = drawFrom(3)
    const rows = Array.from({ length: 2000 }, (_, k) => ({
      user: k % 50,
      item: Math.floor(10 * draw()),
      reward: 1,
      propensity: 0.1,
      target: 0.3 * draw(),
    }))
    expect(check(rows)).toMatchObject([{ code: 'target-sum', level: 'problem' }])
  })

  it('is only noted without propensities or repeats to confirm it', () => {
    const rows = Array.from({ length: 200 }, (_, k) => ({ user: k % 20, item: k, reward: 1, target: 0.3 }))
    expect(check(rows)).toMatchObject([{ code: 'target-sum', level: 'note' }])
  })
})

it('names target probabilities outside [0, 1]', () => {
  const wrong = new Map([
    [4, 1.2],
    [9, -0.1],
    [12, NaN],
  ])
  const rows = toy(() => all(() => 1 / 200)).map((row, k) => ({
    ...row,
    target: wrong.get(k) ?? row.target!,
  }))
  expect(check(rows)).toMatchObject([{ code: 'target-outside-range', level: 'problem', rows: [4, 9, 12] }])
})

it('does not accuse a target whose weights have heavy tails', () => {
  const logging = softmax(all((item) => item / 10))
  for (let seed = 1; seed <= 50; seed++) {
    const rows = impressionsOf(
      toyWorld({ logging: () => logging, target: () => softmax(all((item) => item / 14)) }),
      drawFrom(seed),
    )
    expect(check(rows)).toEqual([])
  }
})

describe('sums of a target, worked out by hand', () => {
  /** Users who saw each of some items `times` over, with a target. */
  const rows = (
    users: number,
    items: number,
    times: number,
    target: (user: number, item: number, time: number) => number,
    more: Partial<Impression> = {},
  ): Impression[] =>
    Array.from({ length: users * items * times }, (_, k) => {
      const [user, item, time] = [Math.floor(k / (items * times)), k % items, Math.floor(k / items) % times]
      return { user, item, reward: 0, target: target(user, item, time), ...more }
    })

  it('are over all items where ten users agree', () => {
    expect(check(rows(4, 4, 1, () => 0.5))).toMatchObject([
      { level: 'problem', rows: [0, 1, 2, 3], numbers: { sum: 2, items: 4, pageLength: 1 } },
    ])
    // Of three users, two agree with the first about four items: too few to be sure.
    expect(check(rows(3, 4, 1, () => 0.5))).toMatchObject([
      { level: 'note', numbers: { users: 3, share: 1, largestSum: 2, pageLength: 1 } },
    ])
  })

  it('are not over all items where one user alone repeats them, and name rows with a share', () => {
    expect(check(rows(1, 4, 5, () => 0.5))).toMatchObject([
      { level: 'problem', numbers: { users: 1, share: 1, largestSum: 2 } },
    ])
    expect(check(rows(8, 4, 1, (_user, item) => (item % 2 === 0 ? 0 : 0.75)))).toMatchObject([
      { level: 'problem', rows: [1, 3], numbers: { sum: 1.5, items: 4 } },
    ])
  })

  it('may be as large as a page is long', () => {
    const onPages = rows(4, 4, 1, () => 0.5).map((row, k) => ({ ...row, position: k % 2 }))
    expect(check(onPages)).toEqual([])
    expect(check(onPages.map((row) => ({ ...row, target: 0.6 })))).toMatchObject([
      { numbers: { sum: 2.4, items: 4, pageLength: 2 } },
    ])
  })

  it('are of each user where users differ, and name the worst', () => {
    const findings = check(rows(12, 2, 2, (user) => 0.45 + user / 100))
    // Users 6 to 11 have more than 1, the last 1.12.
    expect(findings).toMatchObject([{ level: 'problem', rows: [44, 45, 46, 47] }])
    expect(findings[0]!.numbers).toMatchObject({ users: 6, share: 0.5, pageLength: 1 })
    expect(findings[0]!.numbers['largestSum']).toBeCloseTo(1.12, 12)
  })

  it('say nothing where a user’s own target changes', () => {
    expect(check(rows(12, 2, 2, (_user, _item, time) => 0.6 + time / 10))).toEqual([])
  })
})

describe('the mean weight of a target, worked out by hand', () => {
  /** 100 users with four rows on two items of propensity 1/2. */
  const weighed = (target: (user: number, k: number) => number, items = 2): Impression[] =>
    Array.from({ length: 400 }, (_, k) => {
      const user = Math.floor(k / 4)
      return { user, item: k % items, reward: 0, propensity: 0.5, target: target(user, k) }
    })

  it('has the spread of users as its error', () => {
    const [finding] = check(weighed((user) => (user < 50 ? 0.3 : 0.4)))
    expect(finding).toMatchObject({ level: 'problem', rows: [0, 1, 2, 3, 4] })
    // w = 0.6 or 0.8: a user is 0.4 off, Σ² = 16 · 100/99; (Σw)²/Σw² = 280²/200.
    expect(finding!.numbers['meanWeight']).toBeCloseTo(0.7, 12)
    expect(finding!.numbers['standardError']).toBeCloseTo(Math.sqrt(1600 / 99) / 400, 12)
    expect(finding!.numbers['effectiveSampleSize']).toBeCloseTo(392, 9)
  })

  it('has that of rows where users say the same', () => {
    const [finding] = check(weighed((_, k) => (Math.floor(k / 2) % 2 === 0 ? 0.65 : 0.75)))
    expect(finding!.numbers['meanWeight']).toBeCloseTo(1.4, 12)
    expect(finding!.numbers['standardError']).toBeCloseTo(Math.sqrt(400 * 0.01) / 400, 12)
    expect(finding!.rows).toEqual([0, 1, 2, 3, 4])
    // A row that weighs 1 is not among those that weigh too much.
    const [other] = check(weighed((_, k) => (k === 1 ? 0.5 : Math.floor(k / 2) % 2 === 0 ? 0.65 : 0.75)))
    expect(other!.rows).toEqual([0, 2, 3, 4, 5])
  })

  it('counts rows by what they stand for', () => {
    const { log, mapping } = examinationOf(weighed((user) => (user < 50 ? 0.3 : 0.4)))
    const weight = Float64Array.from({ length: 400 }, (_, k) => (k < 200 ? 3 : 1))
    const [finding] = checkTarget({ log: { ...log, weight }, mapping })
    // (600 · 0.6 + 200 · 0.8)/800.
    expect(finding!.numbers['meanWeight']).toBeCloseTo(0.65, 12)
  })

  it('may be 5 % off', () => {
    const around = (mean: number): Impression[] =>
      weighed((_, k) => mean + (Math.floor(k / 2) % 2 === 0 ? 0.01 : -0.01))
    expect(check(around(0.52))).toEqual([])
    expect(check(around(0.53))).toHaveLength(1)
    expect(check(weighed(() => 0.48))).toEqual([])
    // 5.2 % are missing, but so much may stand behind the other item of each row: 1 − π > 400 · 0.052/20 · (1 − b).
    expect(check(weighed(() => 0.474))).toEqual([])
  })

  it('is not asked for where fewer than 100 rows are effective, or one holds a twentieth of the weight', () => {
    const halves = weighed(() => 0.25)
    expect(check(halves.slice(0, 99))).toEqual([])
    expect(check(halves.slice(0, 100))).toMatchObject([{ numbers: { effectiveSampleSize: 100 } }])
    // Weights of 1.5 on average, 600 in all, and one of 20 or of 40.
    const heavy = (propensity: number): Impression[] =>
      weighed((_, k) => (Math.floor(k / 2) % 2 === 0 ? 0.8 : 0.7)).with(0, {
        user: 0,
        item: 0,
        reward: 0,
        target: 0.8,
        propensity,
      })
    expect(check(heavy(0.04))).toHaveLength(1)
    expect(check(heavy(0.02))).toEqual([])
  })

  it('may be missing on items that were hardly met', () => {
    // As many items as rows: what was met once says that as much again was not met at all.
    expect(check(weighed(() => 0.35, 400))).toEqual([])
    expect(check(weighed(() => 0.35, 200))).toHaveLength(1)
  })
})

describe('the length of a page', () => {
  const length = (rows: readonly Partial<Impression>[]): number =>
    pageLength(examinationOf(rows.map((row) => ({ user: 1, item: 1, reward: 0, ...row }))).log)

  it('is 1 where neither slates nor positions are known', () => {
    expect(length([{}, {}, {}])).toBe(1)
  })

  it('is the size of the largest slate', () => {
    expect(length(['a', 'b', 'a', 'c', 'a', 'b'].map((slate) => ({ slate })))).toBe(3)
    const { slateIds: _, ...log } = examinationOf(
      [0, 1, 1, 2].map((slate) => ({ user: 1, item: 1, reward: 0, slate })),
    ).log
    expect(pageLength(log)).toBe(2)
  })

  it('is the number of different positions, those that are none left out', () => {
    expect(length([1, 2, 5, 2, NaN].map((position) => ({ position })))).toBe(3)
  })

  it('is the larger where both are known', () => {
    expect(length([1, 2, 3].map((position) => ({ position, slate: 'a' })))).toBe(3)
    expect(length([1, 1, 2].map((position) => ({ position, slate: 'a' })))).toBe(3)
    expect(length([1, 2, 3].map((position) => ({ position, slate: position })))).toBe(3)
  })
})

describe('the rounding of a sum', () => {
  it('covers the error of 150 values rounded to five decimals', () => {
    expect(roundingOfSum(Float64Array.of(0.00667), 150, 150 * 0.00667)).toBeGreaterThanOrEqual(
      150 * Math.abs(0.00667 - 1 / 150),
    )
  })

  it('allows next to nothing for values written in full', () => {
    expect(roundingOfSum(Float64Array.of(1 / 3, 1 / 7), 200, 1)).toBeLessThan(1e-12)
  })

  it('does not excuse a sum of plain numbers', () => {
    expect(roundingOfSum(Float64Array.of(0.5, 0.2), 3, 1.2)).toBeLessThan(0.01)
  })

  it('is half a unit of the last decimal for each, or of the last digit of the sum', () => {
    // Four decimals and three addends: 3 · 0.00005; the sum of 1 has four digits: 0.0005.
    expect(roundingOfSum(Float64Array.of(0.1234), 3, 1)).toBeCloseTo(0.0005, 15)
    expect(roundingOfSum(Float64Array.of(0.1234), 30, 1)).toBeCloseTo(0.0015, 15)
    // Three decimals and four digits at least; 1.5e-7 has eight decimals, and no more digits.
    expect(roundingOfSum(Float64Array.of(0.5, NaN), 4, 1)).toBeCloseTo(0.002, 15)
    expect(roundingOfSum(Float64Array.of(1.5e-7), 1000, 1e-4)).toBeCloseTo(0.000005, 15)
    expect(roundingOfSum(Float64Array.of(0.00012345), 1, 1)).toBeCloseTo(0.00005, 15)
  })
})
