import { describe, expect, it } from 'vitest'
import type { Log } from '../../log/log.js'
import { estimatePropensity } from '../../propensity/choice.js'
import { randomStream } from '../../random/stream.js'
import { itemMean } from '../reward/reward-model.js'
import { memorySums } from '../source/memory-sums.js'
import { isLacking } from '../source/source.js'
import type { Target } from '../target.js'
import { sensitivityOf } from './sensitivity.js'

type Uniform = () => number

interface World {
  readonly rows: number
  /** The probability with which each kind of user is shown each item. */
  readonly logger: readonly (readonly number[])[]
  /** The reward of an item for a kind of user. */
  readonly reward: (uniform: Uniform, kind: number, item: number) => number
  /** By which factor the logged propensity is off. */
  readonly off?: (uniform: Uniform, reward: number, item: number) => number
  readonly target?: readonly number[]
}

/** One row for each user; kinds of users take turns. */
function drawn(seed: number, { rows, logger, reward, off = () => 1, target }: World): Log {
  const { uniform } = randomStream(seed, 'sensitivity worlds')
  const items = logger[0]!.length
  const ids = (letter: string, count: number): string[] =>
    Array.from({ length: count }, (_, k) => `${letter}${String(k).padStart(6, '0')}`)
  const item = Uint32Array.from({ length: rows }, (_, row) => shown(uniform(), logger[row % logger.length]!))
  const rewards = Float64Array.from(item, (one, row) => reward(uniform, row % logger.length, one))
  return {
    rows,
    user: Uint32Array.from({ length: rows }, (_, row) => row),
    item,
    userIds: ids('u', rows),
    itemIds: ids('i', items),
    catalogueKnown: true,
    reward: rewards,
    propensity: Float64Array.from(
      item,
      (one, row) => logger[row % logger.length]![one]! * off(uniform, rewards[row]!, one),
    ),
    propensitySource: 'logged',
    ...(target && { target: Float64Array.from(item, (one) => target[one]!) }),
    q: Float64Array.from(item, (one) => 0.1 + 0.05 * one),
    v: new Float64Array(rows).fill(0.15),
  }
}

function shown(at: number, probabilities: readonly number[]): number {
  let sum = 0
  const found = probabilities.findIndex((probability) => (sum += probability) > at)
  return found === -1 ? probabilities.length - 1 : found
}

/** The share of logs whose interval at each Γ covers the truth. */
async function coverage(
  logs: Iterable<Log>,
  {
    estimator,
    target,
    gammas,
    truth,
  }: { estimator: string; target: Target; gammas: number[]; truth: number },
): Promise<number[]> {
  const covered = gammas.map(() => 0)
  let count = 0
  for (const log of logs) {
    count++
    const source = memorySums(log, { target, seed: 0, rewardModel: itemMean })
    const found = await sensitivityOf(source, { estimator, gammas })
    if (isLacking(found)) throw new Error(found.lacking)
    found.grid.forEach(({ interval: [low, high] }, k) => {
      if (low <= truth && truth <= high) covered[k]!++
    })
  }
  return covered.map((hits) => hits / count)
}

const column: Target = { kind: 'column', name: 'target_prob' }
const worlds = function* (count: number, world: World): Iterable<Log> {
  for (let seed = 0; seed < count; seed++) yield drawn(seed, world)
}

describe('where propensities are off by up to Γ, the interval at that Γ covers the truth', () => {
  const [gamma, logs] = [1.4, 200]
  const logger = [[0.1, 0.2, 0.3, 0.4]]
  const target = [0.4, 0.3, 0.2, 0.1]
  const rates = [0.6, 0.4, 0.2, 0.2]
  const mean = target.reduce((sum, probability, item) => sum + probability * rates[item]!, 0)
  const click = (uniform: Uniform, _kind: number, item: number): number => (uniform() < rates[item]! ? 1 : 0)
  const amount = (uniform: Uniform, _kind: number, item: number): number => 2 * uniform() * rates[item]!
  const ofLogs = { target: column, gammas: [1, 1.2, gamma], truth: mean }

  it.each([
    ['snips', 'clicks', click],
    ['ips', 'clicks', click],
    ['dr', 'clicks', click],
    ['snips', 'amounts', amount],
  ] as const)(
    'in the worst way, weights too large for large outcomes: %s of %s',
    async (estimator, _kind, reward) => {
      const threshold = reward === click ? 0.5 : mean
      // Too small a propensity, and so too large a weight, for what is worth more.
      const off = (_: Uniform, r: number): number => (r > threshold ? 1 / gamma : gamma)
      const world = { rows: 400, logger, target, reward, off: estimator === 'ips' ? () => 1 / gamma : off }
      const [exact, some, all] = await coverage(worlds(logs, world), { ...ofLogs, estimator })
      expect(all).toBeGreaterThanOrEqual(0.95)
      expect(some).toBeLessThan(0.9)
      expect(exact).toBeLessThan(0.5)
    },
  )

  it('by chance, whatever the outcome', async () => {
    const off = (uniform: Uniform): number => 1 / gamma + uniform() * (gamma - 1 / gamma)
    const world = { rows: 400, logger, target, reward: click, off }
    const [, , all] = await coverage(worlds(logs, world), { ...ofLogs, estimator: 'snips' })
    expect(all).toBeGreaterThanOrEqual(0.95)
  })
})

it('estimated propensities that miss whom the logger favours: the estimate is 28 % off, and the true Γ covers', async () => {
  // Each kind of user likes one item, and is shown it half as often again as people are on average; the other, half as often.
  const world: World = {
    rows: 1500,
    logger: [
      [0.45, 0.25, 0.15, 0.15],
      [0.15, 0.15, 0.25, 0.45],
    ],
    reward: (uniform, kind, item) => (uniform() < (item === (kind === 0 ? 0 : 3) ? 0.6 : 0.1) ? 1 : 0),
  }
  const truth = (0.6 + 3 * 0.1) / 4
  const estimated = function* (): Iterable<Log> {
    for (const log of worlds(60, world)) yield estimatePropensity(log, { kind: 'popularity', power: 1 }).log
  }
  const [first] = estimated()
  const source = memorySums(first!, { target: { kind: 'uniform' }, seed: 0, rewardModel: itemMean })
  const found = await sensitivityOf(source, { estimator: 'snips' })
  if (isLacking(found)) throw new Error(found.lacking)
  expect(found.grid[0]!.low / truth).toBeCloseTo(1.28, 1)
  // 0.30 on average against 0.45 and 0.15.
  const [exact, trueGamma] = await coverage(estimated(), {
    estimator: 'snips',
    target: { kind: 'uniform' },
    gammas: [1, 2],
    truth,
  })
  expect(exact).toBeLessThan(0.1)
  expect(trueGamma).toBeGreaterThanOrEqual(0.95)
})
