import { describe, expect, it } from 'vitest'
import { batchesInTurn } from '../train/batches-ahead.js'
import { sampleAhead } from './sample-ahead.js'

describe('sampleAhead', () => {
  it('draws in turn if there is only one core', () => {
    expect(sampleAhead(1)).toBe(batchesInTurn)
    expect(sampleAhead(2)).not.toBe(batchesInTurn)
  })
})
