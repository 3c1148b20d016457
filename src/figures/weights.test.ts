import { describe, expect, it } from 'vitest'
import { summariseWeights } from '../estimate/weight-summary.js'
import { createDocument } from '../node/dom.js'
import { randomStream } from '../random/stream.js'
import { weightsFigure } from './weights.js'

const document = createDocument()
const diagnostics = { ess: 412, essRatio: 0.41, maxWeight: null, topPercentShare: 0.1 }
const random = randomStream(2, 'weights')
const weights = Float64Array.from({ length: 1000 }, () =>
  Math.max(0, 10 ** (3 * random.uniform() - 2) - 0.02),
)

describe('the figure of weights', () => {
  it('is the same from a summary as from the weights themselves', () => {
    const summary = structuredClone(summariseWeights(weights))
    expect(weightsFigure({ weights: summary, diagnostics }, { document })).toEqual(
      weightsFigure({ weights, diagnostics }, { document }),
    )
  })

  it('can be drawn where weights span more than numbers can be told apart by', () => {
    const wide = Float64Array.from({ length: 400 }, (_, k) => (k % 5 === 0 ? 0 : 10 ** -(k * 0.8)))
    const { svg, table } = weightsFigure({ weights: wide, diagnostics }, { document })
    expect(svg).not.toMatch(/NaN|Infinity/)
    expect(table.rows.length).toBeLessThan(40)
  })

  it('draws no line through its words where all weights are equal', () => {
    const equal = { weights: new Float64Array(100).fill(1), diagnostics: { ...diagnostics, maxWeight: 1 } }
    const { narrow } = weightsFigure(equal, { document })
    const line = Number(/stroke-dasharray="2 3"[^>]*><line [^>]*y2="([\d.]+)"/.exec(narrow)![1])
    const words = /translate\(8,(\d+)\)"><text transform="translate\(\d+,(\d+)\)"><tspan[^>]*>effective/.exec(
      narrow,
    )!
    expect(line).toBeGreaterThan(Number(words[1]) + Number(words[2]) + 26)
  })
})
