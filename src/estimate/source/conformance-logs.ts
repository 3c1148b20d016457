import { type Log, takeRows } from '../../log/log.js'
import { pow } from '../../portable-math.js'
import { type RandomStream, randomStream } from '../../random/stream.js'
import type { LoggersChoice } from '../loggers/loggers-choice.js'

/** A log with every column that sums look at: ids of a kind, clusters that cut across users, rows that stand for several. */
export function exampleLog(rows: number, ids: 'numbers' | 'texts'): Log {
  const { uniform } = randomStream(7, 'moments', rows)
  const draw = (below: number): Uint32Array =>
    Uint32Array.from({ length: rows }, () => Math.floor(uniform() ** 2 * below))
  const numbers = (of: () => number): Float64Array => Float64Array.from({ length: rows }, of)
  const names = (what: string, count: number): string[] =>
    Array.from({ length: count }, (_, k) => (ids === 'numbers' ? String(k * 3 - 5) : `${what} '${k}', é`))
  return occurringOnly({
    rows,
    user: draw(40),
    item: draw(12),
    userIds: names('user', 40),
    itemIds: names('item', 12),
    catalogueKnown: false,
    reward: numbers(() => (uniform() < 0.3 ? uniform() * 3 - 0.5 : 0)),
    propensity: numbers(() => 0.001 + 0.999 * pow(uniform(), 3)),
    propensitySource: 'logged',
    target: numbers(() => (uniform() < 0.2 ? 0 : uniform())),
    cluster: draw(15),
    clusterIds: names('cluster', 15),
    weight: numbers(() => 1 + Math.floor(uniform() * 4) / 2),
    q: numbers(uniform),
    v: numbers(uniform),
  })
}

/** Logs without predictions, whose means are easy to get wrong. */
export const UNPREDICTED: readonly (readonly [name: string, make: () => Log])[] = [
  [
    'rows that stand for several',
    () => {
      const { q: _q, v: _v, ...log } = exampleLog(300, 'texts')
      return log
    },
  ],
  ['clicks, many of them tied', () => randomLog(21)],
  [
    'few rows, items shown once',
    () =>
      occurringOnly(
        takeRows(
          randomLog(22),
          Uint32Array.from({ length: 9 }, (_, k) => 5 * k),
        ),
      ),
  ],
  [
    'one user',
    () => {
      const log = randomLog(23)
      return occurringOnly(
        takeRows(
          log,
          Uint32Array.from(log.user.keys()).filter((row) => log.user[row] === 0),
        ),
      )
    },
  ],
]

/** A log of clicks whose weights may be tame or heavy-tailed, of few users or many. */
export function randomLog(seed: number): Log {
  const random = randomStream(seed, 'conformance')
  const rows = 500 + Math.floor(random.uniform() * 3000)
  const users = 5 + Math.floor(random.uniform() * 400)
  const [tail, rate] = [random.uniform() * 6, 0.02 + 0.4 * random.uniform()]
  const below = (most: number): number => Math.floor(random.uniform() * most)
  const propensity = Float64Array.from({ length: rows }, () => 0.01 + 0.99 * pow(random.uniform(), 1 + tail))
  return occurringOnly({
    rows,
    user: Uint32Array.from({ length: rows }, () => below(users)),
    item: Uint32Array.from({ length: rows }, () => below(30)),
    userIds: Array.from({ length: users }, (_, k) => `u${k}`),
    itemIds: Array.from({ length: 30 }, (_, k) => `i${k}`),
    catalogueKnown: false,
    reward: Float64Array.from({ length: rows }, () => (random.uniform() < rate ? 1 : 0)),
    propensity,
    propensitySource: 'logged',
    target: propensity.map((b) => Math.min(1, b * meanOne(random, tail))),
  })
}

/** A positive number of mean near 1, the more uneven the larger `tail`. */
const meanOne = ({ uniform }: RandomStream, tail: number): number => (1 + tail) * pow(uniform(), tail)

