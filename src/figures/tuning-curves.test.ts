import { describe, expect, it } from 'vitest'
import { createDocument } from '../node/dom.js'
import { exampleTuning } from './example-tuning.js'
import { tuningCurves } from './tuning-curves.js'

const document = createDocument()
const tuning = exampleTuning()

describe('the figure of a tuning', () => {
  it('says what was reached and what the defaults reach', () => {
    expect(tuningCurves(tuning, { document }).title).toBe(
      'NDCG@10 on the validation part reaches 0.262, instead of 0.193 with the defaults',
    )
  })

  it('has a row for each rung that a trial reached', () => {
    const { table } = tuningCurves(tuning, { document })
    expect(table.rows).toHaveLength(tuning.trials.reduce((sum, { reached }) => sum + reached.length, 0))
  })

  it('has nothing to draw where no trial has a value', () => {
    const without = {
      ...tuning,
      best: null,
      trials: tuning.trials.map((trial) => ({ ...trial, reached: [] })),
    }
    expect(() => tuningCurves(without, { document })).toThrow('no trial has a value')
  })
})
