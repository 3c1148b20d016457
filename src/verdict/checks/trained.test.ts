import { expect, it } from 'vitest'
import type { Log } from '../../log/log.js'
import { batchOf } from '../examine.js'
import { drawLog, judgeLog } from '../example-log.js'

const { log } = drawLog({ seed: 8, users: 200, items: 6 })

/** Probabilities that follow the clicks of each user and item in a log. */
function following(clicks: Log): Float64Array {
  const [earned, shown] = [new Float64Array(200 * 6), new Float64Array(200 * 6)]
  const place = (row: number): number =>
    6 * Number(clicks.userIds[clicks.user[row]!]) + Number(clicks.itemIds[clicks.item[row]!])
  for (let row = 0; row < clicks.rows; row++) {
    earned[place(row)]! += clicks.reward[row]!
    shown[place(row)]!++
  }
  return Float64Array.from({ length: log.rows }, (_, row) => {
    const scores = Array.from({ length: 6 }, (_item, item) => {
      const of = 6 * Number(log.userIds[log.user[row]!]) + item
      return Math.exp((4 * (earned[of]! + 0.5)) / (shown[of]! + 2))
    })
    return scores[Number(log.itemIds[log.item[row]!])]! / scores.reduce((all, one) => all + one, 0)
  })
}

const codes = async (target: Float64Array): Promise<string[]> =>
  (await judgeLog({ ...log, target }, { kind: 'column', name: 'target' })).reasons.map(({ code }) => code)

it('finds a policy that was made from the rewards of these rows, and no other', async () => {
  expect(await codes(following(log))).toContain('trained-on-this-log')
  const other = drawLog({ seed: 88, users: 200, items: 6 }).log
  expect(await codes(following(other))).not.toContain('trained-on-this-log')
})

it('is not asked of a policy that prefers no item', () => {
  const shape = {
    hasTimes: true,
    hasPropensities: true,
    usesPropensities: true,
    hasPositions: false,
    hasPages: false,
    isThinned: false,
  }
  const asked = (isBlind: boolean): string[] => Object.keys(batchOf({ ...shape, isBlind }).sums)
  const [all, ofBlind] = [asked(false), asked(true)]
  expect(all.filter((name) => !ofBlind.includes(name))).toEqual([
    'target-shifted.explained',
    'trained-on-this-log.pairs',
  ])
})
