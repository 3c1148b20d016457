import { describe, expect, it } from 'vitest'
import { withCatalogue } from '../log/align.js'
import type { Log } from '../log/log.js'
import { randomStream } from '../random/stream.js'
import { isOffBeyondChance } from './calibration.js'
import { estimatePropensity } from './choice.js'
import { drawLog, logOf } from './example-logs.js'

const ITEMS = 50
/** A fifth of the items, others for each user. */
const likes = (user: number, item: number): number => ((user + item) % 5 === 0 ? 1 : 0)

/** A policy that shows what the user likes `times` as often as the rest. */
function drawLiked(times: number, { users = 2000, seed = 1 } = {}): Log {
  const rows: { user: number; item: number; reward: number }[] = []
  for (let user = 0; user < users; user++) {
    const random = randomStream(seed, 'liked impressions', user)
    for (let k = 0; k < 6;) {
      const item = Math.floor(random.uniform() * ITEMS)
      if (random.uniform() * times >= (likes(user, item) ? times : 1)) continue
      rows.push({ user, item, reward: likes(user, item) })
      k++
    }
  }
  return logOf(rows, { items: ITEMS })
}

const slice = drawLiked(1, { seed: 2, users: 1500 })

describe('naive Bayes with a random slice', () => {
  it('recovers how likely items of each reward were to be shown', () => {
    const log = drawLiked(4)
    const { estimate, log: estimated } = estimatePropensity(log, { kind: 'naive-bayes', slice })
    // 10 liked items of weight 4 and 40 others of weight 1.
    expect(estimate.parameters['propensity of reward 1']! / (4 / 80)).toBeCloseTo(1, 1)
    expect(estimate.parameters['propensity of reward 0']! / (1 / 80)).toBeCloseTo(1, 1)
    expect(Math.abs(estimate.parameters['propensity of reward 1']! / (4 / 80) - 1)).toBeLessThan(0.05)
    // Every row has the propensity of its reward.
    estimated.propensity!.forEach((value, row) => expect(value > 0.03).toBe(log.reward[row] === 1))
    expect(isOffBeyondChance(estimate.calibration)).toBe(false)
  })

  it('sums to one over the items of a user, as the slice has them', () => {
    const { estimate } = estimatePropensity(drawLiked(4), { kind: 'naive-bayes', slice })
    const at = (name: string): number => estimate.parameters[name]!
    const sum = [0, 1].reduce(
      (total, reward) =>
        total + at(`propensity of reward ${reward}`) * at(`share of reward ${reward} in the slice`),
      0,
    )
    expect(sum * ITEMS).toBeCloseTo(1, 3)
  })

  it('counts the whole catalogue where it is known, and the items of the slice where it is not', () => {
    const log = drawLiked(4)
    const items = (of: Log): number =>
      estimatePropensity(of, { kind: 'naive-bayes', slice }).estimate.parameters['items']!
    expect(items(log)).toBe(50)
    expect(items(withCatalogue(log, ['never']))).toBe(51)
  })

  it('is found out where something else than the reward decides what is shown', () => {
    const { log } = drawLog({ items: ITEMS, clickRate: likes })
    const { calibration } = estimatePropensity(log, { kind: 'naive-bayes', slice }).estimate
    expect(calibration.bins.map(({ label, part }) => [label, part])).toEqual([
      ['reward 0', 'items shown seldom'],
      ['reward 0', 'items shown often'],
      ['reward 1', 'items shown seldom'],
      ['reward 1', 'items shown often'],
    ])
    expect(isOffBeyondChance(calibration)).toBe(true)
    expect(calibration.error).toBeGreaterThan(0.3)
  })

  it.each([
    [
      'a slice without clicks',
      drawLiked(4),
      { ...slice, reward: new Float64Array(slice.rows) },
      'too few rows with the reward 1',
    ],
    [
      'rewards that are all 0',
      { ...slice, reward: new Float64Array(slice.rows) },
      slice,
      'Every reward of the log is 0',
    ],
    [
      'rewards without end',
      { ...slice, reward: slice.reward.map((_, row) => row) },
      slice,
      '9,000 different rewards',
    ],
  ])('refuses %s', (_, log, random, says) => {
    expect(() => estimatePropensity(log, { kind: 'naive-bayes', slice: random })).toThrow(
      expect.objectContaining({
        code: 'bad-option',
        message: expect.stringContaining(says) as string,
        remedy: expect.stringMatching(/\w/) as string,
      }) as Error,
    )
  })
})

describe('naive Bayes, cross-fitted', () => {
  const rowsOf = (user: number, rewards: readonly number[]) =>
    rewards.map((reward, item) => ({ user, item, reward }))
  // Two users are two folds; the log does not know the third user of the slice.
  const log = logOf([...rowsOf(0, [1, 1, 0]), ...rowsOf(1, [1, 0, 0, 0])])
  const random = logOf([...rowsOf(0, [1, 1, 1, 0]), ...rowsOf(1, [0, 0, 1]), ...rowsOf(2, [1, 0])])

  it('learns for a user from the log and the slice of the others', () => {
    const { propensity } = estimatePropensity(log, { kind: 'naive-bayes', slice: random }).log
    // First user: (1/4)/(4 · 2/5) for a click, (3/4)/(4 · 3/5) for none; second: (2/3)/(4 · 2/3), (1/3)/(4 · 1/3).
    const expected = [5 / 32, 5 / 32, 5 / 16, 1 / 4, 1 / 4, 1 / 4, 1 / 4]
    expected.forEach((value, row) => expect(propensity![row]).toBeCloseTo(value, 12))
  })

  it('is compared with what happened on the items shown often and seldom', () => {
    const { calibration } = estimatePropensity(log, { kind: 'naive-bayes', slice: random }).estimate
    // Items 0 and 1 are shown often, to both. In the slice half of their rows are clicks, of the others two thirds.
    // Trials of 3 and 4 impressions on two items each: 2 + 8/3, 3 + 4, 4 + 16/3, 3 + 4.
    const trials = [14 / 3, 7, 28 / 3, 7]
    const expected = [
      2 * (5 / 16) + (8 / 3) * (1 / 4),
      3 * (5 / 16) + 4 * (1 / 4),
      4 * (5 / 32) + (16 / 3) * (1 / 4),
      3 * (5 / 32) + 4 * (1 / 4),
    ]
    const observed = [3, 1, 0, 3]
    calibration.bins.forEach((bin, k) => {
      expect(bin.predicted).toBeCloseTo(expected[k]! / trials[k]!, 12)
      expect(bin.observed).toBeCloseTo(observed[k]! / trials[k]!, 12)
      expect(bin.exposures).toBe(observed[k])
    })
    const off = expected.reduce((sum, value, k) => sum + Math.abs(observed[k]! - value), 0)
    expect(calibration.error).toBeCloseTo(off / expected.reduce((sum, value) => sum + value, 0), 12)
  })
})
