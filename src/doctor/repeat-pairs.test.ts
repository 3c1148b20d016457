import { expect, it } from 'vitest'
import { drawFrom, examinationOf, honestLogs, type Impression, without } from './example-log.js'
import { type PairSums, repeatPairs } from './repeat-pairs.js'

const pairsOf = (rows: readonly Impression[]) => {
  const { log } = examinationOf(rows)
  return repeatPairs(log, log.propensity!)
}
const row = (user: string, item: string, propensity: number, reward = 0): Impression => ({
  user,
  item,
  propensity,
  reward,
  time: 0,
})
/** Rows with times in their order. */
const timed = (rows: readonly Impression[]): Impression[] =>
  rows.map((one, k) => ({ ...one, time: 1e12 + k }))

it('adds up pairs as the definition says', () => {
  // The first user sees a, b, a; the second a, b. Shares of items in the rows outside a pair: a 2/5 for a pair with b,
  // 1/5 for a pair with a; b 1/5.
  const rows = timed([row('u', 'a', 0.5, 1), row('u', 'b', 0.4), row('v', 'a', 0.5), row('u', 'a', 0.25), row('v', 'b', 0.4)]) // prettier-ignore
  const { all, clicked, unclicked } = pairsOf(rows)
  // (a, b), (a, a), (b, a) of the first user and (a, b) of the second.
  expect(all.pairs).toBe(4)
  expect(all.seen).toBeCloseTo(1 / 5 / 0.5)
  expect(all.expected).toBeCloseTo(2 / 5 + 1 / 5 + 1 / 5 + 2 / 5)
  const [first, second] = [1 / 5 / 0.5 - 4 / 5, -2 / 5]
  expect(all.z).toBeCloseTo((first + second) / Math.hypot(first, second))
  const [plainFirst, plainSecond] = [1 / 0.5 - 3, -1]
  expect(all.plainZ).toBeCloseTo((plainFirst + plainSecond) / Math.hypot(plainFirst, plainSecond))
  expect(all.users).toBeCloseTo((4 / 5 + 2 / 5) ** 2 / ((4 / 5) ** 2 + (2 / 5) ** 2))
  expect([clicked.pairs, unclicked.pairs]).toEqual([2, 2])
  expect(clicked.expected).toBeCloseTo(2 / 5 + 1 / 5)
})

it('pairs no rows of one page', () => {
  const page = timed([row('u', 'a', 0.5), row('u', 'a', 0.5), row('u', 'a', 0.5)])
  const { all } = pairsOf(page.map((one, k) => ({ ...one, slate: Math.floor(k / 2) })))
  expect(all.pairs).toBe(2)
})

it('goes by times, not by the order of the file; without times, both directions give the same', () => {
  const rows = honestLogs['a context for each row']!(drawFrom(1))
  const backwards = rows.toReversed()
  close(pairsOf(backwards).all, pairsOf(rows).all)
  const untimed = (some: readonly Impression[]) => pairsOf(some.map((one) => without(one, 'time')))
  close(untimed(backwards).clicked, untimed(rows).clicked)
})

it('is in balance for sound logs of every kind, or below it', () => {
  for (const honest of Object.values(honestLogs))
    for (let seed = 1; seed <= 2; seed++) {
      const { all, clicked } = pairsOf(honest(drawFrom(seed)))
      expect(Math.max(all.z, clicked.z)).toBeLessThan(3.5)
    }
})

it('lets no user count with more than 32 rows', () => {
  const many = Array.from({ length: 500 }, (_, k) => row('u', `${k % 3}`, 1 / 3))
  expect(pairsOf(many).all.pairs).toBe((32 * 31) / 2)
})

function close(actual: PairSums, expected: PairSums): void {
  for (const [name, value] of Object.entries(expected))
    expect(actual[name as keyof PairSums], name).toBeCloseTo(value as number, 8)
}
