import { describe, expect, it } from 'vitest'
import { methodsResults } from './methods.js'
import type { Interval, MethodRun } from '../results.js'
import { TINY } from '../example-settings.js'

const nothing = { users: 0, ndcg: null, recall: null, buckets: [] }

/** What one seed says: its truth, and the interval of each estimator, the value in its middle. */
function runOf(
  seed: number,
  truth: number,
  intervals: Record<'dm' | 'ips' | 'snips' | 'dr', Interval | null>,
) {
  const estimates = Object.entries(intervals).map(([estimator, interval]) => {
    const value = interval && (interval[0] + interval[1]) / 2
    return { estimator, value, error: value === null ? null : value - truth, variance: seed, interval }
  }) as MethodRun['estimates']
  const run: MethodRun = {
    method: 'bpr',
    temperature: 1,
    seed,
    trainClicks: 1,
    trainingEssRatio: null,
    heldOutRows: 1,
    truth,
    chance: truth / 2,
    estimates,
    ess: null,
    essRatio: null,
    verdict: 'trust',
    reasons: [],
    biased: nothing,
    uniform: nothing,
  }
  return { runs: [run], curves: [], regulariser: [], targets: [] }
}

describe('methods over seeds', () => {
  const { training, methods } = TINY
  const { summaries } = methodsResults(
    [
      runOf(0, 0.1, { dm: [0, 0.2], ips: [0.2, 0.4], snips: null, dr: [0.1, 0.3] }),
      runOf(1, 0.2, { dm: [0, 0.1], ips: null, snips: null, dr: [0, 0.2] }),
      runOf(2, 0.3, { dm: [0.2, 0.4], ips: [0.2, 0.4], snips: null, dr: [0.2, 0.4] }),
      runOf(3, 0.4, { dm: [0.3, 0.5], ips: [0, 0.2], snips: null, dr: [0.3, 0.5] }),
    ],
    { training, methods: { ...methods, temperatures: [1], names: ['bpr'] } },
  )
  const by = (name: string) => summaries[0]!.estimators.find(({ estimator }) => estimator === name)!

  it('are covered by the share of all intervals that hold the truth of their own seed', () => {
    // dm: seeds 0, 2 and 3 of four; ips: seed 2 of the three that have one; dr: all, two at an end.
    expect(by('dm').coverage).toBe(3 / 4)
    expect(by('ips').coverage).toBe(1 / 3)
    expect(by('snips').coverage).toBeNull()
    expect(by('dr').coverage).toBe(1)
  })

  it('have the mean of values, errors and variances over the seeds', () => {
    expect(by('dm').value.values).toEqual([0.1, 0.05, expect.closeTo(0.3, 12), 0.4])
    // Errors 0, −0.15, 0 and 0.
    expect(by('dm').error.mean).toBeCloseTo(-0.15 / 4, 12)
    expect(by('dm').rmse).toBeCloseTo(0.15 / 2, 12)
    expect(by('dm').variance).toBe(1.5)
    expect(summaries[0]!.truth.mean).toBeCloseTo(0.25, 12)
  })
})
