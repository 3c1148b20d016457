import { describe, expect, it } from 'vitest'
import { asFields, worded } from '../advice.js'
import { drawFrom, examinationOf, impressionsOf, toyLog, toyWorld, type Impression } from './example-log.js'
import { checkConstantPropensity } from './propensity-constant.js'

const check = (rows: readonly Impression[]) => checkConstantPropensity(examinationOf(rows))
const placeholder = (propensity: number): Impression[] => toyLog((row) => ({ ...row, propensity }))

it('notes uniform logging, rounded or with items unseen', () => {
  const uniform = (exposures: number, propensity: number): Impression[] =>
    impressionsOf(
      toyWorld({ exposures, logging: () => Array.from({ length: 150 }, () => 1 / 150) }),
      drawFrom(2),
    ).map((row) => ({ ...row, propensity }))
  for (const propensity of [1 / 150, 0.006667, 1 / 1000]) {
    expect(check(uniform(5, propensity))).toMatchObject([{ code: 'propensity-constant', level: 'note' }])
  }
})

it.each([1, 0.5, 0.1, 0.02])('calls %f on 200 items a problem', (value) => {
  expect(check(placeholder(value))).toMatchObject([
    { code: 'propensity-constant', level: 'problem', numbers: { propensity: value } },
  ])
})

it('sees a percentage', () => {
  const [finding] = check(placeholder(0.5))
  expect(worded(finding!.remedy, asFields)).toContain('by 100')
  expect(worded(check(placeholder(1))[0]!.remedy, asFields)).not.toContain('by 100')
})

it('allows pages, and short lists of candidates for each user', () => {
  const draw = drawFrom(4)
  const shuffled = Array.from({ length: 400 }, (_, k) => ({
    user: k % 40,
    item: Math.floor(draw() * 90),
    reward: k % 2,
    propensity: 1 / 3,
    position: (k % 3) + 1,
  }))
  expect(check(shuffled)).toMatchObject([{ level: 'note' }])
  const candidates = Array.from({ length: 2000 }, (_, k) => ({
    user: k % 100,
    item: (k % 100) * 3 + Math.floor(10 * draw()),
    reward: 1,
    propensity: 0.1,
  }))
  expect(check(candidates)).toMatchObject([{ level: 'note' }])
})

it('allows the chance of being among five items drawn without replacement', () => {
  const draw = drawFrom(5)
  const rows: Impression[] = []
  for (let user = 0; user < 200; user++) {
    const items = Array.from({ length: 50 }, (_, item) => item)
    for (let k = 0; k < 5; k++)
      rows.push({
        user,
        item: items.splice(Math.floor(draw() * items.length), 1)[0]!,
        reward: k % 2,
        propensity: 0.1,
      })
  }
  expect(check(rows)).toMatchObject([{ level: 'note' }])
})

it('says nothing when values differ', () => {
  expect(check(toyLog())).toEqual([])
})

describe('a value on every row', () => {
  /** So many rows, of users and items in turn. */
  const rows = (length: number, users: number, items: number, propensity: number): Impression[] =>
    Array.from({ length }, (_, k) => ({
      user: k % users,
      item: Math.floor(k / users) % items,
      reward: 0,
      propensity,
    }))

  it('is uniform up to 1/K, rounded to four digits', () => {
    for (const [value, level] of [
      [1 / 8, 'note'],
      [0.12512, 'note'],
      [0.1252, 'problem'],
    ] as const)
      expect(check(rows(64, 64, 1, value).map((row, k) => ({ ...row, item: k % 8 })))).toMatchObject([
        { level, rows: [0], numbers: { propensity: value, items: 8, candidates: 1 / value } },
      ])
  })

  it('is that of several draws without replacement where no user sees an item again', () => {
    // Two users saw each of 4 of 8 items: b is 4/8, to 2 %.
    const without = (propensity: number): Impression[] =>
      rows(8, 2, 8, propensity).map((row, k) => ({ ...row, item: k }))
    expect(check(without(0.5))).toMatchObject([{ level: 'note' }])
    expect(check(without(0.505))).toMatchObject([{ level: 'note' }])
    expect(check(without(0.52))).toMatchObject([{ level: 'problem' }])
  })

  it('is that of a page where it is at most L/K, or 1/L', () => {
    const onPages = (propensity: number): Impression[] =>
      rows(64, 1, 8, propensity).map((row, k) => ({ ...row, position: k % 3 }))
    expect(check(onPages(3 / 8))).toMatchObject([{ level: 'note' }])
    expect(check(onPages(0.376))).toMatchObject([{ level: 'problem' }])
  })
})
