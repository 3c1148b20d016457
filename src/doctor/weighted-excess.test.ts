import { expect, it } from 'vitest'
import { checkBalance } from './balance.js'
import { drawFrom, examinationOf, type Impression, impressionsOf, toyWorld } from './example-log.js'
import { weightedExcess } from './weighted-excess.js'

/** A toy log of 12 items, of which a quarter of the rows without a click were kept, with their weights. */
function thinned(seed: number, change: (rows: Impression[]) => Impression[] = (rows) => rows) {
  const draw = drawFrom(seed)
  const logging = Array.from({ length: 12 }, (_, item) => (item + 1) / 78)
  const world = toyWorld({ users: 800, exposures: 20, items: 12, logging: () => logging })
  const kept = impressionsOf(world, draw).filter(({ reward }) => reward > 0 || draw() < 0.25)
  const { log, mapping } = examinationOf(change(kept))
  return { mapping, log: { ...log, weight: Float64Array.from(log.reward, (reward) => (reward > 0 ? 1 : 4)) } }
}

it('is counted by hand: Σ weight/b of an item against Σ weight', () => {
  // 60 users with a row of each of two items, of weights 1 and 3; the first item has half of its propensity.
  const rows = Array.from({ length: 120 }, (_, k): Impression => ({
    user: k >> 1,
    item: k % 2,
    reward: 0,
    propensity: k % 2 === 0 ? 0.125 + 0.001 * (k % 3) : 0.75,
  }))
  const { log } = examinationOf(rows)
  const weight = Float64Array.from(rows, (_, k) => (k % 2 === 0 ? 1 : 3))
  const [first, ...others] = weightedExcess(log, log.propensity!, weight)
  expect(others).toEqual([])
  expect(first).toMatchObject({ item: 0, rows: 240, shown: 60 })
  expect(first!.sum).toBeCloseTo(20 / 0.125 + 20 / 0.126 + 20 / 0.127, 9)
})

it('finds propensities that belong to other rows of a thinned log', () => {
  const shifted = (rows: Impression[]): Impression[] =>
    rows.map((row, k) => ({ ...row, propensity: rows.at(k - 1)!.propensity! }))
  for (let seed = 1; seed <= 5; seed++)
    expect(checkBalance(thinned(seed, shifted))).toMatchObject([{ code: 'item-balance', lowersTo: 'refuse' }])
})

it('suspects no thinned log with the right weights', () => {
  for (let seed = 1; seed <= 15; seed++) expect(checkBalance(thinned(seed))).toEqual([])
})
