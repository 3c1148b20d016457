import { describe, expect, it } from 'vitest'
import type { Log } from '../../log/log.js'
import { randomStream } from '../../random/stream.js'
import { vectorise } from '../../sql/vectorise.js'
import { type Estimator, isTuned } from '../estimator.js'
import { ESTIMATORS, estimatorNamed } from '../estimators/index.js'
import { evaluate } from '../evaluate.js'
import { differenceInterval } from '../intervals/difference.js'
import { itemMean } from '../reward/reward-model.js'
import { memorySums } from '../source/memory-sums.js'
import { type Known, type SumSource, isLacking } from '../source/source.js'
import { influencesOf } from '../spread.js'
import { importanceWeights } from '../target.js'
import { one, reward, weight, weightedReward } from '../term.js'
import type { Sensitivity } from '../evaluation.js'
import { sensitivityOf } from './sensitivity.js'
import { tiltingOf } from './tilted-weights.js'

const target = { kind: 'column', name: 'target_prob' } as const
const categories = ['a', 'b', 'a', 'b', 'a']

interface Drawing {
  readonly rows: number
  readonly users?: number
  readonly reward: (uniform: () => number, item: number) => number
  /** Of the target, for each item of the five. */
  readonly target?: readonly number[]
}

/** A log of a uniform logger of five items, with predictions of its own. */
function logOf(seed: number, { rows, users = rows, reward, target: pi = [2, 1, 0.5, 1, 0.5] }: Drawing): Log {
  const { uniform } = randomStream(seed, 'sensitivity')
  const item = Uint32Array.from({ length: rows }, () => Math.floor(5 * uniform()))
  const ids = (letter: string, count: number): string[] =>
    Array.from({ length: count }, (_, k) => `${letter}${String(k).padStart(6, '0')}`)
  return {
    rows,
    user: Uint32Array.from({ length: rows }, (_, row) => row % users),
    item,
    userIds: ids('u', users),
    itemIds: ids('i', 5),
    catalogueKnown: true,
    reward: Float64Array.from(item, (shown) => reward(uniform, shown)),
    propensity: new Float64Array(rows).fill(0.2),
    propensitySource: 'logged',
    target: Float64Array.from(item, (shown) => pi[shown]! / 5),
    q: Float64Array.from(item, (shown) => 0.3 + 0.05 * shown),
    v: new Float64Array(rows).fill(0.4),
    time: Float64Array.from({ length: rows }, (_, row) => 86_400_000 * (19_000 + (row % 7))),
  }
}
const clicks = (rate: number) => (uniform: () => number) => (uniform() < rate ? 1 : 0)
const stars = (uniform: () => number): number => Math.floor(5 * uniform()) - 1
const amounts = (uniform: () => number, item: number): number => uniform() * (1 + item) - 0.3

const sourceOf = (log: Log): SumSource =>
  memorySums(log, { target, seed: 0, rewardModel: itemMean, categories })
const known = <Fact>(fact: Known<Fact>): Fact => {
  if (isLacking(fact)) throw new Error(fact.lacking)
  return fact
}
const sensitivity = async (
  source: SumSource,
  estimator: string | Estimator,
  options = {},
): Promise<Sensitivity> => known(await sensitivityOf(source, { estimator, ...options }))

/** All estimators of single rows that use weights. */
const weighing = ESTIMATORS.all
  .filter(({ rows }) => rows !== 'slates')
  .map((named) => (isTuned(named) ? named.with(named.name.startsWith('sub') ? 0.3 : 1.5) : named))
  .filter((estimator) => tiltingOf(estimator) !== undefined)

/** The slow, obvious way: every choice of Γ or 1/Γ for every row. */
function corners(log: Log, estimator: Estimator, gamma: number): [least: number, most: number] {
  const arrays = { w: importanceWeights(log, target), r: log.reward, q: log.q!, v: log.v! }
  const { weight, outcome } = estimator.judged!
  const [w, o] = vectorise([weight.expression, outcome!], arrays)(0, log.rows).map((part) =>
    Array.from(part.subarray(0, log.rows)),
  ) as [number[], number[]]
  const model = estimator.rows === 'plain' ? 0 : 0.4
  const isRatio = ['snips', 'sndr'].includes(estimator.name)
  let [least, most] = [Infinity, -Infinity]
  for (let choice = 0; choice < 2 ** log.rows; choice++) {
    let [above, below] = [0, 0]
    for (let row = 0; row < log.rows; row++) {
      const tilted = w[row]! * ((choice >> row) & 1 ? gamma : 1 / gamma)
      above += tilted * o[row]!
      below += isRatio ? tilted : 1
    }
    least = Math.min(least, model + above / below)
    most = Math.max(most, model + above / below)
  }
  return [least, most]
}

