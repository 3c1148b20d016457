import { describe, expect, it } from 'vitest'
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

describe('rows at the floor', () => {
  /** 1000 rows: items of propensities 0.4, 0.2, 0.15 and 0.12, and two at `floor` with `atFloor` rows together. */
  const rows = (floor: number, atFloor: number, change: (k: number) => Partial<Impression> = () => ({})) => {
    const shown = [
      [0.4, 1000 - atFloor - 590],
      [0.2, 250],
      [0.15, 200],
      [0.12, 140],
      [floor, Math.floor(atFloor / 2)],
      [floor, Math.ceil(atFloor / 2)],
    ] as const
    return shown
      .flatMap(([propensity, times], item) => Array.from({ length: times }, () => ({ item, propensity })))
      .map((row, k): Impression => ({ user: k % 50, reward: 0, ...row, ...change(k) }))
  }

  it('are compared with n · b of their items', () => {
    const [finding] = check(rows(0.1, 10))
    expect(finding).toMatchObject({ level: 'problem', rows: [990, 991, 992, 993, 994] })
    expect(finding!.numbers).toEqual({ floor: 0.1, atFloor: 10, share: 0.01, floorItems: 2, expected: 200 })
  })

  it('are as many fewer as a page is long', () => {
    const [finding] = check(rows(0.1, 10, (k) => ({ position: k % 4 })))
    expect(finding!.numbers['expected']).toBeCloseTo(50, 12)
  })

  it('are a problem where half of those expected are missing, beyond chance', () => {
    // 2 · 30 expected: 49 are no surprise, and too few to speak of; 50 are a twentieth of the rows.
    expect(check(rows(0.03, 49))).toEqual([])
    expect(check(rows(0.03, 50))).toMatchObject([{ level: 'note', numbers: { share: 0.05, expected: 60 } }])
    // 20 of 60: 40 too few, more than 5√60 = 38.7; 22 of 60 are not.
    expect(check(rows(0.03, 20))).toMatchObject([{ level: 'problem' }])
    expect(check(rows(0.03, 22))).toEqual([])
    // 101 of 200 are 99 too few, more than 5√200 = 71, but half of them.
    expect(check(rows(0.1, 99))).toMatchObject([{ level: 'problem' }])
    expect(check(rows(0.1, 101))).toMatchObject([{ level: 'note' }])
  })

  it('are not predicted where an item has several propensities for one user, or rows are thinned', () => {
    const varying = check(rows(0.1, 100, (k) => (k % 2 === 0 && k < 410 ? { propensity: 0.3 } : {})))
    expect(varying).toMatchObject([{ level: 'note' }])
    expect(varying[0]!.numbers).not.toHaveProperty('expected')
    const { log, mapping } = examinationOf(rows(0.1, 60))
    const thinned = checkPropensityFloor({
      log: { ...log, weight: new Float64Array(log.rows).fill(1) },
      mapping,
    })
    expect(thinned).toMatchObject([{ level: 'note' }])
    expect(thinned[0]!.numbers).not.toHaveProperty('expected')
  })

  it('are no floor where all rows are there', () => {
    expect(check(rows(0.1, 100).map((row) => ({ ...row, propensity: 0.1 })))).toEqual([])
  })

  it('of one item alone are no floor', () => {
    expect(check(rows(0.1, 100).map((row) => ({ ...row, item: Math.min(row.item as number, 4) })))).toEqual(
      [],
    )
  })
})

it('is seen where propensities vary by user, by items that are mostly at the floor', () => {
  const draw = drawFrom(9)
  const tables = Array.from({ length: 150 }, () =>
    softmax(Array.from({ length: 30 }, (_, item) => (item < 8 ? 2 : -1 - (item % 3)) + 0.3 * draw())),
  )
  const rows = impressionsOf(
    { users: 150, exposures: 20, items: 30, logging: (user) => tables[user]!, clickRate: () => 0.1 },
    draw,
  )
  const raised = rows.map((row) => ({ ...row, propensity: Math.max(row.propensity!, 0.02) }))
  expect(checkPropensityFloor(examinationOf(raised))).toMatchObject([
    { level: 'problem', lowersTo: 'caution' },
  ])
  expect(checkPropensityFloor(examinationOf(rows)).filter(({ level }) => level === 'problem')).toEqual([])
})
