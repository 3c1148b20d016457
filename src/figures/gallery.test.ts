import { expect, it } from 'vitest'
import type { Difference } from '../estimate/comparison.js'
import { GAMMAS, type VerdictLevel } from '../estimate/evaluation.js'
import { evaluateBy } from '../estimate/segments/memory-segments.js'
import { exampleSegments } from '../estimate/segments/example-segments.js'
import type { Tally } from '../describe/describe.js'
import { createDocument } from '../node/dom.js'
import { estimatePropensity } from '../propensity/choice.js'
import type { EpochRecord } from '../train/training.js'
import { toyWorld } from '../world/toy.js'
import type { BiasCurveInput } from './bias.js'
import { exampleCertificate, exampleEpochs, exampleTraining } from './example-training.js'
import { exampleTuning } from './example-tuning.js'
import {
  biasCurve,
  bootstrapDistributions,
  certificateFigure,
  clickRatePerItem,
  differencesFigure,
  byDayFigure,
  estimatesFigure,
  exposureConcentration,
  exposurePerItem,
  interactionsPerUser,
  lambdaCurve,
  learningCurves,
  metricsByBucket,
  modelComparison,
  propensityCalibration,
  propensityDistribution,
  propensitySpread,
  runCurves,
  segmentsFigure,
  sensitivityFigure,
  temperatureCurvesFigure,
  trainingWeights,
  tuningCurves,
  weightsFigure,
} from './index.js'
import { exampleVerdict } from '../verdict/example-verdict.js'

const document = createDocument()
/** True value of the uniform policy. */
const TRUTH = 2 / 7
const { items, users } = toyTallies()
const log = toyLog(TRUTH)
const { epochs, best, settings, ranked, weights } = exampleTraining()

it.each([
  clickRatePerItem(items, { document }),
  exposurePerItem(items, { document, catalogueKnown: true }),
  exposureConcentration(items, { document }),
  interactionsPerUser(users, { document }),
  estimatesFigure(toyEstimates(), { document }),
  weightsFigure({ weights: log.weights, diagnostics: diagnosticsOf(log.weights) }, { document }),
  byDayFigure({ days: toyDays() }, { document }),
  bootstrapDistributions({ series: resampled(toyLog(0.6)), truth: 0.6 }, { document }),
  lambdaCurve(
    { estimator: 'clipped-ips', points: clippedAt(log), chosen: 10, chosenBy: 'slope' },
    { document },
  ),
  sensitivityFigure(exampleSensitivity(), { document }),
  differencesFigure(toyDifferences(), { document }),
  temperatureCurvesFigure(exampleCurves(), { document }),
  segmentsFigure(await evaluateBy(exampleSegments(), { by: 'device', target: { kind: 'uniform' } }), {
    document,
  }),
  certificateFigure(exampleCertificate(), { document }),
  learningCurves({ epochs, best, k: 10 }, { document }),
  runCurves(exampleRuns(), { document }),
  tuningCurves(exampleTuning(), { document }),
  biasCurve(exampleBiasCurve(), { document }),
  trainingWeights(weights, { document }),
  modelComparison({ ranked, k: 10, part: 'test', settings }, { document }),
  metricsByBucket({ ranked, k: 10, part: 'test', settings }, { document }),
  propensityCalibration(estimatePropensity(toyWorld({ seed: 7 }).draw(), { kind: 'logistic' }).estimate, {
    document,
  }),
  propensityDistribution(propensitySpread(toyWorld({ seed: 7 }).draw()), { document }),
])('$name is drawn as in the gallery', async ({ name, svg }) => {
  await expect(svg).toMatchFileSnapshot(`../../docs/gallery/${name}.svg`)
})

/** Two models whose scores differ tenfold in scale: the better one is better at every effective sample size. */
function exampleCurves() {
  const curve = (target: string, scale: number, gain: number) => ({
    target,
    estimator: 'snips',
    points: [-4, -3, -2, -1, 0, 1, 2].map((power) => {
      const sharpness = 1 / (1 + 2 ** power)
      const essRatio = 0.45 * (1 - sharpness) ** 1.7
      const value = 0.2 + gain * sharpness + 0.01 * Math.sin(5 * power + gain)
      const half = 0.006 / Math.sqrt(essRatio)
      const level = (essRatio < 0.01 ? 'refuse' : essRatio < 0.03 ? 'caution' : 'trust') as VerdictLevel
      return { temperature: scale * 2 ** power, essRatio, value, se: half / 2, interval: [value - half, value + half] as const, verdict: exampleVerdict(level) } // prettier-ignore
    }),
  })
  return {
    curves: [curve('model:plain', 10, 0.1), curve('model:debiased', 1, 0.22)],
    confidence: 0.95,
    meanReward: 0.24,
  }
}

