import { expect, it } from 'vitest'
import { drawFrom, examinationOf, impressionsOf, softmax, toyLog, type Impression } from './example-log.js'
import { checkPropensityFloor } from './propensity-floor.js'

const check = (rows: readonly Impression[]) => checkPropensityFloor(examinationOf(rows))

it('calls a floor put on afterwards a problem, for any seed', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const findings = check(toyLog((row) => ({ ...row, propensity: Math.max(row.propensity!, 0.005) }), seed))
    expect(findings).toMatchObject([{ code: 'propensity-floor', level: 'problem' }])
    expect(findings[0]!.numbers['floor']).toBe(0.005)
  }
})

it('finds it user by user when the logger looks at the user', () => {
  const logging = (user: number): number[] =>
    softmax(Array.from({ length: 20 }, (_, item) => ((item * 7 + user) % 20) / 3))
  const rows = impressionsOf(
    { users: 5, exposures: 1000, items: 20, logging, clickRate: () => 0.2 },
    drawFrom(1),
  )
  expect(check(rows)).toEqual([])
  const floored = check(rows.map((row) => ({ ...row, propensity: Math.max(row.propensity!, 0.02) })))
  expect(floored).toMatchObject([{ level: 'problem' }])
  expect(floored[0]!.rows.length).toBeGreaterThan(0)
})

it('notes a floor the logger explores with', () => {
  const logging = (user: number): number[] => [0, 1, 2, 3].map((item) => 0.05 + (item === user % 4 ? 0.8 : 0))
  const rows = impressionsOf(
    { users: 100, exposures: 20, items: 4, logging, clickRate: () => 0.2 },
    drawFrom(1),
  )
  expect(check(rows)).toMatchObject([{ code: 'propensity-floor', level: 'note' }])
})

it('notes equally popular items, and passes over few of them', () => {
  const popularity = [400, 300, 200, 150, 120, 100, ...Array.from({ length: 60 }, () => 5)]
  const sum = popularity.reduce((a, b) => a + b)
  const logging = popularity.map((shown) => shown / sum)
  const rows = impressionsOf(
    { users: 500, exposures: 10, items: 66, logging: () => logging, clickRate: () => 0.2 },
    drawFrom(1),
  )
  expect(check(rows)).toMatchObject([{ level: 'note', numbers: { floorItems: 60 } }])
  expect(check(toyLog())).toEqual([])
})

it('does not accuse probabilities of being on a page, which sum to its length', () => {
  const draw = drawFrom(8)
  const rows: Impression[] = []
  for (let page = 0; page < 3000; page++) {
    // Each half of the page shows one of its four items; both halves together have chances that sum to 2.
    for (const [from, chances] of [
      [0, [0.6, 0.2, 0.1, 0.1]],
      [4, [0.5, 0.25, 0.15, 0.1]],
    ] as const) {
      let rest = draw()
      const item = chances.findIndex((chance) => (rest -= chance) < 0)
      const at = item < 0 ? 3 : item
      rows.push({ user: page, item: from + at, reward: page % 2, propensity: chances[at]! })
    }
  }
  expect(check(rows).filter(({ level }) => level === 'problem')).toEqual([])
})
