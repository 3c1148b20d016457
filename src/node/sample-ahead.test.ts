import { describe, expect, it } from 'vitest'
import { batchesInTurn } from '../train/batch-source.js'
import { sampleAhead } from './sample-ahead.js'

describe('sampleAhead', () => {
  it('draws in turn where the thread that trains has the only core', () => {
    expect(sampleAhead(1)).toBe(batchesInTurn)
    expect(sampleAhead(2)).not.toBe(batchesInTurn)
  })
})
