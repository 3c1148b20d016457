import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Log } from '../../log/log.js'
import { type Estimator, influenceOf, isTuned, standardErrorOf, termsOf, valueOf } from '../estimator.js'
import { momentsOf } from '../source/prepared-log.js'
import { type ClusterBy, Moments } from '../source/moments.js'
import type { WeighedRows } from '../source/sum-terms.js'
import { reward, weight, weightSquared } from '../term.js'
import { ESTIMATORS, estimatorNamed } from './index.js'

const golden = JSON.parse(readFileSync(new URL('golden.json', import.meta.url), 'utf8'))

interface Row {
  user: number
  r: number
  b: number
  p: number
  q: number
  v: number
  m: number
}

/** Rows as a log seen from a target. */
function weighed(rows: readonly Row[]): WeighedRows {
  const column = (of: (row: Row) => number): Float64Array => Float64Array.from(rows, of)
  const log: Log = {
    rows: rows.length,
    user: Uint32Array.from(rows, ({ user }) => user),
    item: new Uint32Array(rows.length),
    userIds: Array.from({ length: 50 }, (_, u) => `user ${u}`),
    itemIds: ['a'],
    catalogueKnown: false,
    reward: column(({ r }) => r),
    propensity: column(({ b }) => b),
    propensitySource: 'logged',
  }
  return {
    log,
    weight: column(({ p, b }) => p / b),
    prediction: column(({ q }) => q),
    value: column(({ v }) => v),
    categoryWeight: column(({ m }) => m),
    categoryReward: column(({ r }) => r / 2),
    categoryPrediction: column(({ q }) => q / 3),
  }
}

async function evaluate(
  estimator: Estimator,
  rows: readonly Row[],
  clusterBy: ClusterBy = 'row',
): Promise<number | undefined> {
  return valueOf(estimator, momentsOf(weighed(rows), termsOf([estimator]), clusterBy))
}

/** Every estimator, those with a λ at a value in between. */
const all: Estimator[] = ESTIMATORS.all
  .filter(({ rows }) => rows !== 'slates')
  .map((named) => (isTuned(named) ? named.with(named.tuning.unchanged.lambda === 0 ? 0.3 : 1.5) : named))

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, x, k) => sum + x * b[k]!, 0)

describe('the golden numbers', () => {
  const { action, reward: rewards, propensity, pi, q, expect: expected } = golden.hand
  const rows: Row[] = action.map((a: number, k: number) => ({
    user: k,
    r: rewards[k],
    b: propensity[k],
    p: pi[k][a],
    q: q[k][a],
    v: dot(pi[k], q[k]),
    m: 1,
  }))

  it.each([
    ['ips', undefined],
    ['snips', undefined],
    ['dm', undefined],
    ['dr', undefined],
    ['sndr', undefined],
    ['clipped-ips', 2],
    ['clipped-dr', 2],
    ['switch-dr', 2],
    ['dr-os', 4],
    ['sub-gaussian-ips', 0.1],
    ['sub-gaussian-dr', 0.1],
  ] as const)('%s of six rows', async (name, lambda) => {
    const key = lambda === undefined ? name : `${name}(lambda=${lambda})`
    const value = await evaluate(estimatorNamed(name, lambda), rows)
    expect(Math.abs(value! / expected[key] - 1)).toBeLessThan(1e-9)
  })

  it.each(['ips', 'snips'])('standard error of %s of six rows', async (name) => {
    const estimator = estimatorNamed(name)
    const moments = momentsOf(weighed(rows), termsOf([estimator]), 'row')
    const error = standardErrorOf(influenceOf(estimator, moments))!
    expect(Math.abs(error / expected[`se(${name})`] - 1)).toBeLessThan(1e-9)
  })

  it('effective sample size of six rows', async () => {
    const moments = momentsOf(weighed(rows), [weight, weightSquared], 'row')
    expect(moments.total(weight) ** 2 / moments.total(weightSquared)).toBeCloseTo(expected.ess, 12)
  })

  it('of one row', async () => {
    const row: Row = { user: 0, r: 1, b: 0.3, p: 0.6, q: 0, v: 0, m: 1 }
    expect(await evaluate(estimatorNamed('ips'), [row])).toBeCloseTo(golden.single.expect.ips, 12)
    expect(await evaluate(estimatorNamed('snips'), [row])).toBeCloseTo(golden.single.expect.snips, 12)
  })
})

