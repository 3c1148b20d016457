import { expect, it } from 'vitest'
import { drawLog, findFault, HOUR, judgeLog, keepRows, withRewards } from '../example-log.js'

const { log, visits } = drawLog({ seed: 8, rows: 20_000, visit: 6 })

/** The rows that end a visit, by the side on which no row of it stands. */
function ends(side: 1 | -1): Set<number> {
  const found = new Map<number, number>()
  for (let row = 0; row < log.rows; row++)
    if (side === 1 || !found.has(visits[row]!)) found.set(visits[row]!, row)
  return new Set(found.values())
}

it.each([
  ['first', ends(-1)],
  ['last', ends(1)],
])('finds visits whose %s row is missing where it has no reward', async (end, rows) => {
  const kept = keepRows(log, (row) => log.reward[row]! > 0 || !rows.has(row))
  const found = await findFault('ends-of-visits', log, kept)
  expect(found!.reason).toMatchObject({ level: 'caution', driver: `${end} rows of visits` })
  expect(found!.reason.message).toContain(`without the ${end} rows of visits`)
  expect(Math.abs(found!.left)).toBeLessThan(0.35 * Math.abs(found!.off))
})

it('finds rows that a refresh has lost, by the last rows of visits', async () => {
  const last = ends(1)
  const kept = keepRows(log, (row) => log.reward[row]! > 0 || last.has(row) || row % 5 < 2)
  const found = await findFault('ends-of-visits', log, kept)
  expect(found!.reason.message).toContain('by the last rows of visits alone')
  expect(Math.abs(found!.left)).toBeLessThan(0.35 * Math.abs(found!.off))
})

it('leaves ends without any reward to what has lost them, and times that are all alike alone', async () => {
  const last = ends(1)
  const lost = withRewards(log, (row) => (last.has(row) ? 0 : log.reward[row]!))
  const hours = { ...log, time: log.time!.map((time) => HOUR * Math.floor(time / HOUR)) }
  for (const one of [lost, hours])
    expect((await judgeLog(one)).reasons.map(({ code }) => code)).not.toContain('ends-of-visits')
})
