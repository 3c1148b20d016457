import { describe, expect, it } from 'vitest'
import { bootstrapValues } from './bootstrap.js'
import {
  clickInterval,
  snips,
  ips,
  momentsOf,
  drawRows,
  width,
  close,
  usual,
  estimatorFor,
} from './example-moments.js'

describe('traps of other tools', () => {
  it('SNIPS interval with a fixed denominator: rewards that are all 1 leave no spread', () => {
    // With the mean weight kept fixed, w·r/mean(w) would seem to vary; the ratio is 1 in every resample.
    const certain = momentsOf(drawRows(2, 50, 4, 1.1))
    for (const value of bootstrapValues(snips, certain)) close(value, 1)
    expect(clickInterval(snips, certain, { method: 't' }).interval).toBeNull()
    expect(width(clickInterval(ips, certain, { method: 't' }))).toBeGreaterThan(0.05)
  })

  it('Hoeffding multiplied by n: it narrows as 1/√n, and has the textbook width', () => {
    const at = (users: number): number =>
      width(clickInterval(ips, momentsOf(drawRows(4, users, 1, 0.5)), { method: 'hoeffding', maxWeight: 2 }))
    close(at(4000), 2 * 2 * Math.sqrt(Math.log(2 / 0.05) / 8000))
    close(at(4000) / at(16_000), 2)
  })

  it.each(['bernstein', 'hoeffding', 'cressie-read'] as const)(
    'sample maximum as range: %s without an a-priori range is none',
    (method) => {
      const result = clickInterval(estimatorFor(method), usual, { method })
      expect(result.interval).toBeNull()
      expect(result.reason).toMatch(/largest possible weight is unknown/)
    },
  )

  it.each(['bernstein', 'hoeffding', 'cressie-read'] as const)(
    'sample maximum as range: %s widens with the range though the sample is the same',
    (method) => {
      const at = (maxWeight: number): number =>
        width(clickInterval(estimatorFor(method), usual, { method, maxWeight }))
      expect(at(4)).toBeGreaterThan(at(2))
    },
  )

  it.each(['bernstein', 'hoeffding', 'cressie-read'] as const)(
    'a range that the log breaks: %s is none',
    (method) => {
      const result = clickInterval(estimatorFor(method), momentsOf(drawRows(1, 50, 1, 0.9)), {
        method,
        maxWeight: 1.2,
      })
      expect(result.interval).toBeNull()
      expect(result.reason).toMatch(/allow|above/)
    },
  )

  it('bootstrap that mis-pairs rows: numerator and denominator of a cluster are drawn together', () => {
    // w·r = 0.5·w in every row: any resample that keeps the pairs is exactly ½.
    const paired = momentsOf(drawRows(5, 40, 2).map((row) => ({ ...row, r: 0.5 })))
    for (const value of bootstrapValues(snips, paired, { resamples: 200 })) close(value, 0.5)
  })

  it.each(['auto', 't', 'normal', 'logit-t', 'bootstrap', 'bca', 'sequence'] as const)(
    'one nonzero weight gives SE 0: %s is none',
    (method) => {
      const rows = [1, 2, 3, 4, 5].map((cluster) => ({ cluster, w: cluster === 3 ? 4 : 0, r: 1 }))
      const result = clickInterval(snips, momentsOf(rows), { method })
      expect(result.interval).toBeNull()
      expect(result.reason).toMatch(/one cluster carries all the weight/i)
    },
  )

  it.each(['auto', 't', 'normal', 'logit-t', 'bootstrap', 'bca', 'sequence'] as const)(
    'one cluster only: %s is none',
    (method) => {
      const result = clickInterval(snips, momentsOf(drawRows(1, 1, 20)), { method })
      expect(result.interval).toBeNull()
      expect(result.reason).toMatch(/only one cluster/)
    },
  )

  it('rows of one user taken as independent: copies of rows within users do not narrow the interval', () => {
    const rows = drawRows(6, 60, 2)
    const copied = momentsOf(rows.flatMap((row) => [row, row, row]))
    close(
      width(clickInterval(snips, copied, { method: 't' })),
      width(clickInterval(snips, momentsOf(rows), { method: 't' })),
    )
  })
})
