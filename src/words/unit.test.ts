import { describe, expect, it } from 'vitest'
import { randomStream } from '../random/stream.js'
import { drawPage, logOf } from '../estimate/slate/example-pages.js'
import { ESTIMATORS } from '../estimate/estimators/index.js'
import { evaluate } from '../estimate/evaluate.js'
import { comparisonAnswer } from './difference-text.js'
import { evaluationAnswer } from './decision-text.js'
import { estimatesFinding } from './estimates-finding.js'
import { loggedIn, perUnit, perUnitOf, unitsOf } from './unit.js'
import { exampleVerdict } from '../verdict/example-verdict.js'

const SLATES = ESTIMATORS.all.filter(({ rows }) => rows === 'slates').map(({ name }) => name)

/** Pages of four items, clicked now and then. */
const random = randomStream(1, 'pages')
const log = logOf(
  Array.from({ length: 500 }, () => {
    const { items, conditional } = drawPage([4, 3, 2, 2, 1, 1, 1, 1], 4, random)
    return { items, propensity: conditional, reward: items.map(() => Number(random.uniform() < 0.4)) }
  }),
  8,
)
const total = log.reward.reduce((sum, r) => sum + r, 0)

describe('the unit of an answer', () => {
  it.each(SLATES)('%s of the logging policy is what a page earned', async (name) => {
    const { evaluation } = await evaluate(log, { target: { kind: 'logging' }, estimators: [name] })
    const { unit, value } = evaluation.estimates[0]!
    expect(unit).toBe('page')
    expect(value).toBeCloseTo(total / 500, 12)
    expect(evaluation.log.meanPageReward).toBeCloseTo(total / 500, 12)
    expect(evaluationAnswer(evaluation)).toMatch(/^The logging policy earned 1\.\d+ per page \(/)
    expect(evaluationAnswer(evaluation)).not.toContain('times what the logging policy earned')
  })

  it('is an impression for all others', async () => {
    const { evaluation } = await evaluate(log, { target: { kind: 'logging' }, estimators: ['snips'] })
    expect(evaluation.estimates[0]).not.toHaveProperty('unit')
    expect(evaluation.log).not.toHaveProperty('meanPageReward')
    expect(evaluationAnswer(evaluation)).toContain('per impression')
  })

  it('is that of the headline in the title of the chart', () => {
    const page = {
      estimator: 'rips',
      unit: 'page',
      value: 1.7,
      se: 0.1,
      interval: [1.5, 1.9],
      method: 't',
    } as const
    expect(estimatesFinding({ estimates: [page], meanReward: 0.17, meanPageReward: 1.7 }, '95 %', 2)).toBe(
      'The target policy earns 1.70 per page by RIPS (95 % CI 1.50–1.90), the same as the logging policy',
    )
  })

  it('is that of the estimator in a comparison', () => {
    const difference = {
      target: 'new',
      difference: 0.4,
      se: 0.1,
      interval: [0.2, 0.6],
      pValue: 0,
      adjustedPValue: 0,
      simultaneous: [0.2, 0.6],
      lift: null,
      verdict: exampleVerdict('trust'),
    }
    const compared = {
      baseline: 'logging',
      confidence: 0.95,
      differences: [difference],
    }
    expect(comparisonAnswer({ ...compared, estimator: 'rips' } as never)).toContain(
      '0.40 more per page than logging',
    )
    expect(comparisonAnswer({ ...compared, estimator: 'snips' } as never)).toContain(
      'more per impression than',
    )
  })

  it('decides what an estimate is compared with', () => {
    const logged = { meanReward: 0.25, meanPageReward: 1 }
    expect(loggedIn(logged, {})).toBe(0.25)
    expect(loggedIn(logged, { unit: 'page' })).toBe(1)
    expect(loggedIn({ meanReward: 0.25 }, { unit: 'page' })).toBeUndefined()
    expect([perUnit({}), perUnit({ unit: 'page' })]).toEqual(['per impression', 'per page'])
    expect([perUnitOf('clipped-ips:10'), perUnitOf('snrips')]).toEqual(['per impression', 'per page'])
    expect(unitsOf([{}, { unit: 'page' }, {}])).toEqual(['impression', 'page'])
  })
})
