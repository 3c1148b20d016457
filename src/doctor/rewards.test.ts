import fc from 'fast-check'
import { expect, it } from 'vitest'
import { examinationOf, type Impression } from './example-log.js'
import { asFields, worded } from '../advice.js'
import { checkRewards } from './rewards.js'

const check = (rewards: readonly number[]) =>
  checkRewards(examinationOf(rewards.map((reward, k): Impression => ({ user: k % 3, item: k % 2, reward }))))

const advised = (rewards: readonly number[]): string => worded(check(rewards)[0]!.remedy, asFields)

it('accepts rewards in [0, 1] that differ', () => {
  expect(check([0, 1, 0, 0.25])).toEqual([])
})

it('sees a minus sign', () => {
  expect(check([0, -1, 0, -1])).toMatchObject([{ code: 'rewards-are-costs', level: 'problem', rows: [1, 3] }])
  expect(advised([0, -1, 0, -1])).toContain('reward=-reward')
  expect(advised([-20, -5])).toContain("rewardRange: '0,20'")
})

it('notes amounts and ratings, and how to state their range', () => {
  expect(check([1, 5, 0, 4])).toMatchObject([
    {
      code: 'rewards-outside-range',
      level: 'note',
      rows: [1, 3],
      numbers: { smallest: 0, largest: 5, share: 0.5 },
    },
  ])
  expect(advised([1, 5, 2, 4])).toContain("rewardRange: '1,5'")
  expect(advised([10, 100, 35])).toContain("rewardRange: '0,100'")
  expect(advised([-2, 1, 2])).toContain("rewardRange: '-2,2'")
  expect(advised([0, 0, 0, 129.5])).toContain('amounts')
})

it('takes a few other values among clicks for a mistake, not rare amounts among zeros', () => {
  const clicks = Array.from({ length: 200 }, (_, k) => k % 2)
  expect(check([...clicks, 7])).toMatchObject([{ level: 'problem', rows: [200] }])
  expect(check([...clicks, 7, 7, 7, 7, 7, 7])).toMatchObject([{ level: 'note' }])
  expect(check([...Array.from({ length: 2000 }, () => 0), 1, 7.25])).toMatchObject([{ level: 'note' }])
})

it('sees when nothing differs', () => {
  expect(check([0, 0, 0])).toMatchObject([
    { code: 'rewards-constant', level: 'problem', seen: 'None of the 3 rows has a click.' },
  ])
  expect(check([1, 1, 1])).toMatchObject([{ code: 'rewards-constant' }])
})

it('names unreadable rewards beside whatever else there is', () => {
  expect(check([0, NaN, 1, Infinity])).toMatchObject([{ code: 'reward-unreadable', rows: [1, 3] }])
  expect(check([0, NaN, -1]).map(({ code }) => code)).toEqual(['reward-unreadable', 'rewards-are-costs'])
  expect(check([NaN, NaN]).map(({ code }) => code)).toEqual(['reward-unreadable'])
})

it('finds a problem in any rewards unless they are in [0, 1] and differ', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: -3, max: 3 }), { minLength: 2, maxLength: 20 }), (rewards) => {
      const sound =
        rewards.every((reward) => reward >= 0 && reward <= 1) && new Set(rewards.map((r) => r + 0)).size > 1
      expect(check(rewards).length === 0).toBe(sound)
    }),
  )
})

it('tells a log without clicks from one of clicks alone', () => {
  const [none, all] = [check([0, 0, 0])[0]!, check([1, 1, 1])[0]!]
  expect([none.numbers, all.numbers]).toEqual([
    { reward: 0, rows: 3 },
    { reward: 1, rows: 3 },
  ])
  expect([none.rows, all.rows]).toEqual([[0], [0]])
  expect(all.seen).not.toBe(none.seen)
  expect(all.remedy).not.toBe(none.remedy)
  expect(check([1])).toEqual([])
})

it('advises by how far rewards go, and on how many rows', () => {
  const remedies = [
    [...Array.from({ length: 200 }, (_, k) => k % 2), 3],
    [0, 1, 5, 4],
    [0, 1, 4.5],
    [0, 1, 100],
    [0, 1, 101],
    [-1, 0, 1],
  ].map(advised)
  expect(new Set(remedies).size).toBe(6)
  // Stars are whole numbers up to 5, percentages end at 100.
  expect(advised([0, 1, 5])).toContain('clickFrom: 4')
  expect(advised([0, 1, 6])).toContain('percentages')
})
