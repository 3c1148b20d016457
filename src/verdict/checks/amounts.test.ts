import { expect, it } from 'vitest'
import { drawLog, findFault, judgeLog, withRewards } from '../example-log.js'

const amount = (uniform: number): number => Math.ceil(20 / (0.1 + uniform))
const { log } = drawLog({ seed: 10, users: 600, amount })

it.each([
  ['large', 100],
  ['small', 0.01],
])('finds users whose amounts are %s since they are in another unit', async (size, factor) => {
  const isAbroad = (row: number): boolean => log.user[row]! % 20 === 0
  const faulty = withRewards(log, (row) => log.reward[row]! * (isAbroad(row) ? factor : 1))
  const found = await findFault('amounts-of-two-sizes', log, faulty)
  expect(found!.reason.driver).toBe(`users with ${size} amounts`)
  expect(found!.level).not.toBe('refuse')
  expect(Math.abs(found!.left)).toBeLessThan(0.2 * Math.abs(found!.off))
})

it('says nothing of dear items, nor of users who differ by and by', async () => {
  const dear = withRewards(log, (row) => log.reward[row]! * (log.item[row]! < 3 ? 100 : 1))
  const rich = withRewards(log, (row) => log.reward[row]! * 1.01 ** log.user[row]!)
  for (const one of [dear, rich])
    expect((await judgeLog(one)).reasons.map(({ code }) => code)).not.toContain('amounts-of-two-sizes')
})
