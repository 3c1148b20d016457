import type { Log } from '../log/log.js'
import { randomStream } from '../random/stream.js'
import { itemMean } from './reward/reward-model.js'
import { memorySums } from './source/memory-sums.js'
import type { SumSource } from './source/source.js'

/** A Monday in 2026, in milliseconds since 1970. */
const MONDAY = Date.UTC(2026, 0, 5)
const DAY = 86_400_000

interface Shape {
  readonly rows: number
  readonly users: number
  readonly days: number
  /** The largest weight, about (default 3); the mean is 1. */
  readonly spread?: number
  readonly rate?: number
}

/** Clicks of users on days, in random order, with the probabilities of a target and a cluster column of three shops. */
export function logOfDays(seed: number, { rows, users, days, spread = 3, rate = 0.3 }: Shape): Log {
  const { uniform } = randomStream(seed, 'users and days')
  const draw = (below: number): Uint32Array =>
    Uint32Array.from({ length: rows }, () => Math.floor(uniform() * below))
  const ids = (letter: string, count: number): string[] => Array.from({ length: count }, (_, k) => letter + k)
  return {
    rows,
    user: draw(users),
    item: draw(5),
    userIds: ids('u', users),
    itemIds: ids('i', 5),
    catalogueKnown: false,
    cluster: draw(3),
    clusterIds: ids('shop ', 3),
    reward: Float64Array.from({ length: rows }, () => (uniform() < rate ? 1 : 0)),
    propensity: new Float64Array(rows).fill(0.05),
    propensitySource: 'logged',
    // w = 20 times this: (spread + 1) u^spread has the mean 1.
    target: Float64Array.from({ length: rows }, () => ((spread + 1) * uniform() ** spread) / 20),
    time: Float64Array.from(draw(days), (day) => MONDAY + (day + uniform()) * DAY),
  }
}

/** The sums of a log in memory, seen from the target whose probabilities it carries. */
export const sumsOf = (log: Log): SumSource =>
  memorySums(log, { target: { kind: 'column', name: 'target_prob' }, seed: 0, rewardModel: itemMean })
