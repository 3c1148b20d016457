import { describe, expect, it } from 'vitest'
import { drawFrom, examinationOf, type Impression, without } from './example-log.js'
import { checkItemDeficit } from './item-deficit.js'

/** Rows by 100 users in turn, 40 each: item 0 has the probability given for the row, the others share the rest. */
function drawn(seed: number, first: (user: number, row: number) => number, logged = first): Impression[] {
  const draw = drawFrom(seed)
  return Array.from({ length: 4000 }, (_, k): Impression => {
    const user = Math.floor(100 * draw())
    const b = first(user, k)
    const item = draw() < b ? 0 : 1 + Math.floor(5 * draw())
    const propensity = item === 0 ? logged(user, k) : (1 - b) / 5
    return { user, item, reward: 0, propensity, time: 1e12 + 1000 * k }
  })
}
const check = (rows: readonly Impression[]) => checkItemDeficit(examinationOf(rows))

it('finds an item logged as four times as likely as it is', () => {
  for (let seed = 1; seed <= 5; seed++)
    expect(
      check(
        drawn(
          seed,
          () => 0.1,
          () => 0.4,
        ),
      ),
    ).toMatchObject([
      { code: 'item-deficit', level: 'problem', lowersTo: 'caution', numbers: { inBalance: 5, judged: 6 } },
    ])
  expect(
    check(
      drawn(
        1,
        () => 0.1,
        () => 0.4,
      ),
    )[0]!.seen,
  ).toContain('item 0')
})

describe('is no problem where', () => {
  const problems = (rows: readonly Impression[]) => check(rows).filter(({ level }) => level === 'problem')

  it('the propensities are right', () => {
    for (let seed = 1; seed <= 10; seed++) expect(check(drawn(seed, () => 0.1))).toEqual([])
  })

  it('the item came late or left early', () => {
    for (let seed = 1; seed <= 10; seed++) {
      expect(check(drawn(seed, (_, k) => (k > 2500 ? 0.2 : 0)))).toEqual([])
      expect(check(drawn(seed, (_, k) => (k < 800 ? 0.2 : 0)))).toEqual([])
    }
  })

  it('the item was for some users alone, or away for a time', () => {
    for (let seed = 1; seed <= 10; seed++) {
      expect(problems(drawn(seed, (user) => (user < 20 ? 0.3 : 0)))).toEqual([])
      expect(problems(drawn(seed, (_, k) => (k > 800 && k < 3200 ? 0 : 0.3)))).toEqual([])
    }
  })

  it('there are no times to tell', () => {
    const rows = drawn(
      1,
      () => 0.1,
      () => 0.4,
    ).map((row) => without(row, 'time'))
    expect(check(rows)).toMatchObject([{ level: 'note' }])
    expect(check(rows)[0]).not.toHaveProperty('lowersTo')
  })
})
