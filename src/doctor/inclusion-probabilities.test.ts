import { expect, it } from 'vitest'
import { drawFrom, examinationOf, type Impression, without } from './example-log.js'
import { checkInclusion } from './inclusion-probabilities.js'

/** Pages of three of twelve items, all alike; `propensity` is what is logged. */
function pagesOfThree(propensity: (position: number) => number): Impression[] {
  const draw = drawFrom(2)
  return Array.from({ length: 500 }, (_, page) => {
    const items = Array.from({ length: 12 }, (__, item) => item)
    return Array.from({ length: 3 }, (__, k): Impression => {
      const [item] = items.splice(Math.floor(draw() * items.length), 1)
      return { user: page % 50, item: item!, reward: 0, propensity: propensity(k), slate: page, position: k }
    })
  }).flat()
}
const check = (rows: readonly Impression[]) => checkInclusion(examinationOf(rows))

it('notes probabilities of being on the page', () => {
  expect(check(pagesOfThree(() => 3 / 12))).toMatchObject([
    { code: 'inclusion-probabilities', level: 'note', numbers: { pages: 500, perPage: 3 } },
  ])
})

it('is silent about probabilities of each draw, and about logs without pages', () => {
  expect(check(pagesOfThree((k) => 1 / (12 - k)))).toEqual([])
  expect(check(pagesOfThree(() => 1 / 12))).toEqual([])
  expect(check(pagesOfThree(() => 3 / 12).map((row) => without(row, 'slate')))).toEqual([])
})
