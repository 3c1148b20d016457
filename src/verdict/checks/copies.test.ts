import { expect, it } from 'vitest'
import { compare } from '../../estimate/compare.js'
import type { Difference } from '../../estimate/comparison.js'
import type { Log } from '../../log/log.js'
import { drawLog, findFault, judgeLog, repeatRows, SECOND } from '../example-log.js'

const { log } = drawLog({ seed: 7 })
const isClicked = (row: number): boolean => log.reward[row]! > 0

it('finds rows that are in the log twice, and what the answer is without them', async () => {
  const found = await findFault(
    'copied-rows',
    log,
    repeatRows(log, (row) => isClicked(row) && row % 3 === 0),
  )
  expect(found).toMatchObject({ level: 'refuse', left: expect.closeTo(0) })
  expect(found!.others).toEqual([])
  expect(found!.reason.value).toBe(log.reward.filter((r, row) => r > 0 && row % 3 === 0).length)
})

it('finds them for either policy of a difference, which loses the same rows on both sides', async () => {
  const targets = [{ target: { kind: 'logging' } }, { target: { kind: 'uniform' } }] as const
  const differenceIn = async (rows: Log): Promise<Difference> =>
    (await compare(rows, { targets })).differences[0]!
  const sound = await differenceIn(log)
  for (const after of [0, 2 * SECOND]) {
    const { difference, verdict } = await differenceIn(
      repeatRows(log, (row) => isClicked(row) && row % 2 === 0, after),
    )
    const { shift } = verdict.reasons.find(
      ({ code }) => code === (after ? 'rows-sent-again' : 'copied-rows'),
    )!
    expect(Math.abs(difference! + shift! - sound.difference!)).toBeLessThan(0.1 * Math.abs(shift!) + 1e-3)
  }
})

it('finds a log without times that was appended to itself, which changes no rate', async () => {
  const { time: _, ...untimed } = log
  const { time: _time, ...doubled } = repeatRows(log, () => true)
  expect(await findFault('copied-rows', untimed, doubled)).toMatchObject({
    reason: { value: log.rows },
    level: 'note',
    off: expect.closeTo(0),
    left: expect.closeTo(0),
  })
})

it('does not take the two rows of a log that was appended to itself for a visit', async () => {
  const { log: seldom } = drawLog({ seed: 7, visit: 1, users: 2000 })
  const { reasons } = await judgeLog(repeatRows(seldom, () => true))
  expect(reasons.map(({ code }) => code)).not.toContain('rewards-joined-widely')
  expect(reasons).toContainEqual(expect.objectContaining({ code: 'copied-rows', level: 'note' }))
})

it('does not mistake a user who sees an item again for copies', async () => {
  const { time: _, ...untimed } = drawLog({ seed: 7, users: 20, items: 3 }).log
  expect((await judgeLog(untimed)).reasons).toEqual([])
})

it('finds clicks that were sent again a few seconds later', async () => {
  const again = repeatRows(log, (row) => isClicked(row) && row % 4 === 0, 2 * SECOND)
  const found = await findFault('rows-sent-again', log, again)
  expect(found!.level).not.toBe('note')
  expect(Math.abs(found!.left)).toBeLessThan(0.2 * Math.abs(found!.off))
})
