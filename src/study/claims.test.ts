import { describe, expect, it } from 'vitest'
import { claimsOf, type Measured } from './claims.js'
import { above, below, effectOf, effectOver, ratioOver, verdictOf, within } from './effect.js'
import { overSeeds } from './over-seeds.js'
import {
  type Claim,
  type LearningCurve,
  type MethodSummary,
  type MethodsResults,
  STUDY_ESTIMATORS,
  type StudyMethod,
} from './results.js'

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

describe('an effect', () => {
  const sure = { value: 2, interval: [1.5, 2.5] as const, seeds: 4 }
  it('agrees where its whole interval does, and disagrees where none of it does', () => {
    expect(effectOf('', sure, '', above(1)).agrees).toBe('yes')
    expect(effectOf('', sure, '', below(1)).agrees).toBe('no')
    expect(effectOf('', sure, '', above(2)).agrees).toBe('unclear')
    expect(effectOf('', sure, '', within(1, 3)).agrees).toBe('yes')
    expect(effectOf('', sure, '', within(3, 4)).agrees).toBe('no')
    expect(effectOf('', sure, '', within(2, 4)).agrees).toBe('unclear')
  })

  it('says nothing from one seed, and nothing where both sides are the same', () => {
    expect(effectOver('', overSeeds([5]), '', above(0)).agrees).toBe('unclear')
    expect(effectOver('', overSeeds([0, 0, 0]), '', below(0)).agrees).toBe('unclear')
  })

  it('is the mean over seeds with its Student interval', () => {
    const { value, interval, seeds } = effectOver('', overSeeds([1, 2, 3, null]), '', above(0))
    // t(2) at 97.5 % is 4.3027, the standard error 1/√3.
    expect([value, seeds]).toEqual([2, 3])
    expect(interval![0]).toBeCloseTo(2 - 4.302652729911275 / Math.sqrt(3), 9)
  })

  it('is the geometric mean for ratios', () => {
    const { value, interval } = ratioOver('', overSeeds([0.5, 2]), '', below(1))
    expect(value).toBeCloseTo(1, 12)
    expect(interval![0] * interval![1]).toBeCloseTo(1, 9)
  })
})

describe('a verdict', () => {
  const saying = (...answers: ('yes' | 'no' | 'unclear')[]) =>
    verdictOf(
      answers.map((agrees) => ({
        ...effectOf('', { value: 0, interval: null, seeds: 0 }, '', above(0)),
        agrees,
      })),
    )
  it('follows from the effects alone', () => {
    expect(saying('yes', 'yes')).toBe('holds')
    expect(saying('yes', 'unclear')).toBe('holds')
    expect(saying('unclear', 'yes')).toBe('undecided')
    expect(saying('unclear', 'no')).toBe('does not hold')
    expect(saying('no', 'unclear', 'yes')).toBe('depends')
    expect(saying('unclear')).toBe('undecided')
  })
})

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
