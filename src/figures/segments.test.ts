import { describe, expect, it } from 'vitest'
import { evaluateBy } from '../estimate/segments/memory-segments.js'
import { exampleSegments } from '../estimate/segments/example-segments.js'
import { createDocument } from '../node/dom.js'
import { segmentsFigure } from './segments.js'

const document = createDocument()
const log = exampleSegments()
const target = { kind: 'uniform' } as const

describe('segmentsFigure', () => {
  it('draws each segment with its verdict and its effective sample, and says how many looks there were', async () => {
    const segments = await evaluateBy(log, { by: 'device', target })
    const { svg, narrow, subtitle, table } = segmentsFigure(segments, { document })
    expect(subtitle).toContain('All 3 intervals hold together with 95 % confidence (98.3 % each).')
    for (const { segment, ess } of segments.segments)
      for (const drawn of [svg, narrow]) {
        expect(drawn).toContain(segment)
        expect(drawn).toContain(`✔ trust, ESS ${Math.round(ess!).toLocaleString('en-US')}`)
      }
    expect(table.rows.map(([name]) => name)).toEqual(['phone', 'desk', 'tablet'])
  })

  it('lists a segment that is too small with the reason', async () => {
    const { svg, table } = segmentsFigure(await evaluateBy(log, { by: 'rare', target }), { document })
    expect(svg).toContain('no value: only 30 rows; 100 are needed')
    expect(table.rows.map(([name]) => name)).toEqual(['b', '(none)', 'a'])
  })

  it('finds nothing where every segment is refused', async () => {
    const { title } = segmentsFigure(await evaluateBy(log, { by: 'outcome', target }), { document })
    expect(title).toBe('No answer from this log: no segment by outcome has enough data')
  })
})
