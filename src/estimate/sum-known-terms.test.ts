import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Log } from '../log/log.js'
import { clustersOf } from './clusters.js'
import { DIAGNOSTIC_TERMS } from './diagnostics.js'
import { termsOf } from './estimator.js'
import { estimatorNamed } from './estimators/index.js'
import { memorySource } from './memory-source.js'
import type { WeighedRows } from './rows.js'
import { sumTerms } from './sum-terms.js'

const number = fc.double({ min: -1e6, max: 1e6, noNaN: true })
const row = fc.record({
  user: fc.integer({ min: 0, max: 4 }),
  r: number,
  w: fc.double({ min: 0, max: 1e9, noNaN: true }),
  q: number,
  v: number,
  count: fc.double({ min: 0.1, max: 10, noNaN: true }),
})
type Row = typeof row extends fc.Arbitrary<infer Value> ? Value : never

function weighed(
  rows: readonly Row[],
  { isThinned, hasModel }: { isThinned: boolean; hasModel: boolean },
): WeighedRows {
  const column = (of: (row: Row) => number): Float64Array => Float64Array.from(rows, of)
  const log: Log = {
    rows: rows.length,
    user: Uint32Array.from(rows, ({ user }) => user),
    item: new Uint32Array(rows.length),
    userIds: ['a', 'b', 'c', 'd', 'e'],
    itemIds: ['x'],
    catalogueKnown: false,
    reward: column(({ r }) => r),
    propensitySource: 'logged',
    ...(isThinned && { weight: column(({ count }) => count) }),
  }
  const model = hasModel && { prediction: column(({ q }) => q), value: column(({ v }) => v) }
  return { log, weight: column(({ w }) => w), ...model }
}

describe('the terms that have a loop of their own', () => {
  const estimators = ['dm', 'ips', 'snips', 'dr', 'sndr'].map((name) => estimatorNamed(name))
  const terms = [
    ...new Map([...DIAGNOSTIC_TERMS, ...termsOf(estimators)].map((term) => [term.name, term])).values(),
  ]

  it('are all there is to the default estimators', () => {
    expect(terms.map(({ name }) => name)).toEqual(['n', 'r', 'w', 'w²', 'wr', 'w²r²', 'v', 'v + we', 'we'])
  })

  it('sum to the same bits as by one call for each row and term', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 30 }),
        fc.record({ isThinned: fc.boolean(), hasModel: fc.boolean() }),
        fc.constantFrom('user' as const, 'row' as const),
        async (rows, shape, clusterBy) => {
          const seen = weighed(rows, shape)
          const moments = await memorySource(seen).moments(terms, clusterBy)
          const slow = sumTerms(seen, terms, clustersOf(seen.log, clusterBy))
          for (const term of terms) expect(moments.sums(term), term.name).toEqual(slow.get(term.name))
        },
      ),
    )
  })
})