/** A log, with times of six days or without, in which an id that is no person has a third of the rows. */
export function guestLog(ids: 'numbers' | 'texts', hasTimes: boolean): Log {
  const log = randomLog(24)
  const { uniform } = randomStream(25, 'conformance')
  const minutes = Float64Array.from({ length: log.rows }, () => Math.floor(uniform() * 6 * 24 * 60))
  return {
    ...log,
    user: log.user.map((user, row) => (row % 3 === 0 ? 0 : user)),
    userIds: log.userIds.map((id, k) => (ids === 'numbers' ? String(k) : k === 0 ? 'Guest' : id)),
    ...(hasTimes && { time: minutes.map((minute) => 1.76e12 + minute * 60_000) }),
  }
}

/** The loggers of `loggedLog`: by name alone, and with their probabilities. */
export const LOGGERS: readonly LoggersChoice[] = [
  { column: 'policy' },
  { column: 'policy', probabilities: { "old 'one'": 'p old', new: 'p_new', '': 'p_none' } },
]

/** A log that three loggers drew, one of them without a name; the propensity of each row is that of its own. */
export function loggedLog(): Log {
  const log = randomLog(11)
  const { uniform } = randomStream(12, 'conformance')
  const index = Uint32Array.from({ length: log.rows }, () => Math.floor(uniform() ** 2 * 3))
  const own = log.propensity!
  const under = (logger: number): Float64Array =>
    own.map((b, row) => (index[row] === logger ? b : Math.max(0, uniform() - 0.1)))
  return {
    ...log,
    labels: { policy: { index, ids: ["old 'one'", 'new', ''] } },
    numbers: { 'p old': under(0), p_new: under(1), p_none: under(2) },
  }
}

/** Ways to spoil some probabilities of loggers. */
export const LOGGER_FAULTS: readonly (readonly [name: string, spoil: (log: Log) => Log])[] = [
  ['a propensity of another', (log) => ({ ...log, propensity: log.propensity!.map((b) => b / 2) })],
  [
    'probabilities that are none',
    (log) => {
      const { numbers = {} } = log
      return {
        ...log,
        numbers: { ...numbers, p_new: numbers['p_new']!.with(3, 1.5).with(4, NaN).with(5, -0.5) },
      }
    },
  ],
]

/** Only ids with rows: whoever reads a log from its rows knows no others. */
function occurringOnly(log: Log): Log {
  const [user, userIds] = without(log.user, log.userIds)
  const [item, itemIds] = without(log.item, log.itemIds)
  if (!log.cluster || !log.clusterIds) return { ...log, user, userIds, item, itemIds }
  const [cluster, clusterIds] = without(log.cluster, log.clusterIds)
  return { ...log, user, userIds, item, itemIds, cluster, clusterIds }
}

function without(index: Uint32Array, ids: readonly string[]): [Uint32Array, string[]] {
  const used = [...new Set(index)].toSorted((a, b) => a - b)
  const placeOf = new Map(used.map((id, place) => [id, place]))
  return [index.map((id) => placeOf.get(id)!), used.map((id) => ids[id]!)]
}

/** Ways to spoil some rows of a log. */
export const FAULTS: readonly (readonly [name: string, spoil: (log: Log) => Log])[] = [
  ['a reward that is missing', (log) => ({ ...log, reward: log.reward.with(3, NaN) })],
  ['a propensity of zero', (log) => ({ ...log, propensity: log.propensity!.with(3, 0) })],
  ['a propensity above one', (log) => ({ ...log, propensity: log.propensity!.with(3, 1.5).with(4, NaN) })],
  ['a negative target probability', (log) => ({ ...log, target: log.target!.with(5, -0.25) })],
  ['a row that stands for none', (log) => ({ ...log, weight: log.weight!.with(6, 0) })],
  [
    'a weight beyond all bounds',
    (log) => ({ ...log, propensity: log.propensity!.with(7, 1e-200), target: log.target!.with(7, 0.5) }),
  ],
  [
    'a propensity and a number of impressions too close to zero',
    (log) => ({ ...log, propensity: log.propensity!.with(7, 5e-324), weight: log.weight!.with(2, 1e-300) }),
  ],
  ['a reward beyond all bounds', (log) => ({ ...log, reward: log.reward.with(8, 1e200).with(9, NaN) })],
]
