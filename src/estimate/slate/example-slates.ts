import fc from 'fast-check'
import { expect } from 'vitest'
import type { Log } from '../../log/log.js'
import { type Estimator, influenceOf, standardErrorOf, termsOf, valueOf } from '../estimator.js'
import type { ClusterBy } from '../source/moments.js'
import type { WeighedRows } from '../source/sum-terms.js'
import { slateMoments } from './slate-moments.js'
import type { SlateTerm } from './slate-term.js'

export interface Row {
  slate: number
  position: number
  user: number
  r: number
  w: number
  q: number
  v: number
  times: number
}

/** Rows as a slate log seen from a target. */
export function weighed(rows: readonly Row[]): WeighedRows {
  const column = (of: (row: Row) => number): Float64Array => Float64Array.from(rows, of)
  const ids = (kind: string, of: (row: Row) => number): string[] =>
    Array.from({ length: Math.max(0, ...rows.map(of)) + 1 }, (_, k) => `${kind} ${k}`)
  const log: Log = {
    rows: rows.length,
    user: Uint32Array.from(rows, ({ user }) => user),
    item: new Uint32Array(rows.length),
    userIds: ids('user', ({ user }) => user),
    itemIds: ['a'],
    catalogueKnown: false,
    reward: column(({ r }) => r),
    propensitySource: 'logged',
    slate: Uint32Array.from(rows, ({ slate }) => slate),
    slateIds: ids('page', ({ slate }) => slate),
    position: column(({ position }) => position),
    weight: column(({ times }) => times),
  }
  return {
    log,
    weight: column(({ w }) => w),
    prediction: column(({ q }) => q),
    value: column(({ v }) => v),
  }
}

export async function evaluate(
  estimator: Estimator,
  rows: readonly Row[],
  clusterBy: ClusterBy = 'row',
): Promise<{ value: number | undefined; se: number | undefined; clusters: number }> {
  const moments = slateMoments(weighed(rows), termsOf([estimator]), clusterBy)
  return {
    value: valueOf(estimator, moments),
    se: standardErrorOf(influenceOf(estimator, moments)),
    clusters: moments.clusters,
  }
}

export const close = (a: number | undefined, b: number | undefined, tolerance = 1e-9): void => {
  // Undefined together is agreement: nothing has any weight.
  if (a === undefined || Number.isNaN(a)) return expect(b).toBe(a)
  expect(Math.abs(a - b!)).toBeLessThanOrEqual(tolerance * Math.max(1, Math.abs(a), Math.abs(b!)))
}

const number = fc.double({ min: 0, max: 3, noNaN: true })
const slot = fc.record({ r: number, w: number, q: number, v: number })
/** Slates of one to four slots, of a few users. */
const logs: fc.Arbitrary<Row[]> = fc
  .array(
    fc.record({
      user: fc.integer({ min: 0, max: 5 }),
      slots: fc.array(slot, { minLength: 1, maxLength: 4 }),
    }),
    { minLength: 2, maxLength: 12 },
  )
  .map((pages) =>
    pages.flatMap(({ user, slots }, slate) =>
      slots.map((values, position) => ({ ...values, slate, position, user, times: 1 })),
    ),
  )
export const law = (predicate: (rows: Row[]) => Promise<void>): Promise<void> =>
  fc.assert(fc.asyncProperty(logs, predicate), { numRuns: 50 })
export const slatesIn = (rows: readonly Row[]): number => new Set(rows.map(({ slate }) => slate)).size

/** A term of each slate, in the order of their ids. */
export function slateValues({ log, ...rows }: WeighedRows, term: SlateTerm): Float64Array {
  const { weight: _, ...once } = log
  return slateMoments({ ...rows, log: once }, [term], 'row').sums(term)
}
