import { describe, expect, it } from 'vitest'
import type { Log } from '../log/log.js'
import { splitByRow } from '../log/split.js'
import { randomStream } from '../random/stream.js'
import { tastesWorld } from '../world/tastes.js'
import { judgedRows } from './judged-rows.js'
import { logOf, type Row } from './example-split.js'

/** Every user is shown all items but one, in an order by user, each item at most once; b = 1/10 for each draw. */
const withoutRepeats = (): Log =>
  logOf(
    Array.from({ length: 100 }, (_, user) =>
      Array.from({ length: 5 }, (__, k): Row => [user, (user + k * 3) % 10, 0, 0.1]),
    ).flat(),
    { users: 100, items: 10 },
  )

describe('the rows on which a learnt policy is valued', () => {
  it('are all held-out rows of a log whose draws are independent, repeated pairs too', () => {
    const log = tastesWorld({ seed: 1, users: 50, items: 10, exposures: 40 }).draw()
    const { train, test } = splitByRow(log, { test: 0.2 })
    const judged = judgedRows(train, test)
    expect(judged.log).toBe(test)
    expect(judged.shown.edges).toBe(0)
  })

  it('are those not shown in training where the log never shows an item twice to a user', () => {
    const { train, test } = splitByRow(withoutRepeats(), { test: 0.2 })
    const { log, shown } = judgedRows(train, test)
    expect(log.rows).toBe(test.rows)
    expect(shown.edges).toBe(train.rows)
    // User u with 4 of 10 items shown in training: b = 0.1/(1 − 0.4).
    const shownTo = (user: number): number => train.user.filter((one) => one === user).length
    expect(log.propensity![0]).toBeCloseTo(0.1 / (1 - 0.1 * shownTo(log.user[0]!)), 12)
  })

  it('are all held-out rows where the favourite of the logging policy changes with every visit', () => {
    const random = randomStream(1, 'visits')
    const draw = (): number => Math.floor(10 * random.uniform())
    const rows = Array.from({ length: 3000 }, (_, row): Row => {
      const favourite = draw()
      const item = random.uniform() < 0.8 ? favourite : draw()
      return [Math.floor(row / 10), item, 0, item === favourite ? 0.82 : 0.02]
    })
    const { train, test } = splitByRow(logOf(rows, { users: 300, items: 10 }), { test: 0.2 })
    expect(judgedRows(train, test).log).toBe(test)
  })

  it('are all of them where too few repeats are to be expected to tell', () => {
    const few = logOf(
      [
        [0, 0, 1, 0.1],
        [1, 0, 1, 0.1],
      ],
      { users: 2, items: 10 },
    )
    expect(judgedRows(few, logOf([[0, 1, 1, 0.1]], { users: 2, items: 10 })).log.rows).toBe(1)
  })

  it('may have contexts', () => {
    const log = tastesWorld({ seed: 1, users: 20, items: 10, exposures: 40 }).draw()
    const contexts = {
      index: log.user.slice(),
      user: Uint32Array.from(log.userIds.keys()),
      names: ['hour'],
      features: new Float32Array(log.userIds.length),
    }
    const { train, test } = splitByRow({ ...log, contexts }, { test: 0.2 })
    expect(judgedRows(train, test).log.rows).toBe(test.rows)
  })
})
