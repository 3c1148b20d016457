import { describe, expect, it } from 'vitest'
import type { Log } from '../../log/log.js'
import { compare } from '../compare.js'
import { type EvaluateOptions, evaluate } from '../evaluate.js'
import type { Evaluation } from '../evaluation.js'
import { itemMean } from '../reward/reward-model.js'
import { memorySums } from '../source/memory-sums.js'
import type { Moments } from '../source/moments.js'
import type { LoggerWeighing } from '../source/source.js'
import { one, weight, weightSquared, weightedReward } from '../term.js'
import {
  CLICK_RATES,
  MARKED,
  TWO_LOGGERS,
  UNIFORM_VALUE,
  WITH_PROBABILITIES,
  exampleLoggers,
} from './example-loggers.js'
import { markedLog } from './loggers-choice.js'
import { sharesOf } from './settle-loggers.js'
import { askSums } from '../source/example-asks.js'

const evaluationOf = async (log: Log, options: Partial<EvaluateOptions> = {}): Promise<Evaluation> =>
  (await evaluate(log, { target: { kind: 'uniform' }, estimators: ['ips', 'snips'], ...options })).evaluation

const valuesOf = ({ estimates }: Evaluation): (number | null)[] => estimates.map(({ value }) => value)

/** Six rows by hand: logger a drew two with w = 1, logger b four with w = 0, 0, 0 and 4. */
const BY_HAND: Log = {
  rows: 6,
  user: Uint32Array.of(0, 1, 2, 3, 4, 5),
  item: Uint32Array.of(0, 1, 1, 1, 1, 0),
  userIds: ['u0', 'u1', 'u2', 'u3', 'u4', 'u5'],
  itemIds: ['x', 'y'],
  catalogueKnown: true,
  reward: Float64Array.of(1, 0, 1, 1, 1, 1),
  propensity: Float64Array.of(0.5, 0.5, 0.75, 0.75, 0.75, 0.25),
  target: Float64Array.of(0.5, 0.5, 0, 0, 0, 1),
  propensitySource: 'logged',
  labels: { policy: { index: Uint32Array.of(0, 0, 1, 1, 1, 1), ids: ['a', 'b'] } },
}

