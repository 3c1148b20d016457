import { expect, it } from 'vitest'
import { checkDrift } from './drift.js'
import { drawFrom, examinationOf, type Impression, without } from './example-log.js'

/** Four weeks from a Monday: click rate and probability of the first of two items by the day. */
function drawn(
  seed: number,
  rate: (day: number) => number,
  first: (day: number) => number = () => 0.5,
): Impression[] {
  const draw = drawFrom(seed)
  return Array.from({ length: 8000 }, (_, k): Impression => {
    const day = (28 * k) / 8000
    const item = draw() < first(day) ? 0 : 1
    return {
      user: Math.floor(400 * draw()),
      item,
      reward: draw() < rate(day) ? 1 : 0,
      propensity: item === 0 ? first(day) : 1 - first(day),
      time: Date.UTC(2024, 2, 4) + 86_400_000 * day,
    }
  })
}
const check = (rows: readonly Impression[]) => checkDrift(examinationOf(rows))

it('notes a click rate that rises, with its range', () => {
  const [found] = check(drawn(1, (day) => 0.1 + 0.01 * day))
  expect(found).toMatchObject({ code: 'drift', level: 'note' })
  expect(found!.numbers['lowestRate']).toBeCloseTo(0.114, 1)
  expect(found!.numbers['highestRate']).toBeCloseTo(0.366, 1)
  expect(found!.seen).not.toContain('week')
})

it('says so where days of the week explain it', () => {
  const [found] = check(drawn(2, (day) => (Math.floor(day) % 7 >= 5 ? 0.5 : 0.2)))
  expect(found!.seen).toContain('Days of the week explain this.')
})

it('notes a mix of items and propensities that change', () => {
  const [found] = check(
    drawn(
      3,
      () => 0.2,
      (day) => 0.1 + 0.02 * day,
    ),
  )
  expect(found!.numbers['moved']).toBeGreaterThan(0.05)
})

it('is silent where nothing changes, or where there are no times', () => {
  for (let seed = 1; seed <= 10; seed++) expect(check(drawn(seed, () => 0.2))).toEqual([])
  expect(check(drawn(1, (day) => 0.1 + 0.01 * day).map((row) => without(row, 'time')))).toEqual([])
})
