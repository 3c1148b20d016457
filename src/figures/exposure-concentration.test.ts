import { describe, expect, it } from 'vitest'
import type { Tally } from '../describe/describe.js'
import { createDocument } from '../node/dom.js'
import { exposureConcentration } from './exposure-concentration.js'

const options = { document: createDocument() }
const tallyOf = (impressions: readonly number[]): Tally => ({
  ids: impressions.map((_, k) => `item ${k}`),
  impressions: Float64Array.from(impressions),
  reward: new Float64Array(impressions.length),
  clicks: new Float64Array(impressions.length),
})
const peaked = tallyOf([1, 1, 60, 8, ...Array<number>(30).fill(1), 0, 0])
const even = tallyOf(Array<number>(36).fill(5))
const ticksOf = (svg: string): string[] =>
  Array.from(svg.matchAll(/<text[^>]*>([^<]+)<\/text>/g), ([, text]) => text!).filter((text) =>
    /^[\d.]+( %)?$/.test(text),
  )

describe('the concentration of exposure', () => {
  it('says how few items take half of all impressions', () => {
    expect(exposureConcentration(peaked, options).title).toBe('One of 36 items took 60 % of all impressions')
    expect(exposureConcentration(even, options).title).toBe(
      'Half of all impressions went to 18 of 36 items (50 %)',
    )
  })

  it('counts items never shown', () => {
    expect(exposureConcentration(peaked, options).subtitle).toContain('2 of 36 items never shown')
    expect(exposureConcentration(even, options).subtitle).toContain('Every item was shown')
  })

  it('has the same axes for any log of the same catalogue', () => {
    const [one, other] = [peaked, even].map((tally) => exposureConcentration(tally, options))
    expect(ticksOf(one!.svg)).toEqual(ticksOf(other!.svg))
    expect(ticksOf(one!.narrow)).toEqual(ticksOf(other!.narrow))
  })

  it('names the half and the ten most shown on the curve, on a phone the half alone', () => {
    const { svg, narrow } = exposureConcentration(peaked, options)
    for (const drawn of [svg, narrow]) expect(drawn).toContain('>one item: 60 %<')
    expect(svg).toContain('>10 items: 76 %<')
    expect(narrow).not.toContain('10 items')
  })

  it('has a table that adds up to all impressions', () => {
    const { rows } = exposureConcentration(peaked, options).table
    expect(rows[0]).toEqual([1, 'item 2', 60, 0.6])
    expect(rows).toHaveLength(34)
    expect(rows.at(-1)!.at(-1)).toBe(1)
  })

  it.each([
    ['one item', [3]],
    ['two items', [3, 1]],
    ['very many items', Array.from({ length: 5000 }, (_, k) => 5000 - k)],
  ])('can be drawn of %s', (_, impressions) => {
    const { svg, narrow } = exposureConcentration(tallyOf(impressions), options)
    for (const drawn of [svg, narrow]) expect(drawn).not.toMatch(/NaN|Infinity|undefined/)
    expect([...svg.matchAll(/<circle /g)].length).toBeLessThan(210)
  })

  it('has nothing to draw where nothing was shown', () => {
    expect(() => exposureConcentration(tallyOf([0, 0]), options)).toThrow('There is nothing to draw')
  })
})
