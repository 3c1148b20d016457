import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { degreeOf, type Graph, graphOf, isLinked } from '../graph/graph.js'
import { negativeDraws } from './negatives.js'
import type { Negatives } from './settings.js'

const graphFrom = (users: number, items: number, pairs: readonly (readonly [number, number])[]): Graph =>
  graphOf(
    users,
    items,
    Uint32Array.from(pairs, ([user]) => user),
    Uint32Array.from(pairs, ([, item]) => item),
  )

/** Draws for one user, each at a place of its own. */
function drawn(graph: Graph, negatives: Negatives, { user = 0, count = 1000, seed = 1, epoch = 1 } = {}) {
  const draws = negativeDraws(graph, negatives, seed)
  const items = new Uint32Array(count)
  const users = new Uint32Array(count).fill(user)
  draws.draw(users, { epoch, first: 0, count: 1 }, items, { start: 0, stride: 1 })
  return items
}

/** χ² of counts against expected shares; about degrees of freedom ± √(2·degrees). */
function chiSquare(items: Uint32Array, shares: readonly number[]): { distance: number; bound: number } {
  const counts = shares.map(() => 0)
  for (const item of items) counts[item]!++
  let distance = 0
  shares.forEach((share, item) => {
    if (share === 0) expect(counts[item]).toBe(0)
    else distance += (counts[item]! - share * items.length) ** 2 / (share * items.length)
  })
  const degrees = shares.filter((share) => share > 0).length - 1
  return { distance, bound: degrees + 5 * Math.sqrt(2 * degrees) }
}

const WAYS: readonly Negatives[] = [
  { kind: 'unclicked' },
  { kind: 'popularity', power: 0.75 },
  { kind: 'popularity', power: 10 },
]
// Item 3 was clicked by four users, item 2 by three, item 1 by two, item 0 by one, items 4 to 6 by none.
const ladder = graphFrom(6, 7, [
  ...[3, 2].map((item) => [0, item] as const),
  ...[3, 2, 1, 0].map((item) => [1, item] as const),
  ...[3, 2, 1].map((item) => [2, item] as const),
  [3, 3],
])

describe('negatives', () => {
  it.each(WAYS)('are never a click: %j', (negatives) => {
    const clicks = fc.array(fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 7 })), { maxLength: 40 })
    fc.assert(
      fc.property(clicks, fc.nat(), (pairs, seed) => {
        const graph = graphFrom(4, 8, pairs)
        for (let user = 0; user < 4; user++) {
          if (degreeOf(graph.byUser, user) === 8) continue
          for (const item of drawn(graph, negatives, { user, seed, count: 20 })) {
            expect(item).toBeLessThan(8)
            expect(isLinked(graph.byUser, user, item)).toBe(false)
          }
        }
      }),
    )
  })

  it('are uniform over what the user has not clicked', () => {
    const { distance, bound } = chiSquare(
      drawn(ladder, { kind: 'unclicked' }, { count: 20_000 }),
      [0.2, 0.2, 0, 0, 0.2, 0.2, 0.2],
    )
    expect(distance).toBeLessThan(bound)
  })

  it('are uniform over all items, clicked ones too, where all are asked for', () => {
    const { distance, bound } = chiSquare(
      drawn(ladder, { kind: 'all' }, { count: 20_000 }),
      Array(7).fill(1 / 7),
    )
    expect(distance).toBeLessThan(bound)
  })

  it('go with clicks^power of the unclicked items, those never clicked counting as clicked once', () => {
    const power = 1.5
    const powers = [1, 2 ** power, 0, 0, 1, 1, 1]
    const total = powers.reduce((a, b) => a + b)
    const { distance, bound } = chiSquare(
      drawn(ladder, { kind: 'popularity', power }, { count: 20_000 }),
      powers.map((one) => one / total),
    )
    expect(distance).toBeLessThan(bound)
  })

  it.each([...WAYS, { kind: 'all' } as const])('know their probability: %j', (negatives) => {
    const { logProbability } = negativeDraws(ladder, negatives, 1)
    const isWanted = (item: number) => negatives.kind === 'all' || !isLinked(ladder.byUser, 0, item)
    const chances = Array.from({ length: 7 }, (_, item) =>
      isWanted(item) ? Math.exp(logProbability(0, item)) : 0,
    )
    expect(chances.reduce((a, b) => a + b)).toBeCloseTo(1, 12)
    const { distance, bound } = chiSquare(drawn(ladder, negatives, { count: 20_000, seed: 2 }), chances)
    expect(distance).toBeLessThan(bound)
  })

  it.each(WAYS)('are the one item that is left to a user: %j', (negatives) => {
    const graph = graphFrom(
      2,
      300,
      Array.from({ length: 300 }, (_, item) => [0, item] as const).filter(([, item]) => item !== 177),
    )
    expect(new Set(drawn(graph, negatives))).toEqual(new Set([177]))
    expect(negativeDraws(graph, negatives, 1).logProbability(0, 177)).toBeCloseTo(0, 10)
  })

  it('have a probability also where next to nothing is left of all chances', () => {
    // A thousand users clicked item 0: to the power of 10 the other two have a chance of 1e-30.
    const crowd = graphFrom(
      1000,
      3,
      Array.from({ length: 1000 }, (_, user) => [user, 0] as const),
    )
    const { logProbability } = negativeDraws(crowd, { kind: 'popularity', power: 10 }, 1)
    expect(logProbability(5, 1)).toBeCloseTo(Math.log(1 / 2), 12)
  })

  it('depend on seed, epoch and place, and on nothing that was drawn before', () => {
    const negatives: Negatives = { kind: 'unclicked' }
    const wide = graphFrom(2, 1000, [[0, 0]])
    const whole = drawn(wide, negatives, { count: 50 })
    const again = negativeDraws(wide, negatives, 1)
    const one = new Uint32Array(1)
    again.draw(Uint32Array.of(0), { epoch: 1, first: 31, count: 1 }, one, { start: 0, stride: 1 })
    expect(one[0]).toBe(whole[31])
    expect(drawn(wide, negatives, { count: 50 })).toEqual(whole)
    expect(drawn(wide, negatives, { count: 50, epoch: 2 })).not.toEqual(whole)
    expect(drawn(wide, negatives, { count: 50, seed: 2 })).not.toEqual(whole)
  })

  it('of a user who has clicked nearly everything have not changed', () => {
    const graph = graphFrom(
      1,
      300,
      Array.from({ length: 300 }, (_, item) => [0, item] as const).filter(([, item]) => item % 100 !== 77),
    )
    expect([...drawn(graph, { kind: 'unclicked' }, { count: 12 })]).toMatchInlineSnapshot(`
      [
        177,
        177,
        277,
        77,
        77,
        277,
        77,
        77,
        277,
        77,
        277,
        77,
      ]
    `)
  })

  it('of one sample are drawn apart from each other', () => {
    const wide = graphFrom(1, 1000, [[0, 0]])
    const items = new Uint32Array(200)
    const draws = negativeDraws(wide, { kind: 'unclicked' }, 1)
    draws.draw(Uint32Array.of(0), { epoch: 1, first: 0, count: 200 }, items, { start: 0, stride: 200 })
    // 200 draws of 999 items give about 181 different ones.
    expect(new Set(items).size).toBeGreaterThan(160)
    expect(new Set(items).size).toBeLessThan(200)
  })
})
