import { describe, expect, it } from 'vitest'
import type { Evaluation, VerdictLevel } from '../estimate/evaluation.js'
import { sensitivityAt, sensitivityFinding, sensitivityLeads, sensitivityText } from './sensitivity-text.js'
import { exampleVerdict } from '../verdict/example-verdict.js'

const grid = [1, 1.2, 3].map((gamma) => ({
  gamma,
  low: 0.25 / gamma,
  high: 0.25 * gamma,
  interval: [0.24 / gamma, 0.26 * gamma] as const,
}))
const evaluationWith = (flipsAt: number | null, value = 0.25, level: VerdictLevel = 'trust'): Evaluation =>
  ({
    target: 'uniform',
    confidence: 0.95,
    log: { meanReward: 0.3, propensitySource: 'logged' },
    estimates: [
      { estimator: 'snips', value, se: 0.005, interval: [value - 0.01, value + 0.01], method: 't' },
    ],
    answer: 'snips',
    verdict: exampleVerdict(level),
    sensitivity: { grid, flipsAt },
  }) as unknown as Evaluation

describe('the sentence about wrong propensities', () => {
  it('says up to which factor the conclusion holds, never rounded up', () => {
    expect(sensitivityText(evaluationWith(1.409_9))).toBe(
      'The conclusion that a uniform policy earns less than the logging policy holds as long as no propensity is off by more than a factor of 1.4.',
    )
    expect(sensitivityText(evaluationWith(1.379, 0.35))).toMatch(/earns more .* a factor of 1\.37\.$/)
  })

  it('names the largest factor where the conclusion outlasts it', () => {
    expect(sensitivityText(evaluationWith(null))).toBe(
      'The conclusion that a uniform policy earns less than the logging policy holds even if propensities are off by a factor of up to 3.',
    )
  })

  it('gives an interval where there is no conclusion to lose', () => {
    expect(sensitivityText(evaluationWith(1))).toBe(
      'If propensities are off by a factor of up to 1.2, the 95 % CI is 0.200–0.312.',
    )
  })

  it('calls a conclusion that flips at once what it is', () => {
    expect(sensitivityText(evaluationWith(1.003))).toBe(
      'The conclusion that a uniform policy earns less than the logging policy does not survive an error of 1 % in the propensities.',
    )
  })

  it('claims nothing where the log gives no answer, or nothing is known', () => {
    expect(sensitivityText(evaluationWith(1.4, 0.25, 'refuse'))).toBeNull()
    expect(sensitivityText({ ...evaluationWith(1.4), sensitivity: null })).toBeNull()
  })

  it('leads where propensities were not logged', () => {
    const { log } = evaluationWith(1.4)
    const leads = (propensitySource: Evaluation['log']['propensitySource']): boolean =>
      sensitivityLeads({ log: { ...log, propensitySource } })
    expect(['logged', 'assumed', 'estimated'].map((source) => leads(source as 'logged'))).toEqual([
      false,
      true,
      true,
    ])
  })
})

it.each([
  [1.409_9, 'as long as no propensity is off by more than a factor of 1.4'],
  [null, 'even if propensities are off by a factor of up to 3'],
  [1, 'No difference from the logging policy is detected'],
  [1.001, 'only if propensities are exact to within 1 %'],
])('the finding of the figure, flipping at %s, says so', (flipsAt, words) => {
  expect(sensitivityFinding({ grid, flipsAt }, { value: 0.25, meanReward: 0.3 })).toContain(words)
})

describe('the sentence about one factor', () => {
  const at = (place: number, flipsAt: number | null, level: VerdictLevel = 'trust'): string =>
    sensitivityAt(evaluationWith(flipsAt, 0.25, level), { grid, flipsAt }, grid[place]!)

  it('gives the values that the estimate can have, and says whether the conclusion holds', () => {
    expect(at(0, 1.4)).toBe(
      'With exact propensities, the estimate is 0.250 (95 % CI 0.240–0.260). The conclusion that the target policy earns less than the logging policy holds.',
    )
    expect(at(1, 1.4)).toBe(
      'If propensities are off by a factor of up to 1.2, the estimate can be anything in 0.208–0.300 (95 % CI 0.200–0.312). The conclusion that the target policy earns less than the logging policy holds.',
    )
    expect(at(1, 1.2)).toMatch(/no longer holds\.$/)
    expect(at(2, null)).toMatch(/policy holds\.$/)
  })

  it('claims nothing where there is no conclusion', () => {
    expect(at(1, 1)).toMatch(/No difference from the logging policy is detected\.$/)
    expect(at(1, 1.4, 'refuse')).toMatch(/\(95 % CI [\d.–]+\)\.$/)
  })
})