describe('loggers that a column names', () => {
  it('count by strata: V = 2/3 · 1/2 + 1/3 · 1 by hand, where rows alone give (1 + 4)/6', async () => {
    const target = { kind: 'column', name: 'target' } as const
    expect(valuesOf(await evaluationOf(BY_HAND, { target }))[0]).toBeCloseTo(5 / 6, 12)
    const { loggers, ...evaluation } = await evaluationOf(BY_HAND, { target, loggers: MARKED })
    expect(valuesOf(evaluation)[0]).toBeCloseTo(2 / 3, 12)
    expect(evaluation.diagnostics.meanWeight).toBeCloseTo(1, 12)
    expect(evaluation.diagnostics.ess).toBeCloseTo(3, 12)
    expect(loggers).toMatchObject([
      { name: 'a', rows: 2, value: 0.5, ess: 2 },
      { name: 'b', rows: 4, value: 1, ess: 1 },
    ])
  })

  it('change nothing where there is one, to the bit', async () => {
    const log = exampleLoggers(3, [TWO_LOGGERS[1]!])
    const estimators = ['ips', 'snips', 'dr', 'clipped-ips']
    const { loggers, loggersCounted, ...evaluation } = await evaluationOf(log, {
      estimators,
      loggers: MARKED,
    })
    expect(evaluation).toEqual(await evaluationOf(log, { estimators }))
    expect(loggersCounted).toBe('rows')
    expect(loggers).toMatchObject([{ name: 'steep', share: 1, value: valuesOf(evaluation)[1] }])
    const balanced = await evaluationOf(log, {
      estimators,
      loggers: { column: 'policy', probabilities: { steep: 'p_steep' } },
    })
    expect(balanced.estimates).toEqual(evaluation.estimates)
  })

  it('leave the logged mean to the logging policy, each with its own', async () => {
    const log = exampleLoggers(4)
    for (const loggers of [MARKED, WITH_PROBABILITIES]) {
      const evaluation = await evaluationOf(log, { target: { kind: 'logging' }, loggers })
      expect(valuesOf(evaluation)).toEqual([evaluation.log.meanReward, evaluation.log.meanReward])
      expect(evaluation.loggersCounted).toBe('rows')
      expect(evaluation.verdict.reasons.map(({ code }) => code)).not.toContain('loggers-disagree')
      const [even, steep] = evaluation.loggers!
      expect(even!.value! + steep!.value!).toBeCloseTo(2 * evaluation.log.meanReward, 12)
    }
  })

  it('give no NaN where the target shows nothing that one of them shows', async () => {
    const loggers = [TWO_LOGGERS[0]!, { name: 'other', probabilities: [1, 0, 0, 0], rows: 500 }]
    const drawn = exampleLoggers(5, loggers)
    const log = { ...drawn, target: Float64Array.from(drawn.item, (item) => [0, 0.5, 0.25, 0.25][item]!) }
    const evaluation = await evaluationOf(log, { target: { kind: 'column', name: 'new' }, loggers: MARKED })
    expect(evaluation.loggers).toMatchObject([
      { name: 'even', share: 1 },
      { name: 'other', share: 0, value: null, se: null, ess: null },
    ])
    // 0.5·0.2 + 0.25·0.3 + 0.25·0.2
    expect(valuesOf(evaluation)[1]).toBeCloseTo(0.225, 1)
    expect(JSON.stringify(evaluation)).not.toContain('NaN')
    expect(evaluation.diagnostics.meanWeight).toBeCloseTo(1, 1)
  })

  it('count alike, with a caution, where their answers differ beyond chance', async () => {
    const busy = [TWO_LOGGERS[0]!, { ...TWO_LOGGERS[1]!, rows: 4000, busy: 2 }]
    const log = exampleLoggers(6, busy)
    for (const loggers of [MARKED, WITH_PROBABILITIES]) {
      const evaluation = await evaluationOf(log, { loggers })
      expect(evaluation.verdict.level).not.toBe('trust')
      expect(evaluation.verdict.reasons.map(({ code }) => code)).toContain('loggers-disagree')
      expect(evaluation.loggersCounted).toBe('rows')
      expect(evaluation.loggers!.map(({ share }) => share)).toEqual([0.2, 0.8])
      expect(valuesOf(evaluation)).toEqual(valuesOf(await evaluationOf(log)))
    }
  })

  it('have a share of the answer that no reward changes', async () => {
    const log = exampleLoggers(7)
    const lucky = { ...log, reward: log.reward.map((r, row) => (row % 3 === 0 ? 1 : r)) }
    const sharesIn = async (one: Log): Promise<number[]> =>
      (await evaluationOf(one, { loggers: MARKED })).loggers!.map(({ share }) => share)
    expect(await sharesIn(lucky)).toEqual(await sharesIn(log))
  })

  it('are compared with the same shares for every target, those of the rows beside the logging policy', async () => {
    const drawn = exampleLoggers(8)
    const log = { ...drawn, target: Float64Array.from(drawn.item, (item) => [0.1, 0.3, 0.3, 0.3][item]!) }
    const [uniform, other, logging] = [
      { target: { kind: 'uniform' } as const },
      { target: { kind: 'column', name: 'new' } as const },
      { target: { kind: 'logging' } as const },
    ]
    const sharesIn = async (targets: readonly (typeof uniform | typeof other | typeof logging)[]) =>
      (await compare(log, { targets, loggers: MARKED })).evaluations.map(({ loggers }) =>
        loggers!.map(({ share }) => share),
      )
    const [first, second] = await sharesIn([uniform, other])
    expect(first).toEqual(second)
    expect(first![0]).toBeGreaterThan(0.6)
    expect(await sharesIn([logging, uniform])).toEqual([
      [0.5, 0.5],
      [0.5, 0.5],
    ])
  })
})

