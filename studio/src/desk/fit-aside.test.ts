import { afterEach, describe, expect, it, vi } from 'vitest'
import { type FitColumns, logFitter } from '$core/estimate/log-fit.js'
import { fitterAside } from './fit-aside.js'
import { fitService } from './fit-service.js'

const ROWS = 100_000
const log: FitColumns = {
  user: Uint32Array.from({ length: ROWS }, (_, row) => row % 1000),
  item: Uint32Array.from({ length: ROWS }, (_, row) => (row * 7919) % 10),
  reward: Float64Array.from({ length: ROWS }, (_, row) => ((row * 31) % 7 === 0 ? 1 : 0)),
  propensity: new Float64Array(ROWS).fill(0.1),
  userIds: { length: 1000 },
  itemIds: { length: 10 },
}
const weights = Float64Array.from(log.item, (item) => (item + 0.5) / 5)

describe('how targets fit a log, computed aside', () => {
  afterEach(() => void vi.unstubAllGlobals())

  it('is computed here where there are no workers in workers, and once one has failed', async () => {
    const expected = logFitter(log)(weights, true)
    expect(await fitterAside(log)(weights, true)).toEqual(expected)
    let messages = 0
    vi.stubGlobal(
      'Worker',
      class {
        onerror: ((event: { message: string }) => void) | undefined
        postMessage(): void {
          messages++
          setTimeout(() => this.onerror?.({ message: 'Out of memory.' }))
        }
      },
    )
    for (let k = 0; k < 2; k++) expect(await fitterAside(log)(weights, true)).toEqual(expected)
    // The log and one question: one that failed is not asked again, since it may never answer.
    expect(messages).toBe(2)
  })

  it('is never that of another log', () => {
    fitService.hold({ number: 1, log })
    expect(fitService.fit({ number: 1, weights, withUsers: false })).toEqual(logFitter(log)(weights, false))
    expect(() => fitService.fit({ number: 2, weights, withUsers: false })).toThrow('not held')
  })
})