/** Clicks by SNIPS: odds that every Γ multiplies by Γ², and an interval about them. */
function exampleSensitivity() {
  const [value, error] = [0.27, 0.008]
  const grid = GAMMAS.map((gamma) => {
    const low = value / (value + (1 - value) * gamma ** 2)
    const high = value / (value + (1 - value) / gamma ** 2)
    const half = (at: number): number => 1.96 * error * ((at * (1 - at)) / (value * (1 - value)))
    return { gamma, low, high, interval: [low - half(low), high + half(high)] as const }
  })
  return { estimator: 'snips', sensitivity: { grid, flipsAt: 1.153 }, meanReward: 0.335 }
}

/** Four weeks with busier weekends, weights that average 1. */
function toyDays() {
  return Array.from({ length: 28 }, (_, k) => {
    const isWeekend = k % 7 >= 5
    const meanReward = 0.24 + (isWeekend ? 0.06 : 0) + 0.01 * Math.sin(3 * k)
    return {
      day: 20_458 + k,
      rows: 400,
      value: 1.15 * meanReward + 0.015 * Math.cos(5 * k),
      valueSe: 0.022,
      meanReward,
      meanWeight: 1 + 0.03 * Math.sin(7 * k),
      meanWeightSe: 0.035,
    }
  })
}

/** Two runs that are done and one under way. */
function exampleRuns() {
  const runs = [
    { label: 'BPR #1', colour: 'logged', epochs: exampleEpochs(77, { peak: 57 }), kept: 57 },
    {
      label: 'IPS-BPR #2',
      colour: 'ips-bpr',
      epochs: scaled(exampleEpochs(54, { peak: 34 }), 1.1),
      kept: 34,
    },
    { label: 'IPS-BPR + PR #3', colour: 'ips-bpr-pr', epochs: scaled(exampleEpochs(40), 1.05) },
  ] as const
  return { runs, k: 10 }
}

/** Epochs whose policy is worth so many times as much by SNIPS, and that find as many times fewer clicks. */
function scaled(epochs: readonly EpochRecord[], times: number): EpochRecord[] {
  return epochs.map((record) => {
    const { value, interval, ess, essRatio } = record.snips!
    return {
      ...record,
      ndcg: record.ndcg! / times,
      snips: {
        value: value! * times,
        interval: [interval![0] * times, interval![1] * times],
        ess: ess! / times,
        essRatio: essRatio! / times,
      },
    }
  })
}

interface ToyLog {
  weights: Float64Array
  rewards: Float64Array
}

/** 5,000 rows of the same world: items drawn with weights exp(5 (i − 1) / 199), a uniform target, one click rate. */
function toyLog(clickRate: number): ToyLog {
  const random = generator(7)
  const popularity = Array.from({ length: 200 }, (_, k) => Math.exp((5 * k) / 199))
  const total = popularity.reduce((a, b) => a + b)
  const weights = new Float64Array(5000)
  const rewards = new Float64Array(5000)
  for (let row = 0; row < 5000; row++) {
    let left = random() * total
    let item = 0
    while (item < 199 && (left -= popularity[item]!) > 0) item++
    weights[row] = total / 200 / popularity[item]!
    rewards[row] = random() < clickRate ? 1 : 0
  }
  return { weights, rewards }
}

function diagnosticsOf(weights: Float64Array) {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const ess = total ** 2 / weights.reduce((sum, weight) => sum + weight ** 2, 0)
  const top = weights.toSorted().slice(-weights.length / 100)
  const topPercentShare = top.reduce((sum, weight) => sum + weight, 0) / total
  return { ess, essRatio: ess / weights.length, maxWeight: top.at(-1)!, topPercentShare }
}

/** IPS and SNIPS over 200 resamples of the rows. */
function resampled({ weights, rewards }: ToyLog) {
  const random = generator(11)
  const ips = new Float64Array(200)
  const snips = new Float64Array(200)
  for (let resample = 0; resample < 200; resample++) {
    let above = 0
    let below = 0
    for (let draw = 0; draw < weights.length; draw++) {
      const row = Math.floor(random() * weights.length)
      above += weights[row]! * rewards[row]!
      below += weights[row]!
    }
    ips[resample] = above / weights.length
    snips[resample] = above / below
  }
  return [
    { name: 'IPS', values: ips },
    { name: 'SNIPS', values: snips },
  ]
}

/** Clipped IPS with its normal interval over λ from 0.5 to unclipped. */
function clippedAt({ weights, rewards }: ToyLog) {
  return [0.5, 1, 2, 3, 5, 7, 10, 15, 20, 30, Infinity].map((lambda) => {
    const terms = weights.map((weight, row) => Math.min(weight, lambda) * rewards[row]!)
    const value = terms.reduce((sum, term) => sum + term, 0) / terms.length
    const squares = terms.reduce((sum, term) => sum + (term - value) ** 2, 0)
    const half = (1.96 * Math.sqrt(squares)) / terms.length
    return { lambda, value, interval: [value - half, value + half] as const }
  })
}

