import { describe, expect, it } from 'vitest'
import { createDocument } from '../node/dom.js'
import { biasCurve, type BiasCurveInput } from './bias.js'

const options = { document: createDocument() }
const mean = (value: number | null, half = 0.01) => ({
  mean: value,
  interval: value === null ? null : ([value - half, value + half] as const),
})
const pointOf = (temperature: number, snips: number | null, share: number | null) => ({
  temperature,
  snips: mean(snips),
  truth: mean(share === null ? null : 0.3),
  essRatio: mean(share),
  covered: share === null ? 0 : 2,
})
const input: BiasCurveInput = {
  world: 'A made-up world',
  target: 'uniform',
  seeds: 3,
  points: [pointOf(0.2, 0.25, 0.03), pointOf(1, 0.31, 0.4), pointOf(5, 0.3, 0.92)],
  here: { temperature: 0.5, snips: mean(0.28, 0.03), truth: 0.3, essRatio: 0.1 },
}
const wordsOf = (svg: string): string => svg.replace(/<title>.*?<\/title>/gs, '').replace(/<[^>]+>/g, '\n')

describe('the curve over exposure bias', () => {
  it('says how much of the log counts at either end, and how often intervals were right', () => {
    expect(biasCurve(input, options).title).toBe(
      'The effective sample is 3.0 % of the log at temperature 0.2, 92 % at 5; 6 of 9 intervals cover the truth',
    )
  })

  it('marks one log at its temperature, with its own interval on hover', () => {
    const { svg, narrow } = biasCurve(input, options)
    for (const drawn of [svg, narrow])
      for (const words of ['temperature 0.5', 'this log', 'stronger bias'])
        expect(wordsOf(drawn)).toContain(words)
    expect(svg).toMatch(/<title>temperature 0\.5\n[^<]*this log: 0\.280 \(0\.250–0\.310\)/)
  })

  it('has the log before there is a curve, on the same axis', () => {
    const points = [0.2, 1, 5].map((temperature) => pointOf(temperature, null, null))
    const { title, svg, narrow, table } = biasCurve({ ...input, points, seeds: 0 }, options)
    expect(title).toBe('The effective sample is 10 % of the log at temperature 0.5')
    expect(table.rows).toEqual([['this log', 0.5, 0.28, 0.25, 0.31, 0.3, 0.1, 1]])
    for (const drawn of [svg, narrow]) {
      expect(drawn).not.toMatch(/NaN|Infinity|undefined/)
      expect(wordsOf(drawn)).not.toContain('seed')
      for (const tick of ['0.2', '5']) expect(wordsOf(drawn).split('\n')).toContain(tick)
    }
  })

  it('tells a log without weight from one with some', () => {
    const here = { temperature: 1, snips: mean(null), truth: 0.3, essRatio: null }
    expect(biasCurve({ ...input, points: [], seeds: 0, here }, options).title).toBe(
      'At temperature 1, the log says nothing about the target policy',
    )
  })

  it('has a row for each temperature that is known, after that of the log', () => {
    const { rows, columns } = biasCurve(
      { ...input, points: [...input.points, pointOf(7, null, null)] },
      options,
    ).table
    expect(rows.map(([logs, temperature]) => [logs, temperature])).toEqual([
      ['this log', 0.5],
      ['3 seeds', 0.2],
      ['3 seeds', 1],
      ['3 seeds', 5],
    ])
    for (const row of rows) expect(row).toHaveLength(columns.length)
  })

  it('is the same bytes each time', () => {
    expect(biasCurve(input, options).svg).toBe(biasCurve(input, options).svg)
  })
})
