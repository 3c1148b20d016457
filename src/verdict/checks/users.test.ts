import { expect, it } from 'vitest'
import { drawLog, findFault, judgeLog, keepRows, withRewards } from '../example-log.js'

const { log } = drawLog({ seed: 9, users: 300 })

it('finds users who clicked in every row', async () => {
  const robot = (row: number): boolean => log.user[row]! % 20 === 0
  const found = await findFault(
    'users-click-everything',
    keepRows(log, (row) => !robot(row)),
    withRewards(log, (row) => (robot(row) ? 1 : log.reward[row]!)),
  )
  expect(found!.level).not.toBe('note')
  expect(Math.abs(found!.left)).toBeLessThan(0.05 * found!.off)
})

it('says nothing where most users do', async () => {
  const { log: keen } = drawLog({ seed: 9, users: 300, chance: (_, { user }) => (user % 4 === 0 ? 0.1 : 1) })
  expect((await judgeLog(keen)).reasons).toEqual([])
})

it('notes one user with a large share of the rows, whom the interval allows for', async () => {
  const guest = { ...log, user: log.user.map((user, row) => (row % 4 === 0 ? 0 : user)) }
  const found = (await judgeLog(guest)).reasons.find(({ code }) => code === 'one-user-dominates')
  expect(found).toMatchObject({ level: 'note' })
  expect(found!.value).toBeCloseTo(0.25, 1)
})
