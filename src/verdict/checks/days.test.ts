import { expect, it } from 'vitest'
import { randomStream } from '../../random/stream.js'
import { DAY, drawLog, findFault, judgeLog, withRewards } from '../example-log.js'

const { log } = drawLog({ seed: 4, rows: 30_000, days: 21 })
const end = log.time!.at(-1)!

it('finds rewards of the last days that are still to come', async () => {
  const { uniform } = randomStream(1, 'waits')
  const wait = log.time!.map(() => -2 * DAY * Math.log(1 - uniform()))
  const late = withRewards(log, (row) => (log.time![row]! + wait[row]! > end ? 0 : log.reward[row]!))
  const found = await findFault('rewards-late', log, late)
  expect(found!.reason.level).not.toBe('note')
  expect(found!.reason.driver).toMatch(/^the last (\d days|day)$/)
  expect(Math.abs(found!.left)).toBeLessThan(0.5 * Math.abs(found!.off))
})

it('does not take a good week that ends for rewards to come', async () => {
  const week = drawLog({
    seed: 4,
    days: 21,
    chance: (usual, { time }) => usual * (Math.floor(time / DAY) % 7 < 2 ? 1 : 0.7),
  })
  expect((await judgeLog(week.log)).reasons).toEqual([])
})