describe('the extremes are those of all corners of weights off by up to Γ', () => {
  const names = ['snips', 'sndr', 'ips', 'dr', 'clipped-ips:1', 'dr-os:2', 'sub-gaussian-dr:0.3']
  it.each(
    names.flatMap((name) =>
      [clicks(0.4), stars, amounts].map(
        (reward, kind) => [name, ['clicks', 'stars', 'amounts'][kind]!, reward] as const,
      ),
    ),
  )('%s of %s', async (name, _kind, reward) => {
    for (const seed of [1, 2, 3]) {
      const log = logOf(seed, { rows: 10, reward })
      const [plain, lambda] = name.split(':')
      const estimator = estimatorNamed(plain!, lambda === undefined ? undefined : Number(lambda))
      const { grid } = await sensitivity(sourceOf(log), name, { gammas: [1, 1.3, 2.5] })
      for (const { gamma, low, high } of grid) {
        const [least, most] = corners(log, estimator, gamma)
        expect(low).toBeCloseTo(least, 10)
        expect(high).toBeCloseTo(most, 10)
      }
    }
  })

  it('for three rows of clicks, R/(R + S/Γ²) and R/(R + SΓ²) with R the weight of clicks and S that of the others', async () => {
    const log: Log = {
      ...logOf(1, { rows: 3, reward: clicks(0.5) }),
      reward: Float64Array.of(1, 0, 1),
      target: Float64Array.of(0.2, 0.4, 0.4),
    }
    // Weights 1, 2, 2: R = 3, S = 2, and Γ² = 4.
    const { grid } = await sensitivity(sourceOf(log), 'snips', { gammas: [1, 2] })
    expect(grid[0]!.low).toBeCloseTo(3 / 5, 12)
    expect(grid[1]!.low).toBeCloseTo(3 / 11, 12)
    expect(grid[1]!.high).toBeCloseTo(3 / 3.5, 12)
  })
})

describe('the laws of sensitivity', () => {
  it('hold for all estimators that weigh single rows', () => {
    const means = ['ips', 'dr', 'mrdr', 'mips', 'clipped-ips', 'clipped-dr', 'switch-dr', 'dr-os']
    expect(weighing.map(({ name }) => name)).toEqual(
      expect.arrayContaining([...means, 'sub-gaussian-ips', 'sub-gaussian-dr', 'snips', 'sndr']),
    )
  })

  const logs = [clicks(0.2), stars, amounts].map((reward) => logOf(7, { rows: 600, users: 90, reward }))

  it.each(weighing.map((estimator) => [estimator.name, estimator] as const))(
    'of %s: Γ = 1 is the estimate with its t interval, and all that a Γ allows a larger one allows',
    async (name, estimator) => {
      for (const log of logs) {
        const request = estimator.lambda === undefined ? name : `${name}:${estimator.lambda}`
        const { evaluation } = await evaluate(log, {
          target,
          categories,
          estimators: [request],
          interval: 't',
        })
        const { grid } = await sensitivity(sourceOf(log), estimator)
        const [estimate] = evaluation.estimates
        const [first] = grid
        expect(first!.low).toBeCloseTo(estimate!.value!, 12)
        expect(first!.high).toBeCloseTo(estimate!.value!, 12)
        expect(first!.interval[0]).toBeCloseTo(estimate!.interval![0], 11)
        expect(first!.interval[1]).toBeCloseTo(estimate!.interval![1], 11)
        for (const [k, { low, high, interval }] of grid.entries()) {
          expect(interval[0]).toBeLessThan(low)
          expect(interval[1]).toBeGreaterThan(high)
          if (k === 0) continue
          expect(low).toBeLessThan(grid[k - 1]!.low)
          expect(high).toBeGreaterThan(grid[k - 1]!.high)
          expect(interval[0]).toBeLessThanOrEqual(grid[k - 1]!.interval[0])
          expect(interval[1]).toBeGreaterThanOrEqual(grid[k - 1]!.interval[1])
        }
      }
    },
  )

  it('clicks by SNIPS and rewards above 0 by IPS need no further pass, and give the same as passes do', async () => {
    const [log] = logs
    for (const name of ['snips', 'ips']) {
      const { evaluation } = await evaluate(log!, { target, estimators: [name] })
      const asked = await sensitivity(sourceOf(log!), name)
      expect(evaluation.sensitivity!.flipsAt).toBe(asked.flipsAt)
      evaluation.sensitivity!.grid.forEach(({ interval }, k) => {
        expect(interval[0]).toBeCloseTo(asked.grid[k]!.interval[0], 12)
        expect(interval[1]).toBeCloseTo(asked.grid[k]!.interval[1], 12)
      })
    }
  })

  it('other rewards and estimators are looked at only when asked', async () => {
    const options = { target, estimators: ['snips'] }
    expect((await evaluate(logs[1]!, options)).evaluation.sensitivity).toBeNull()
    expect(
      (await evaluate(logs[1]!, { ...options, sensitivity: true })).evaluation.sensitivity,
    ).not.toBeNull()
    expect((await evaluate(logs[0]!, { target, estimators: ['dr'] })).evaluation.sensitivity).toBeNull()
  })

  it('a factor below 1, or factors that do not rise, are an error', async () => {
    await expect(sensitivity(sourceOf(logs[0]!), 'snips', { gammas: [0.5, 2] })).rejects.toThrow(
      'rise from 1',
    )
    await expect(sensitivity(sourceOf(logs[0]!), 'snips', { gammas: [1, 2, 2] })).rejects.toThrow(
      'rise from 1',
    )
  })

  it('DM and the logging policy use no propensities, and slates multiply many', async () => {
    const source = sourceOf(logs[0]!)
    expect(await sensitivityOf(source, { estimator: 'dm' })).toEqual({
      lacking: 'DM has no weights of single rows',
    })
    expect(await sensitivityOf(source, { estimator: 'iips' })).toHaveProperty('lacking')
    const logging = memorySums(logs[0]!, { target: { kind: 'logging' }, seed: 0, rewardModel: itemMean })
    expect(await sensitivityOf(logging, { estimator: 'snips' })).toEqual({
      lacking: 'weights do not depend on propensities',
    })
  })
})

