import { describe, expect, it } from 'vitest'
import { claimsOf } from './claims.js'
import type { Measured } from './measured.js'
import { overSeeds } from '../statistics/over-seeds.js'
import {
  type Claim,
  type LearningCurve,
  type MethodSummary,
  type MethodsResults,
  STUDY_ESTIMATORS,
  type StudyMethod,
} from '../results.js'

const NOTHING: Measured = { toy: null, description: null, bias: [], methods: null, curves: [] }
const claimNamed = (id: string, measured: Partial<Measured>): Claim =>
  claimsOf({ ...NOTHING, ...measured }).find((claim) => claim.id === id)!

const none = overSeeds([])
const quality = { ndcg: none, recall: none, buckets: [] }

/** A method at a temperature with these values by seed, its SNIPS the truth. */
function summary(method: StudyMethod, temperature: number, truth: number[], ndcg = truth): MethodSummary {
  return {
    method,
    temperature,
    truth: overSeeds(truth),
    chance: none,
    essRatio: none,
    verdicts: { trust: 0, caution: 0, refuse: 0 },
    estimators: STUDY_ESTIMATORS.map((estimator) => ({
      estimator,
      value: overSeeds(truth),
      error: none,
      variance: null,
      rmse: null,
      coverage: null,
    })),
    biased: quality,
    uniform: { ...quality, ndcg: overSeeds(ndcg) },
  }
}

const methodsOf = (temperatures: number[], summaries: MethodSummary[]): MethodsResults => ({
  temperatures,
  steps: 1,
  k: 10,
  runs: [],
  summaries,
})

function curve(method: StudyMethod, early: number[], drop: number[]): LearningCurve {
  const both = (values: number[]) => ({ snips: overSeeds(values), truth: overSeeds(values) })
  return { method, points: [], early: both(early), drop: both(drop), last: both([]), best: both([]) }
}

describe('claims about methods', () => {
  it('pair the seeds: a small gain on every seed counts, though seeds differ by more', () => {
    const methods = methodsOf(
      [1],
      [summary('bpr', 1, [0.1, 0.2, 0.3, 0.4]), summary('ips-bpr', 1, [0.111, 0.21, 0.309, 0.41])],
    )
    const { verdict, effects } = claimNamed('weighted-under-snips', { methods })
    expect(verdict).toBe('holds')
    expect(effects[0]!.value).toBeCloseTo(0.01, 12)
  })

  it('depend where one temperature gains and another loses, and say where it holds', () => {
    const methods = methodsOf(
      [0.5, 1],
      [
        summary('bpr', 0.5, [0.1, 0.1, 0.1]),
        summary('ips-bpr', 0.5, [0.2, 0.21, 0.19]),
        summary('bpr', 1, [0.3, 0.3, 0.3]),
        summary('ips-bpr', 1, [0.2, 0.21, 0.19]),
      ],
    )
    const { verdict, holdsWhen } = claimNamed('weighted-under-uniform', { methods })
    expect(verdict).toBe('depends')
    expect(holdsWhen).toContain('temperature 0.5')
    expect(holdsWhen).not.toContain('temperature 1')
  })

  it('are undecided with one seed', () => {
    const methods = methodsOf([1], [summary('bpr', 1, [0.1]), summary('ips-bpr', 1, [0.9])])
    expect(claimNamed('weighted-under-snips', { methods }).verdict).toBe('undecided')
  })
})

describe('claims about the regulariser', () => {
  const curvesOf = (own: LearningCurve, other: LearningCurve) => [
    { temperature: 1, alpha: 0.1, curves: [other, own] },
  ]
  it('compare its unsteadiness and its drop with those of IPS-BPR', () => {
    const curves = curvesOf(
      curve('ips-bpr-pr', [0.1, 0.11, 0.1], [0.02, 0.02, 0.021]),
      curve('ips-bpr', [0.2, 0.21, 0.21], [0.01, 0.01, 0.01]),
    )
    expect(claimNamed('regularised-early', { curves }).verdict).toBe('holds')
    expect(claimNamed('regularised-late', { curves }).verdict).toBe('does not hold')
  })

  it('cannot be decided where nothing dropped', () => {
    const curves = curvesOf(curve('ips-bpr-pr', [1, 1], [0, 0]), curve('ips-bpr', [1, 1], [0, 0]))
    expect(claimNamed('regularised-late', { curves }).verdict).toBe('undecided')
  })
})

it('leaves out claims that nothing was measured for', () => {
  expect(claimsOf(NOTHING)).toEqual([])
})
