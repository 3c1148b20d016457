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
import { checkTarget } from './target-sum.js'

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
