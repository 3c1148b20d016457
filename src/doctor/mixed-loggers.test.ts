import { expect, it } from 'vitest'
import { drawFrom, examinationOf, type Impression } from './example-log.js'
import { checkMixedLoggers } from './mixed-loggers.js'

/** 20 users, 60 rows each; the item `best` of a row has 0.7, two others 0.15. */
function drawn(best: (user: number, row: number, draw: () => number) => number): Impression[] {
  const draw = drawFrom(4)
  return Array.from({ length: 1200 }, (_, k): Impression => {
    const user = k % 20
    const favoured = best(user, k, draw)
    const item = draw() < 0.55 ? favoured : Math.floor(3 * draw())
    return { user, item, reward: 0, propensity: item === favoured ? 0.7 : 0.15 }
  })
}
const check = (rows: readonly Impression[]) => checkMixedLoggers(examinationOf(rows))

it('notes two propensities that alternate for the same user and item', () => {
  expect(
    check(drawn((_, __, draw) => (draw() < 0.5 ? 0 : 1)).filter(({ item }) => item !== 2)),
  ).toMatchObject([{ code: 'two-loggers', level: 'note', numbers: { pairs: 40 } }])
})

it('is silent about one logger, by user or not, and about one that changed once', () => {
  expect(check(drawn(() => 0))).toEqual([])
  expect(check(drawn((user) => user % 3))).toEqual([])
  expect(check(drawn((_, k) => (k < 600 ? 0 : 1)))).toEqual([])
})
