import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { spreadLabels, stackPanels } from './panels.js'

describe('stacked panels', () => {
  const { panels, options } = stackPanels([
    { label: 'a', range: [0, 1], height: 100, headroom: 20, percent: true },
    { label: 'b', range: [5, 5], height: 50 },
  ])

  it('lie below one another within the height of the plot', () => {
    expect(panels[0]!.top).toBe(0)
    expect(panels[0]!.bottom).toBe(120)
    expect(panels[1]!.top).toBeGreaterThan(panels[0]!.bottom)
    expect(panels[1]!.bottom).toBeLessThan(options.height)
  })

  it('place values on their own scale, headroom above the largest, and cut what lies beyond', () => {
    expect([0, 0.5, 1, 2, -1].map((value) => panels[0]!.place(value))).toEqual([120, 70, 20, 20, 120])
  })

  it('put a single value in the middle', () =>
    expect(panels[1]!.place(5)).toBeCloseTo((panels[1]!.top + panels[1]!.bottom) / 2))
})

describe('labels that are spread', () => {
  it('stay where they are when there is room', () =>
    expect(spreadLabels([80, 10, 40], { apart: 16, top: 0, bottom: 100 })).toEqual([80, 10, 40]))

  it('keep their order and their distance within the bounds, wherever they want to be', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50, max: 250 }), { minLength: 1, maxLength: 8 }), (wanted) => {
        const places = spreadLabels(wanted, { apart: 16, top: 0, bottom: 200 })
        const sorted = places.toSorted((a, b) => a - b)
        for (let k = 1; k < sorted.length; k++) expect(sorted[k]! - sorted[k - 1]!).toBeGreaterThanOrEqual(16)
        expect(sorted[0]).toBeGreaterThanOrEqual(0)
        expect(sorted.at(-1)).toBeLessThanOrEqual(200)
        for (const [a, first] of wanted.entries())
          for (const [b, second] of wanted.entries())
            if (first < second) expect(places[a]).toBeLessThan(places[b]!)
      }),
    )
  })
})
