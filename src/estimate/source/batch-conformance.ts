import type { Log } from '../../log/log.js'
import {
  type Batch,
  type FactorQuery,
  type Label,
  type Partition,
  type RowNumber,
  type Window,
  col,
  floor,
  remainder,
  userBucket,
} from '../../queries/query.js'
import { randomStream } from '../../random/stream.js'
import { least, minus, number, over, plus, times, when } from '../../sql/expression.js'
import type { Target } from '../target.js'
import type { ClusterColumn } from './moments.js'
import type { SourceCase } from './source-case.js'

/** What is drawn: a log, and what is asked of it. */
interface Drawn {
  readonly seed: number
  readonly ids: 'numbers' | 'texts'
  /** So many different times (default: none). */
  readonly times?: number
  readonly isOfPages?: boolean
  /** Rows stand for several impressions. */
  readonly hasCounts?: boolean
  readonly clusterBy?: ClusterColumn
  readonly target?: Exclude<Target['kind'], 'policy'>
}

function asked(what: string, drawn: Drawn): SourceCase {
  const { target = 'column', clusterBy = 'user' } = drawn
  return {
    name: `a batch about rows ${what}`,
    targets: [target],
    make: () => drawLog(drawn),
    queries: [{ ask: 'batch', batch: drawBatch(drawn), by: clusterBy }],
  }
}

/** A log in which nothing ties but times, and what `drawn` says. */
function drawLog({ seed, ids, times: moments, isOfPages, hasCounts }: Drawn): Log {
  const rows = 700
  const { uniform } = randomStream(seed, 'conformance', rows)
  const below = (most: number) => (): number => Math.floor(uniform() * Math.sqrt(uniform()) * most)
  const numbers = (of: () => number): Float64Array => Float64Array.from({ length: rows }, of)
  const index = (most: number): Uint32Array => Uint32Array.from({ length: rows }, (_, k) => (k < most ? k : below(most)())) // prettier-ignore
  const names = (what: string, count: number): string[] =>
    Array.from({ length: count }, (_, k) => (ids === 'numbers' ? String(7 * k - 5) : `${what} '${k}', é`))
  return {
    rows,
    user: index(45),
    userIds: names('user', 45),
    item: index(9),
    itemIds: names('item', 9),
    catalogueKnown: false,
    reward: numbers(() => (uniform() < 0.3 ? 1 + uniform() : 0)),
    propensity: numbers(() => 0.05 + 0.3 * uniform()),
    propensitySource: 'logged',
    target: numbers(() => (uniform() < 0.2 ? 0 : 0.3 * uniform())),
    ...(moments !== undefined && { time: numbers(() => 1.6e12 + 5_000_000 * below(moments)()) }),
    ...(hasCounts && { weight: numbers(() => 1 + below(3)()) }),
    cluster: index(20),
    clusterIds: names('cluster', 20),
    ...(isOfPages && {
      slate: Uint32Array.from({ length: rows }, (_, k) => Math.floor(k / 2)),
      slateIds: names('page', rows / 2),
      position: Float64Array.from({ length: rows }, (_, k) => k % 2),
    }),
  }
}