describe('loggers whose probabilities are all logged', () => {
  it('have weights π/Σ_j (n_j/n) b_j: by hand 1/4 over (0.25 + 0.85)/2 and over (0.25 + 0.05)/2', async () => {
    const log = exampleLoggers(9)
    const { diagnostics, loggersCounted } = await evaluationOf(log, { loggers: WITH_PROBABILITIES })
    expect(loggersCounted).toBe('balanced')
    expect(diagnostics.maxWeight).toBeCloseTo(0.25 / 0.15, 12)
    const weights = Array.from(log.item, (item) => 0.25 / (item === 0 ? 0.55 : 0.15))
    const mean = weights.reduce((sum, w, row) => sum + w * log.reward[row]!, 0) / log.rows
    expect(valuesOf(await evaluationOf(log, { loggers: WITH_PROBABILITIES }))[0]).toBeCloseTo(mean, 12)
  })

  it('need no further propensities, and contradict wrong ones by row', async () => {
    const log = exampleLoggers(10)
    const { propensity: _, ...bare } = { ...log, propensitySource: 'none' as const }
    const expected = await evaluationOf(log, { loggers: WITH_PROBABILITIES, checks: false })
    const found = await evaluationOf(bare, { loggers: WITH_PROBABILITIES, checks: false })
    expect(found).toEqual(expected)
    const wrong = { ...log, propensity: log.propensity!.with(6, 0.5).with(11, 0.9) }
    await expect(evaluationOf(wrong, { loggers: WITH_PROBABILITIES })).rejects.toThrow(
      '2 rows cannot be used: 2 with a propensity other than that of the row’s own logger (rows 7 and 12)',
    )
  })

  it('must be probabilities, and above 0 for the row’s own logger', async () => {
    const log = exampleLoggers(11)
    const spoilt = (column: string, row: number, value: number): Log => ({
      ...log,
      numbers: { ...log.numbers, [column]: log.numbers![column]!.with(row, value) },
    })
    const { propensity: _, ...none } = { ...spoilt('p_even', 2, 0), propensitySource: 'none' as const }
    const tried = (one: Log): Promise<unknown> => evaluationOf(one, { loggers: WITH_PROBABILITIES })
    await expect(tried(none)).rejects.toThrow('1 with a propensity out of range (row 3)')
    await expect(tried(spoilt('p_steep', 4, 1.5))).rejects.toThrow('1 with a p_steep out of range (row 5)')
    await expect(tried(spoilt('p_steep', 4, NaN))).rejects.toThrow('1 without a valid p_steep (row 5)')
    await expect(
      evaluationOf(log, { loggers: { column: 'policy', probabilities: { even: 'p_even' } } }),
    ).rejects.toThrow('The logger "steep" has no column with its probabilities')
    await expect(evaluationOf(log, { loggers: { column: 'plicy' } })).rejects.toThrow('"plicy"')
  })
})

describe('in a world of two loggers', () => {
  const LOGS = 400
  const loggers = [
    { name: 'even', probabilities: [0.55, 0.15, 0.15, 0.15], rows: 200 },
    { name: 'steep', probabilities: [0.03, 0.03, 0.03, 0.91], rows: 200 },
  ]

  /** IPS of the uniform policy: rows alike, by strata, and balanced. */
  async function valuesIn(log: Log): Promise<number[]> {
    const marked = markedLog(log, WITH_PROBABILITIES)
    const seen = { target: { kind: 'uniform' }, seed: 0, rewardModel: itemMean, loggers: marked } as const
    const source = memorySums(marked.log, seen)
    const moments = (await askSums(source, [one, weight, weightSquared], 'column:policy')) as Moments
    const names = moments.ids!
    const sums = names.map((name, j) => ({
      name,
      rows: moments.sums(one)[j]!,
      weight: moments.sums(weight)[j]!,
      squares: moments.sums(weightSquared)[j]!,
    }))
    const weighings: readonly LoggerWeighing[] = [
      { kind: 'strata', names, factors: [1, 1] },
      { kind: 'strata', names, factors: sharesOf(sums).factors },
      { kind: 'balanced', names, shares: [0.5, 0.5] },
    ]
    const values: number[] = []
    for (const weighing of weighings) {
      const [weighed] = (await source.ask([{ ask: 'sums', terms: [weightedReward], by: 'row' }], {
        weighing,
      })) as [Moments]
      values.push(weighed.total(weightedReward) / log.rows)
    }
    return values
  }

  it('strata and balanced weights are right on average, and vary less than rows alone', async () => {
    const drawn: number[][] = []
    for (let seed = 0; seed < LOGS; seed++) drawn.push(await valuesIn(exampleLoggers(seed, loggers)))
    const means = [0, 1, 2].map((k) => drawn.reduce((sum, values) => sum + values[k]!, 0) / LOGS)
    const deviations = means.map((mean, k) =>
      Math.sqrt(drawn.reduce((sum, values) => sum + (values[k]! - mean) ** 2, 0) / (LOGS - 1)),
    )
    means.forEach((mean, k) =>
      expect(Math.abs(mean - UNIFORM_VALUE)).toBeLessThan((4 * deviations[k]!) / Math.sqrt(LOGS)),
    )
    expect(CLICK_RATES.reduce((sum, rate) => sum + rate, 0) / 4).toBeCloseTo(UNIFORM_VALUE, 12)
    const [rows, strata, balanced] = deviations as [number, number, number]
    expect(strata).toBeLessThan(0.9 * rows)
    expect(balanced).toBeLessThan(strata)
  })
})
