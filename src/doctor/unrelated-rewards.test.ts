import { expect, it } from 'vitest'
import { drawFrom, examinationOf, type Impression, impressionsOf } from './example-log.js'
import { checkUnrelatedRewards } from './unrelated-rewards.js'

const drawn = (clickRate: (user: number, item: number) => number): Impression[] =>
  impressionsOf(
    { users: 200, exposures: 20, items: 8, logging: () => Array.from({ length: 8 }, () => 1 / 8), clickRate },
    drawFrom(5),
  )
const check = (rows: readonly Impression[]) => checkUnrelatedRewards(examinationOf(rows))

it('notes rewards that were permuted, since they depend on nothing', () => {
  const rows = drawn((_, item) => 0.1 + 0.08 * item)
  expect(check(rows)).toEqual([])
  const permuted = rows.map((row, k) => ({ ...row, reward: rows[(k * 1237) % rows.length]!.reward }))
  expect(check(permuted)).toMatchObject([{ code: 'rewards-unrelated', level: 'note' }])
})

it('is silent where rates depend on the user or the position alone, or clicks are few', () => {
  expect(check(drawn((user) => (user < 100 ? 0.2 : 0.6)))).toEqual([])
  const paged = drawn(() => 0.5).map((row, k) => ({
    ...row,
    position: k % 3,
    reward: k % 3 === 0 ? row.reward : 0,
  }))
  expect(check(paged)).toEqual([])
  expect(check(drawn(() => 0.02))).toEqual([])
})
