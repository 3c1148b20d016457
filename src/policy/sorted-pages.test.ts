import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { slotShare, sortedMarginals, type Standing, standingOf, standingWithout } from './sorted-pages.js'

/** Every page of so many slots with its probability, slot by slot. */
function allPages(standing: Standing, epsilon: number, slots: number): { items: number[]; chance: number }[] {
  let pages: { items: number[]; chance: number }[] = [{ items: [], chance: 1 }]
  for (let slot = 0; slot < slots; slot++)
    pages = pages.flatMap(({ items, chance }) =>
      Array.from(standing.better.keys(), (item) => ({
        items: [...items, item],
        chance: chance * slotShare(standing, epsilon, item, items),
      })).filter((page) => page.chance > 0),
    )
  return pages
}

const scores = fc.array(fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constant(-Infinity)), {
  minLength: 3,
  maxLength: 6,
})
const worlds = fc
  .record({ row: scores, epsilon: fc.constantFrom(0, 0.2, 1), slots: fc.integer({ min: 1, max: 3 }) })
  .filter(({ row, slots }) => row.filter((score) => score > -Infinity).length >= slots)

describe('a page that is sorted', () => {
  it('shows in each slot the best item not yet shown, and ties share', () => {
    const standing = standingOf(Float64Array.of(2, 5, 1, 2, -Infinity))
    expect(standing).toEqual({
      better: Uint32Array.of(1, 0, 3, 1, 0),
      tied: Uint32Array.of(2, 1, 1, 2, 0),
      candidates: 4,
    })
    expect(allPages(standing, 0, 4)).toEqual([
      { items: [1, 0, 3, 2], chance: 0.5 },
      { items: [1, 3, 0, 2], chance: 0.5 },
    ])
  })

  it('shows with probability ε any item not yet shown', () => {
    const standing = standingOf(Float64Array.of(3, 2, 1))
    const pages = allPages(standing, 0.3, 2).map(({ items, chance }) => [items.join(), chance] as const)
    const [best, other] = [0.8, 0.1]
    const expected = { '0,1': best * 0.85, '0,2': best * 0.15, '1,0': other * 0.85, '1,2': other * 0.15, '2,0': other * 0.85, '2,1': other * 0.15 } // prettier-ignore
    expect(pages).toHaveLength(6)
    for (const [items, chance] of pages)
      expect(chance).toBeCloseTo(expected[items as keyof typeof expected], 15)
  })

  it('has probabilities that sum to 1, whatever stands above', () => {
    fc.assert(
      fc.property(worlds, ({ row, epsilon, slots }) => {
        const pages = allPages(standingOf(Float64Array.from(row)), epsilon, slots)
        expect(pages.reduce((sum, { chance }) => sum + chance, 0)).toBeCloseTo(1, 12)
        for (const { items } of pages) expect(new Set(items).size).toBe(slots)
      }),
    )
  })

  it('has the marginal probabilities of all its pages', () => {
    fc.assert(
      fc.property(worlds, ({ row, epsilon, slots }) => {
        const standing = standingOf(Float64Array.from(row))
        const marginals = sortedMarginals(standing, epsilon, Array.from(row.keys()), slots)
        const expected = Array.from({ length: slots }, () => new Float64Array(row.length))
        for (const { items, chance } of allPages(standing, epsilon, slots))
          items.forEach((item, slot) => (expected[slot]![item]! += chance))
        marginals.forEach((shares, slot) =>
          shares.forEach((share, item) => expect(share).toBeCloseTo(expected[slot]![item]!, 12)),
        )
      }),
    )
  })

  it('does not change where all scores are multiplied by ten', () => {
    const row = Float64Array.of(0.3, -1, 2, 0.7, 0.7)
    expect(standingOf(row.map((score) => 10 * score))).toEqual(standingOf(row))
  })

  it('stands without some items where it would had they no scores', () => {
    const kept = [0, 1, 3, 5]
    const row = Float64Array.of(3, 1, 3, 2, 3, 1)
    const without = standingWithout(standingOf(row), [2, 4])
    const expected = standingOf(row.map((score, item) => (kept.includes(item) ? score : -Infinity)))
    for (const item of kept)
      expect([without.better[item], without.tied[item]]).toEqual([expected.better[item], expected.tied[item]])
    expect([without.tied[2], without.tied[4], without.candidates]).toEqual([0, 0, 4])
  })

  it('knows of items that the log does not have: they stand above those that it has', () => {
    // The best of four candidates is not among the items.
    const standing = { better: Uint32Array.of(1, 2, 3), tied: Uint32Array.of(1, 1, 1), candidates: 4 }
    expect([0, 1, 2].map((item) => slotShare(standing, 0, item, []))).toEqual([0, 0, 0])
    expect(slotShare(standing, 0.4, 0, [])).toBe(0.1)
  })

  it('has nothing to show where no candidate is left', () => {
    expect(slotShare(standingOf(Float64Array.of(1, -Infinity)), 0, 1, [0])).toBeNaN()
  })
})