describe('the Γ at which the answer flips', () => {
  /** The target shows items that earn more, or less. */
  const better = logOf(3, {
    rows: 4000,
    reward: (uniform, item) => (uniform() < (item === 0 ? 0.6 : 0.2) ? 1 : 0),
  })
  const worse: Log = { ...better, reward: better.reward.map((r) => 1 - r) }

  it.each([
    ['more', better, 'snips'],
    ['less', worse, 'snips'],
    ['more', better, 'dr'],
    ['more', better, 'sndr'],
    ['less', worse, 'ips'],
  ])('a target that earns %s', async (_which, log, name) => {
    const { flipsAt } = await sensitivity(sourceOf(log), name)
    expect(flipsAt).toBeGreaterThan(1.02)
    // At a finer grid, the same.
    const gammas = [1, flipsAt! - 0.002, flipsAt! + 0.002]
    const finer = await sensitivity(sourceOf(log), name, { gammas })
    expect(finer.flipsAt).toBeCloseTo(flipsAt!, 4)
  })

  it('for clicks is where R/(R + SΓ²) less its error is the logged mean: far below where the ratio alone is', async () => {
    const { flipsAt, grid } = await sensitivity(sourceOf(better), 'snips')
    const value = grid[0]!.low
    const mean = better.reward.reduce((sum, r) => sum + r) / better.rows
    const alone = Math.sqrt((value * (1 - mean)) / ((1 - value) * mean))
    expect(flipsAt).toBeLessThan(alone)
    expect(flipsAt).toBeGreaterThan(1 + 0.6 * (alone - 1))
  })

  it('is where the paired interval of a log whose weights are tilted so ends at 0', async () => {
    for (const log of [better, worse]) {
      const { flipsAt } = await sensitivity(sourceOf(log), 'snips')
      const isBetter = log === better
      const propensity = log.propensity!.map((b, row) =>
        (log.reward[row] === 1) === isBetter ? b * flipsAt! : b / flipsAt!,
      )
      const { evidence } = await evaluate({ ...log, propensity }, { target, estimators: ['snips'] })
      const { moments, influences } = evidence
      const snips = moments.total(weightedReward) / moments.total(weight)
      const logged = { ratios: [{ numerator: reward, denominator: one }] }
      const { interval } = differenceInterval(
        influences.get('snips')!,
        influencesOf(logged, moments),
        0.95,
        snips - moments.total(reward) / moments.total(one),
      )
      expect(interval![isBetter ? 0 : 1]).toBeCloseTo(0, 4)
    }
  })

  it('is 1 where the difference is not beyond chance, and none where it outlasts the largest Γ', async () => {
    const alike = logOf(3, { rows: 400, reward: clicks(0.3) })
    expect((await sensitivity(sourceOf(alike), 'snips')).flipsAt).toBe(1)
    const much = logOf(3, {
      rows: 4000,
      reward: (_, item) => (item === 0 ? 1 : 0),
      target: [4.9, 0.025, 0.025, 0.025, 0.025],
    })
    expect((await sensitivity(sourceOf(much), 'snips')).flipsAt).toBeNull()
  })

  it('is 1 for a target that weighs every row alike', async () => {
    const same = logOf(3, { rows: 400, reward: clicks(0.3), target: [1, 1, 1, 1, 1] })
    expect((await sensitivity(sourceOf(same), 'snips')).flipsAt).toBe(1)
  })
})
