import { expect } from 'vitest'
import { randomStream } from '../../random/stream.js'
import { type Estimator, termsOf } from '../estimator.js'
import { estimatorNamed } from '../estimators/index.js'
import { Moments } from '../source/moments.js'
import type { RowColumn } from '../../sql/expression.js'
import { vectorise } from '../../sql/vectorise.js'
import { reward } from '../term.js'
import { intervalFor, type IntervalMethod, type IntervalOptions } from './index.js'
import { type Found, INTERVAL_TERMS, type IntervalResult, resultOf } from './interval.js'

export const snips = estimatorNamed('snips')
export const ips = estimatorNamed('ips')
export const dr = estimatorNamed('dr')
export const sndr = estimatorNamed('sndr')
const terms = [
  ...termsOf([snips, ips, dr, sndr, estimatorNamed('clipped-ips', 2)]),
  ...INTERVAL_TERMS,
  reward,
]

export interface Row extends Partial<Record<RowColumn, number>> {
  cluster: number
  r: number
  w: number
}

/** The sums of rows by cluster, keys from the clusters' numbers. */
export function momentsOf(rows: readonly Row[]): Moments {
  const places = new Map<number, number>()
  for (const { cluster } of rows) if (!places.has(cluster)) places.set(cluster, places.size)
  const sums = new Map(terms.map(({ name }) => [name, new Float64Array(places.size)]))
  const distinct = [...new Map(terms.map((one) => [one.name, one])).values()]
  for (const row of rows) {
    const columns = Object.entries({ q: 0.3, v: 0.3, m: 1, ...row }).map(([name, x]) => [
      name,
      Float64Array.of(x),
    ])
    const values = vectorise(
      distinct.map(({ expression }) => expression),
      Object.fromEntries(columns),
    )(0, 1)
    distinct.forEach(({ name }, t) => (sums.get(name)![places.get(row.cluster)!]! += values[t]![0]!))
  }
  return new Moments(
    Uint32Array.from(places.keys(), (cluster) => Math.imul(cluster + 1, 0x9e3779b1)),
    sums,
  )
}

/** A log of `users` users with `each` rows; weights of mean 1, between 0.1 and 1.9. */
export function drawRows(seed: number, users: number, each: number, rate = 0.3): Row[] {
  const random = randomStream(seed, 'intervals')
  return Array.from({ length: users * each }, (_, k) => ({
    cluster: Math.floor(k / each),
    w: 0.1 + 1.8 * random.uniform(),
    r: random.uniform() < rate ? 1 : 0,
  }))
}

export const bounds = (found: Found): readonly [number, number] => {
  const { interval, reason } = resultOf('asked', found)
  if (!interval) throw new Error(`no interval: ${reason}`)
  return interval
}
export const width = (result: IntervalResult): number => bounds(result)[1] - bounds(result)[0]
export const close = (a: number, b: number, tolerance = 1e-9): void =>
  expect(Math.abs(a - b)).toBeLessThanOrEqual(tolerance * Math.max(1, Math.abs(a), Math.abs(b)))

export const usual = momentsOf(drawRows(1, 80, 5))
export const known: IntervalOptions = { maxWeight: 2, bootstrap: 400 }
export const estimatorFor = (method: IntervalMethod): Estimator =>
  method === 'bernstein' || method === 'hoeffding' ? ips : snips

/** The interval of an estimate from clicks: rewards are 0 or 1. */
export const clickInterval = (
  estimator: Estimator,
  moments: Moments,
  options: IntervalOptions = {},
): IntervalResult => intervalFor(estimator, moments, { rewardRange: [0, 1], ...options })