/** Made-up estimates: one that misses the truth, one without a value, one with a hyper-parameter. */
function toyEstimates() {
  const estimate = (estimator: string, value: number, se: number) => ({
    estimator,
    value,
    se,
    interval: [value - 1.96 * se, value + 1.96 * se] as const,
    interval50: [value - 0.674 * se, value + 0.674 * se] as const,
    method: 't',
  })
  return {
    meanReward: 0.2712,
    truth: TRUTH,
    estimates: [
      estimate('dm', 0.2748, 0.0031),
      estimate('ips', 0.3014, 0.0182),
      estimate('snips', 0.2907, 0.0103),
      { ...estimate('clipped-ips', 0.2791, 0.0112), lambda: { value: 10, chosenBy: 'slope' as const } },
      estimate('dr', 0.2883, 0.0096),
      estimate('sndr', 0.2879, 0.0091),
      {
        estimator: 'mips',
        value: null,
        se: null,
        interval: null,
        method: 't',
        reason: 'the items have no category',
      },
    ],
  }
}

function toyDifferences() {
  const difference = (
    target: string,
    [value, se]: [number, number],
    adjustedPValue: number,
    [level, message]: [VerdictLevel, string],
  ): Difference => {
    const within = (reach: number, scale = 1): [number, number] => [
      scale * (value - reach * se),
      scale * (value + reach * se),
    ]
    return {
      target,
      value: 0.285 + value,
      difference: value,
      se,
      interval: within(1.96),
      simultaneous: within(2.45),
      lift: {
        value: value / 0.285,
        interval: within(1.96, 1 / 0.285),
        simultaneous: within(2.45, 1 / 0.285),
      },
      pValue: adjustedPValue / 3.5,
      adjustedPValue,
      stepDownPValue: adjustedPValue,
      verdict: exampleVerdict(level, message),
      action: level === 'refuse' ? 'cannot-tell' : 'undecided',
    }
  }
  return {
    baseline: 'uniform',
    confidence: 0.95,
    differences: [
      difference('popular', [0.0214, 0.0041], 0.0000012, ['trust', 'The effective sample is 2,100 rows.']),
      difference('softmax 0.5', [0.0082, 0.0037], 0.084, ['trust', 'The effective sample is 1,400 rows.']),
      difference('newest first', [-0.0187, 0.0052], 0.0011, ['caution', 'The effective sample is 84 rows.']),
      difference('greedy', [0.0311, 0.0164], 0.19, ['refuse', 'The effective sample is 6 rows.']),
    ],
  }
}

/**
 * A log shaped like the toy world, the same on every machine: 200 items shown with weights
 * exp(5 (i − 1) / 199), click rates around 2/7, 1000 users with 5 impressions each.
 */
function toyTallies(): { items: Tally; users: Tally } {
  const random = generator(20240229)
  const items = emptyTally(200)
  const users = emptyTally(1000)
  const weights = items.ids.map((_, k) => Math.exp((5 * k) / 199))
  const total = weights.reduce((a, b) => a + b)
  const rates = weights.map(() => (4 / 7) * random())
  for (let user = 0; user < 1000; user++) {
    for (let shown = 0; shown < 5; shown++) {
      let left = random() * total
      let item = 0
      while (item < 199 && (left -= weights[item]!) > 0) item++
      const click = random() < rates[item]! ? 1 : 0
      for (const [tally, k] of [
        [items, item],
        [users, user],
      ] as const) {
        tally.impressions[k]! += 1
        tally.reward[k]! += click
        tally.clicks[k]! += click
      }
    }
  }
  return { items, users }
}

function emptyTally(length: number): Tally {
  return {
    ids: Array.from({ length }, (_, k) => String(k + 1)),
    impressions: new Float64Array(length),
    reward: new Float64Array(length),
    clicks: new Float64Array(length),
  }
}

/** Marsaglia's xorshift32: whole-number steps only, so that every engine gives the same numbers in [0, 1). */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

/** The toy world from strong to mild bias, and one log of it. */
function exampleBiasCurve(): BiasCurveInput {
  const around = (mean: number, half: number) => ({ mean, interval: [mean - half, mean + half] as const })
  return {
    world: 'Toy world',
    target: 'uniform',
    seeds: 5,
    points: [0.2, 0.4, 0.7, 1, 2, 5].map((temperature, k) => ({
      temperature,
      snips: around(0.26 + 0.005 * k, 0.05 / (k + 1)),
      truth: around(2 / 7, 0.004),
      essRatio: around(1 - 0.97 * 0.45 ** k, 0.01),
      covered: 5,
    })),
    here: { temperature: 0.5, snips: around(0.281, 0.03), truth: 2 / 7, essRatio: 0.66 },
  }
}
