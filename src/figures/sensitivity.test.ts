import { describe, expect, it } from 'vitest'
import { GAMMAS } from '../estimate/evaluation.js'
import { createDocument } from '../node/dom.js'
import type { Chart } from './chart.js'
import { sensitivityFigure, type SensitivityInput } from './sensitivity.js'

const grid = GAMMAS.map((gamma) => ({
  gamma,
  low: 0.25 / gamma,
  high: 0.25 * gamma,
  interval: [0.24 / gamma, 0.26 * gamma] as const,
}))
const drawn = (flipsAt: number | null, more: Partial<SensitivityInput> = {}): Chart =>
  sensitivityFigure(
    { estimator: 'snips', sensitivity: { grid, flipsAt }, meanReward: 0.3, ...more },
    { document: createDocument() },
  )

describe('the figure of an estimate over Γ', () => {
  it('says up to which Γ the conclusion holds, and marks it', () => {
    const { title, svg } = drawn(1.138)
    expect(title).toBe(
      'The target policy earns less than the logging policy as long as no propensity is off by more than a factor of 1.13',
    )
    expect(svg).toContain('flips above Γ = 1.13')
  })

  it('is drawn some way beyond the flip, and whole where nothing flips; its table is whole', () => {
    const early = drawn(1.138)
    expect(early.svg).toContain('>1.5<')
    expect(early.svg).not.toContain('>2<')
    expect(drawn(null).svg).toContain('>3<')
    expect(early.table.rows).toHaveLength(GAMMAS.length)
    expect(drawn(null).svg).not.toContain('flips above')
  })

  it('points at one Γ, and is drawn at least as far', () => {
    expect(drawn(1.138, { at: 2 }).svg).toContain('>2<')
    expect(drawn(1.138, { at: 1.2 }).svg.length).toBeGreaterThan(drawn(1.138).svg.length)
    expect(drawn(1.138, { at: 1 }).svg).toBe(drawn(1.138).svg)
  })

  it('has a slider that ends where its axis does, each stop with a strip of its own', () => {
    const verdict = { level: 'trust' } as const
    for (const [flipsAt, last] of [
      [1, 1.5],
      [1.138, 1.5],
      [1.3, 1.75],
      [1.9, 3],
      [null, 3],
    ] as const) {
      const { dials, svg } = drawn(flipsAt, { verdict })
      const { stops } = dials![0]!
      const strips = /class="strips"[^>]*>(.*?)<\/g>/s.exec(svg)![1]!.match(/<rect/g)!
      expect(stops.map(({ at }) => at)).toEqual(GAMMAS.filter((gamma) => gamma <= last).map(String))
      expect(stops.map(({ strip }) => strip)).toEqual([...strips.keys()])
    }
  })

  it('states no finding where the log gives no answer', () => {
    const refused = drawn(1.138, { verdict: { level: 'refuse' } })
    expect(refused.title).toMatch(/^No answer from this log/)
    expect(refused.svg).not.toContain('flips above')
  })
})