const unit = fc.double({ min: 0.01, max: 1, noNaN: true })
const row: fc.Arbitrary<Row> = fc.record({
  user: fc.integer({ min: 0, max: 9 }),
  r: fc.double({ min: 0, max: 1, noNaN: true }),
  b: unit,
  p: unit,
  q: unit,
  v: unit,
  m: unit,
})
const rowsOf = fc.array(row, { minLength: 2, maxLength: 30 })
const close = (a: number | undefined, b: number | undefined, tolerance = 1e-9): void => {
  expect(Math.abs(a! - b!)).toBeLessThanOrEqual(tolerance * Math.max(1, Math.abs(a!), Math.abs(b!)))
}
const law = (predicate: (rows: Row[]) => Promise<void>): Promise<void> =>
  fc.assert(fc.asyncProperty(rowsOf, predicate), { numRuns: 50 })

describe.each(all.map((estimator) => [estimator.name, estimator] as const))('%s', (_name, estimator) => {
  it('is the mean reward when the target is the logging policy, and the model is right on average', () =>
    law(async (rows) => {
      const mean = rows.reduce((sum, { r }) => sum + r, 0) / rows.length
      const onPolicy = rows.map((one) => ({ ...one, p: one.b, m: 1, q: mean, v: mean }))
      close(await evaluate(estimator, onPolicy), mean)
    }))

  it('does not depend on the order of rows', () =>
    law(async (rows) => close(await evaluate(estimator, rows), await evaluate(estimator, rows.toReversed()))))

  it('does not depend on how rows are clustered', () =>
    law(async (rows) =>
      close(await evaluate(estimator, rows, 'row'), await evaluate(estimator, rows, 'user')),
    ))

  it('is the same from merged parts as from the whole', () =>
    law(async (rows) => {
      const terms = termsOf([estimator])
      const summed = (part: Row[]): Moments => momentsOf(weighed(part), terms, 'user')
      const whole = summed(rows)
      const merged = Moments.merge(summed(rows.slice(0, 1)), summed(rows.slice(1)))
      close(valueOf(estimator, merged), valueOf(estimator, whole))
      close(
        standardErrorOf(influenceOf(estimator, merged)) ?? 0,
        standardErrorOf(influenceOf(estimator, whole)) ?? 0,
      )
    }))

  it('has influences that sum to zero', () =>
    law(async (rows) => {
      const moments = momentsOf(weighed(rows), termsOf([estimator]), 'user')
      close(
        influenceOf(estimator, moments).reduce((sum, phi) => sum + phi, 0),
        0,
      )
    }))

  it('has influences that predict the effect of counting a cluster once more', () =>
    law(async (rows) => {
      // A thousand copies of the log, so that one more cluster is a small step.
      const terms = termsOf([estimator])
      const moments = momentsOf(weighed(rows), terms, 'row')
      const step = 1e-6
      const phi = influenceOf(estimator, moments)
      const nudged = new Moments(
        moments.keys,
        new Map(
          terms.map((term) => [
            term.name,
            moments.sums(term).map((sum, g) => (g === 0 ? sum * (1 + step) : sum)),
          ]),
        ),
      )
      const change = (valueOf(estimator, nudged)! - valueOf(estimator, moments)!) / step
      close(change, phi[0], 1e-4)
    }))

  it('of a log in which every row stands for two is the same', () =>
    law(async (rows) => {
      const doubled = weighed(rows)
      const moments = momentsOf(
        {
          ...doubled,
          log: { ...doubled.log, weight: new Float64Array(rows.length).fill(2) },
        },
        termsOf([estimator]),
        'row',
      )
      close(valueOf(estimator, moments), await evaluate(estimator, rows))
    }))

  it('is undefined, not 0, for an empty log', async () => {
    expect(await evaluate(estimator, [])).toBeUndefined()
  })
})