/** Windows over all partitions, some over others; sums and repairs by labels that leave rows out. */
function drawBatch({ seed, times: moments, isOfPages, target }: Drawn): Batch {
  const { uniform } = randomStream(seed, 'conformance', 1)
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(uniform() * values.length)]!
  const [r, w, n, t, i] = ['r', 'w', 'n', 't', 'i'].map(col) as [
    RowNumber,
    RowNumber,
    RowNumber,
    RowNumber,
    RowNumber,
  ]
  const clicked = when(r, '>', 0, 1, 0)
  const hour: RowNumber = floor(over(t, 20_000_000))
  const alike = [t, i, r, col('b')]
  const partitions: Partition[] = ['log', 'user', 'item', 'pair', [hour], [col('visit')], [t], alike]
  // Windows that later ones are about have names of their own.
  const windows: Window[] = [
    { name: 'first', take: 'least', of: t, over: 'log' },
    { name: 'last', take: 'most', of: t, over: 'log' },
    { name: 'Before', take: 'before', of: t, over: 'user', otherwise: -1e300 },
    { name: 'visit', take: 'running', of: when(minus(t, col('Before')), '>', 5_000_000, 1, 0), over: 'user' },
    { name: 'before', take: 'before', of: r, over: 'user', otherwise: -1 },
    { name: 'rows', take: 'total', of: number(1), over: 'user' },
    { name: 'all', take: 'total', of: number(1), over: 'log' },
  ]
  const wholes: RowNumber[] = [clicked, number(1), n, when(col('before'), '!=', 0, 2, 1), when(t, '<=', col('last'), 1, 3)] // prettier-ignore
  const values: RowNumber[] = [
    r,
    w,
    times(w, r),
    ...wholes,
    over(r, col('rows')),
    power(over(1, col('rows')), n),
  ]
  for (const [k, over] of partitions.entries())
    for (const take of ['total', 'least', 'most', 'running', 'before', 'after'] as const) {
      const of = pick(values)
      const name = `${take} ${k}`
      const isNext = take === 'before' || take === 'after'
      windows.push(
        isNext ? { name, take, of, over, otherwise: pick([0, -1, 2.5]) } : { name, take, of, over },
      )
      if (uniform() < 0.3) values.push(col(name))
    }
  const labels: Label[] = [
    { of: number(0), size: 1 },
    { of: minus(least(number(9), col('rows')), 3), size: 6 },
    { of: minus(clicked, number(1)), size: 1 },
    { of: remainder(col('i'), 5), size: 3 },
    ...(isOfPages ? [{ of: col('k'), size: 1 }] : []),
    ...(moments === undefined ? [] : [partOf(4)]),
  ]
  const sums = Object.fromEntries(
    Array.from({ length: 8 }, (_, k) => {
      const by = k === 0 ? [] : k === 1 ? [userBucket] : k < 4 ? [pick(labels)] : [pick(labels), pick(labels)]
      const own = (letter: string): Record<string, RowNumber> =>
        Object.fromEntries(Array.from({ length: 3 }, (_, s) => [`${letter}${s}`, pick(values)]))
      return [`sums ${k}`, { by, sums: own('s'), ...(k % 4 === 1 && { least: own('a'), most: own('z') }) }]
    }),
  )
  // Every window is asked for by user.
  sums['windows'] = {
    by: [userBucket],
    sums: Object.fromEntries(windows.map(({ name }, k) => [`s${k}`, col(name)])),
  }
  const measures = [over(1, col('b')), ...(target === 'logging' ? [] : [w])]
  const parts = moments === undefined ? [] : [partOf(5), partOf(8)]
  const factors = labels.slice(0, 6).map((by, k): [string, FactorQuery] => {
    const time = k % 2 === 0 ? parts[k % 4 === 0 ? 0 : 1] : undefined
    return [`factor ${k}`, { measure: measures[k % measures.length]!, of: k === 3 ? 'all' : 'item', by, ...(time && { time }) }] // prettier-ignore
  })
  const largest = {
    some: { of: times(w, r), count: times(number(0.1), col('all')) },
    more: { of: w, count: number(1e6) },
  }
  return { windows, sums, factors: Object.fromEntries(factors), largest }
}

/** Equal parts of the time between the first row and the last. */
const partOf = (parts: number): Label => {
  const [since, all] = [minus(col('t'), col('first')), minus(col('last'), col('first'))]
  return { of: least(number(parts - 1), floor(over(times(number(parts), since), plus(all, 1)))), size: parts }
}

const power = (base: RowNumber, to: RowNumber): RowNumber => ({
  kind: 'function',
  name: 'exp',
  of: times(to, { kind: 'function', name: 'log', of: base }),
})

/** Windows, sums and repairs of every kind, over logs with rows at the same time, without times, of pages. */
export const BATCH_CASES: readonly SourceCase[] = [
  asked('of pages, with rows at the same time', { seed: 1, ids: 'texts', times: 12, isOfPages: true, hasCounts: true }), // prettier-ignore
  asked('without times', { seed: 2, ids: 'numbers' }),
  { ...asked('in another order', { seed: 3, ids: 'texts', times: 40 }), isShuffled: true },
  asked('in clusters across users, for a uniform target', { seed: 4, ids: 'numbers', times: 6, clusterBy: 'column', target: 'uniform' }), // prettier-ignore
  asked('of the logging policy itself', { seed: 5, ids: 'texts', times: 30, target: 'logging' }),
]
