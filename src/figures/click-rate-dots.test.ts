import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gatherDots, mergeDots, outsideByChance } from './click-rate-dots.js'
import { rankTally } from './ranks.js'

const counts = fc.array(
  fc
    .tuple(fc.integer({ min: 1, max: 400 }), fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([shown, rate]) => ({ shown, clicks: Math.round(shown * rate) })),
  { minLength: 1, maxLength: 80 },
)

function tallyOf(pairs: readonly { shown: number; clicks: number }[]) {
  const clicks = Float64Array.from(pairs, (pair) => pair.clicks)
  return {
    ids: pairs.map((_, k) => String(k)),
    impressions: Float64Array.from(pairs, (pair) => pair.shown),
    clicks,
    reward: clicks,
  }
}

describe('merged dots', () => {
  it('are few, and hold every item with its impressions and clicks', () => {
    fc.assert(
      fc.property(counts, fc.integer({ min: 4, max: 30 }), (pairs, most) => {
        const items = tallyOf(pairs)
        const dots = mergeDots(gatherDots(items, rankTally(items), 0.3), 0.8, most)
        expect(dots.length).toBeLessThanOrEqual(most)
        expect(dots.flatMap(({ ids }) => ids).toSorted()).toEqual(items.ids.toSorted())
        for (const of of ['impressions', 'clicks'] as const)
          expect(dots.reduce((total, dot) => total + dot[of] * dot.ids.length, 0)).toBeCloseTo(
            items[of].reduce((total, value) => total + value, 0),
            6,
          )
      }),
    )
  })

  it('never join what differs by more than chance with what does not', () => {
    fc.assert(
      fc.property(counts, (pairs) => {
        const items = tallyOf(pairs)
        const all = gatherDots(items, rankTally(items), 0.3)
        const outside = new Set(all.filter((dot) => dot.outside).flatMap(({ ids }) => ids))
        for (const { ids, outside: isOutside } of mergeDots(all, 0.8, 4))
          for (const id of ids) expect(outside.has(id)).toBe(isOutside)
      }),
    )
  })

  it('are the dots themselves where those are few', () => {
    const items = tallyOf([
      { shown: 5, clicks: 1 },
      { shown: 9, clicks: 2 },
    ])
    const dots = gatherDots(items, rankTally(items), 0.2)
    expect(mergeDots(dots, 1, 2)).toBe(dots)
  })
})

describe('items outside of the funnel by chance', () => {
  const of = (shown: number, overall: number) => {
    const items = tallyOf([{ shown, clicks: 0 }])
    return outsideByChance(items, rankTally(items), overall)
  }

  it('are those of the binomial distribution where impressions are few', () => {
    // One click in one impression is outside when the rate is 0.1, no click is not.
    expect(of(1, 0.1).mean).toBeCloseTo(0.1, 12)
    // Two clicks of four or more: Σ C(4, k) 0.1444ᵏ 0.8556⁴⁻ᵏ over k = 2, 3, 4.
    expect(of(4, 0.1444).mean).toBeCloseTo(0.102325, 6)
  })

  it('come near one in twenty where impressions are many', () => {
    for (const shown of [20_000, 200_000]) expect(of(shown, 0.03).mean).toBeCloseTo(0.05, 2)
  })

  it('add up over items', () => {
    const items = tallyOf([
      { shown: 4, clicks: 0 },
      { shown: 4, clicks: 2 },
      { shown: 1, clicks: 1 },
    ])
    const { mean, variance } = outsideByChance(items, rankTally(items), 0.1)
    const [four, one] = [of(4, 0.1).mean, of(1, 0.1).mean]
    expect(mean).toBeCloseTo(2 * four + one, 12)
    expect(variance).toBeCloseTo(2 * four * (1 - four) + one * (1 - one), 12)
  })
})
