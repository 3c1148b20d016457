import { expect, it } from 'vitest'
import { drawLog, findFault, judgeLog, withRewards } from '../example-log.js'

const { log, target } = drawLog({ seed: 5 })
const column = { kind: 'column', name: 'target' } as const

it('finds rewards that stand one row off, in the log or for each user', async () => {
  const ofLog = withRewards(log, (row) => log.reward[Math.max(0, row - 1)]!)
  const found = await findFault('rewards-shifted', log, ofLog)
  expect(found!.level).not.toBe('note')
  expect(Math.abs(found!.left)).toBeLessThan(0.1 * Math.abs(found!.off))
  const before = new Map<number, number>()
  const ofUser = withRewards(log, (row) => {
    const taken = before.get(log.user[row]!) ?? 0
    before.set(log.user[row]!, log.reward[row]!)
    return taken
  })
  const own = await findFault('rewards-shifted', log, ofUser)
  expect(own!.reason.message).toContain('of the same user')
  expect(Math.abs(own!.left)).toBeLessThan(0.25 * Math.abs(own!.off))
})

it('finds probabilities of the policy that stand one row off', async () => {
  const shifted = target.map((_, row) => target[Math.min(log.rows - 1, row + 1)]!)
  const found = await findFault('target-shifted', { ...log, target }, { ...log, target: shifted }, column)
  expect(found!.level).not.toBe('note')
  expect(Math.abs(found!.left)).toBeLessThan(0.1 * Math.abs(found!.off))
})

it('says nothing of probabilities that differ by rounding alone', async () => {
  for (let seed = 1; seed <= 5; seed++) expect((await judgeLog(drawLog({ seed }).log)).reasons).toEqual([])
})

it('says nothing of neighbours where most rows share a time', async () => {
  const days = { ...log, time: log.time!.map((time) => Math.floor(time / 86_400_000) * 86_400_000) }
  const off = withRewards(days, (row) => log.reward[Math.max(0, row - 1)]!)
  expect((await judgeLog(off)).reasons.map(({ code }) => code)).not.toContain('rewards-shifted')
})

it('finds that the item before matters', async () => {
  const tiring = drawLog({
    seed: 5,
    rows: 20_000,
    skew: 1,
    chance: (usual, { before }) => (before && before.item >= 8 ? 0.25 * usual : usual),
  })
  const { reasons } = await judgeLog(tiring.log)
  const found = reasons.find(({ code }) => code === 'previous-row-matters')
  expect(found).toMatchObject({ level: 'caution', question: 'rewards' })
  // A uniform policy shows the items that spoil the next row less often.
  expect(found!.shift).toBeGreaterThan(0)
})