describe('laws between estimators', () => {
  const shifted = (rows: Row[], by: number): Row[] => rows.map((one) => ({ ...one, r: one.r + by }))
  const constantModel = (rows: Row[], c: number): Row[] => rows.map((one) => ({ ...one, q: c, v: c }))

  it('SNIPS moves with the rewards', () =>
    law(async (rows) => {
      const moved = await evaluate(estimatorNamed('snips'), shifted(rows, 0.7))
      close(moved, (await evaluate(estimatorNamed('snips'), rows))! + 0.7)
    }))

  it('a constant model makes SNDR equal SNIPS, and DR equal IPS + c (1 − mean weight)', () =>
    law(async (rows) => {
      const model = constantModel(rows, 0.4)
      close(await evaluate(estimatorNamed('sndr'), model), await evaluate(estimatorNamed('snips'), rows))
      const meanWeight = rows.reduce((sum, { p, b }) => sum + p / b, 0) / rows.length
      const ips = (await evaluate(estimatorNamed('ips'), rows))!
      close(await evaluate(estimatorNamed('dr'), model), ips + 0.4 * (1 - meanWeight))
    }))

  it.each([
    ['clipped-ips', Infinity, 'ips'],
    ['sub-gaussian-ips', 0, 'ips'],
    ['clipped-dr', Infinity, 'dr'],
    ['clipped-dr', 0, 'dm'],
    ['switch-dr', Infinity, 'dr'],
    ['switch-dr', 0, 'dm'],
    ['dr-os', Infinity, 'dr'],
    ['dr-os', 0, 'dm'],
    ['sub-gaussian-dr', 0, 'dr'],
  ] as const)('%s at λ = %d is %s', (name, lambda, limit) =>
    law(async (rows) =>
      close(await evaluate(estimatorNamed(name, lambda), rows), await evaluate(estimatorNamed(limit), rows)),
    ),
  )

  it('sub-Gaussian IPS at λ = 1 is the mean reward', () =>
    law(async (rows) => {
      const moments = momentsOf(weighed(rows), [reward], 'row')
      close(await evaluate(estimatorNamed('sub-gaussian-ips', 1), rows), moments.total(reward) / rows.length)
    }))

  it('the effective sample size is n when the target is the logging policy', () =>
    law(async (rows) => {
      const moments = momentsOf(
        weighed(rows.map((one) => ({ ...one, p: one.b }))),
        [weight, weightSquared],
        'row',
      )
      close(moments.total(weight) ** 2 / moments.total(weightSquared), rows.length)
    }))

  it('rows each their own cluster give the textbook standard error of a mean', () =>
    law(async (rows) => {
      const ips = estimatorNamed('ips')
      const moments = momentsOf(weighed(rows), termsOf([ips]), 'row')
      const terms = rows.map(({ p, b, r }) => (p / b) * r)
      const mean = terms.reduce((sum, x) => sum + x, 0) / terms.length
      const variance = terms.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (terms.length - 1)
      close(standardErrorOf(influenceOf(ips, moments)), Math.sqrt(variance / terms.length))
    }))
})

describe('undefined is never 0', () => {
  const nothing: Row = { user: 0, r: 1, b: 0.5, p: 0, q: 0.1, v: 0.1, m: 0 }

  it('SNIPS and SNDR of weights that are all zero', async () => {
    expect(await evaluate(estimatorNamed('snips'), [nothing, nothing])).toBeUndefined()
    expect(await evaluate(estimatorNamed('sndr'), [nothing, nothing])).toBeUndefined()
  })

  it('a standard error of one cluster', async () => {
    const snips = estimatorNamed('snips')
    const moments = momentsOf(weighed([{ ...nothing, p: 0.2 }]), termsOf([snips]), 'user')
    expect(standardErrorOf(influenceOf(snips, moments))).toBeUndefined()
  })

  it('an unknown estimator', () => {
    expect(() => estimatorNamed('snip')).toThrow(/no estimator "snip"/)
    expect(() => estimatorNamed('clipped-ips')).toThrow(/needs a λ/)
  })
})
