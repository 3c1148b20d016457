import { expect, it } from 'vitest'
import { checkClickOutage } from './click-outage.js'
import { drawFrom, examinationOf, type Impression, without } from './example-log.js'

function drawn(seed: number, rate: (row: number, user: number) => number, users = 300): Impression[] {
  const draw = drawFrom(seed)
  return Array.from({ length: 4000 }, (_, k): Impression => {
    const user = Math.floor(users * draw())
    return { user, item: k % 7, reward: draw() < rate(k, user) ? 1 : 0, time: 1e12 + 1000 * k }
  })
}
const check = (rows: readonly Impression[]) => checkClickOutage(examinationOf(rows))

it('finds a tenth of the time without a click', () => {
  const found = check(drawn(1, (k) => (k >= 1000 && k < 1400 ? 0 : 0.3)))
  expect(found).toMatchObject([{ code: 'click-outage', level: 'problem', lowersTo: 'caution' }])
  expect(found[0]!.rows[0]).toBeGreaterThanOrEqual(1000)
  expect(found[0]!.rows[0]).toBeLessThan(1400)
})

it('finds it in a file in any order, by its times', () => {
  const rows = drawn(1, (k) => (k >= 1000 && k < 1400 ? 0 : 0.3))
  expect(check(rows.toSorted((a, b) => Number(a.item) - Number(b.item)))).toHaveLength(1)
})

it('is silent about sound logs, weak hours, rare clicks and users who never click', () => {
  for (let seed = 1; seed <= 10; seed++) {
    expect(check(drawn(seed, () => 0.3))).toEqual([])
    expect(check(drawn(seed, (k) => (k % 1000 < 400 ? 0.1 : 0.3)))).toEqual([])
    expect(check(drawn(seed, () => 0.01))).toEqual([])
    const byUser = drawn(seed, (_, user) => (user < 3 ? 0 : 0.4), 10).map((row) => without(row, 'time'))
    expect(check(byUser.toSorted((a, b) => Number(a.user) - Number(b.user)))).toEqual([])
    expect(check(byUser.toSorted((a, b) => a.reward - b.reward))).toEqual([])
  }
})
