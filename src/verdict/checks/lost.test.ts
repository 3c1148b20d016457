import { expect, it } from 'vitest'
import type { Log } from '../../log/log.js'
import { drawLog, findFault, HOUR, judgeLog, withRewards } from '../example-log.js'

const { log, visits } = drawLog({ seed: 4, rows: 30_000, days: 21 })

/** A log without the rewards of some rows, which is found out, and what is said of them. */
async function expectFound(whole: Log, isLost: (row: number) => boolean): Promise<string> {
  const faulty = withRewards(whole, (row) => (isLost(row) ? 0 : whole.reward[row]!))
  const found = await findFault('rewards-lost', whole, faulty)
  expect(found!.level).not.toBe('note')
  expect(Math.abs(found!.left)).toBeLessThan(0.35 * Math.abs(found!.off))
  return found!.reason.driver!
}

it.each([
  ['large', log],
  ['small', drawLog({ seed: 4, rows: 2500 }).log],
])('finds a stretch without any reward in a %s log', async (_, whole) => {
  const at = (share: number): number => whole.time![Math.floor(share * whole.rows)]!
  const isLost = (row: number): boolean => whole.time![row]! > at(0.4) && whole.time![row]! < at(0.6)
  expect(await expectFound(whole, isLost)).toMatch(/stretch|hour/)
})

it('finds hours of every day without rewards', async () => {
  const isLost = (row: number): boolean => Math.floor(log.time![row]! / HOUR) % 24 < 9
  expect(await expectFound(log, isLost)).toMatch(/hour/)
})

it('finds hours that lost their rewards now and then', async () => {
  const isLost = (row: number): boolean => Math.floor(log.time![row]! / HOUR) % 5 === 0
  expect(await expectFound(log, isLost)).toBe('hours')
})

it.each([
  ['first', 'place in visits', 1],
  ['last', 'place from the end of visits', -1],
])('finds visits whose %s row lost its reward', async (_, driver, side) => {
  const isLost = (row: number): boolean => {
    for (let other = row - side; other >= 0 && other < log.rows; other -= side) {
      if (visits[other] === visits[row]) return false
      if (Math.abs(log.time![other]! - log.time![row]!) > HOUR) break
    }
    return true
  }
  expect(await expectFound(log, isLost)).toBe(driver)
})

it('finds positions without rewards', async () => {
  const paged = drawLog({ seed: 4, pages: true, rows: 12_000 }).log
  expect(await expectFound(paged, (row) => paged.position![row] === 2)).toBe('position')
})

it('does not accuse items that nobody likes', async () => {
  const chance = (usual: number, { item }: { item: number }): number => (item % 4 === 0 ? 0 : usual)
  expect((await judgeLog(drawLog({ seed: 4, chance }).log)).reasons).toEqual([])
})
