import { describe, expect, it } from 'vitest'
import { randomStream } from '../../random/stream.js'
import { DAY, drawLog, findFault, judgeLog, keepRows, withRewards } from '../example-log.js'

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

describe('days that earn otherwise than others', () => {
  const dayOf = (row: number): number => Math.floor((log.time![row]! - log.time![0]!) / DAY)
  const { uniform } = randomStream(2, 'days')
  const chances = log.reward.map(() => uniform())

  it('are found where rows without a click are missing, by the days that have them', async () => {
    const kept = keepRows(
      log,
      (row) => dayOf(row) < 6 || dayOf(row) > 12 || log.reward[row]! > 0 || chances[row]! < 0.3,
    )
    const found = await findFault('rewards-of-days', log, kept)
    expect(found!.reason.level).toBe('refuse')
    expect(found!.reason.message).toMatch(/missing in \d days/)
    expect(Math.abs(found!.left)).toBeLessThan(0.25 * Math.abs(found!.off))
  })

  it('are a caution where rewards count for less, which a change of the offer would look like', async () => {
    const lost = withRewards(log, (row) => (dayOf(row) >= 9 && chances[row]! < 0.4 ? 0 : log.reward[row]!))
    const found = await findFault('rewards-of-days', log, lost)
    expect(found!.reason.level).toBe('caution')
    expect(found!.reason.driver).toMatch(/^\d+ days at the end of the log$/)
  })

  it('are not seen in a steady trend, or where weekends differ', async () => {
    const trend = drawLog({
      seed: 4,
      days: 21,
      chance: (usual, { time }) => usual * ((time - 1.76e12) / DAY / 12),
    })
    const weekends = drawLog({
      seed: 4,
      days: 21,
      chance: (usual, { time }) => usual * (Math.floor(time / DAY) % 7 < 2 ? 1.6 : 0.8),
    })
    for (const one of [trend, weekends]) expect((await judgeLog(one.log)).reasons).toEqual([])
  })
})
