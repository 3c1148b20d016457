import { expect, it } from 'vitest'
import { drawFrom, examinationOf, type Impression } from './example-log.js'
import { effectiveRows, windowSums } from './window-sums.js'

const logOf = (items: readonly number[], propensity: (row: number) => number) =>
  examinationOf(items.map((item, k): Impression => ({ user: 0, item, reward: 0, propensity: propensity(k) })))
    .log

it('leaves out the first and the last row of an item, by hand', () => {
  const log = logOf([5, 7, 7, 5, 7, 7, 5], (row) => 1 / (row + 1))
  const sums = windowSums(log, log.propensity!)
  // Item 7 stands in rows 1, 2, 4 and 5: 1/b is 3 and 5 in the two between.
  expect([sums.rows[1], sums.shown[1], sums.sum[1], sums.squares[1]]).toEqual([3, 2, 8, 34])
  expect(effectiveRows(sums, 1)).toBe(64 / 34)
  // The other way round, the same rows are between.
  const order = Uint32Array.from([6, 5, 4, 3, 2, 1, 0])
  expect(windowSums(log, log.propensity!, order).sum[1]).toBe(8)
})

it('has the mean of the rows between, however late an item came', () => {
  const draw = drawFrom(3)
  let [sum, rows] = [0, 0]
  for (let log = 0; log < 2000; log++) {
    const items = Array.from({ length: 60 }, (_, k) => (k > 25 && draw() < 0.2 ? 1 : 0))
    const drawn = logOf([0, ...items], () => 0.2)
    const at = drawn.itemIds.indexOf('1')
    if (at < 0) continue
    const sums = windowSums(drawn, drawn.propensity!)
    sum += sums.sum[at]!
    rows += sums.rows[at]!
  }
  expect(sum / rows).toBeCloseTo(1, 1)
})
