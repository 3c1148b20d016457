import type { MetricsAtK, RankingMetrics } from '../metrics/ranking-metrics-of.js'
import type { Metric } from '../metrics/user-mean.js'
import type { Bounded, Certificate } from '../train/certificate.js'
import { DEFAULT_SETTINGS } from '../train/settings.js'
import { type EpochRecord, type RankedModel, type Training, TRAINING_SCHEMA } from '../train/training.js'
import type { WeightsReport } from '../train/weights-report.js'
import { exampleVerdict } from '../verdict/example-verdict.js'

/** A number in [0, 1) that looks random and is the same on every machine. */
function noise(index: number): number {
  let state = Math.imul(index + 1, 0x9e3779b1)
  state ^= state >>> 15
  state = Math.imul(state, 0x85ebca77)
  state ^= state >>> 13
  return (state >>> 0) / 2 ** 32
}

/** Epochs that learn fast, then slowly, then a little too much; `peak` is the best of them. */
export function exampleEpochs(
  count: number,
  { peak = Math.max(1, Math.round(count * 0.74)), snips = true, evaluateEvery = 1 } = {},
): EpochRecord[] {
  return Array.from({ length: count }, (_, k): EpochRecord => {
    const epoch = k + 1
    const learnt = 1 - 1 / (1 + (8 * epoch) / peak)
    const past = Math.max(0, epoch - peak) / peak
    const wobble = epoch === peak ? 1 : noise(epoch) * 2 - 1
    const level = 0.27 * learnt - 0.03 * past
    const isEvaluated = epoch % evaluateEvery === 0
    const value = 0.21 + 0.1 * learnt + 0.004 * (noise(epoch + 5000) - 0.5)
    return {
      epoch,
      steps: epoch * 78,
      loss: 0.12 + 0.57 / (1 + (6 * epoch) / peak) + 0.004 * noise(epoch + 9000),
      ndcg: isEvaluated ? level + 0.003 * wobble : null,
      recall: isEvaluated ? level * 1.21 + 0.004 * wobble : null,
      snips:
        snips && isEvaluated
          ? { value, interval: [value - 0.016, value + 0.017], ess: 1840 - 400 * learnt, essRatio: 0.184 }
          : null,
      weights: { mean: 1, max: 8.31, essRatio: 0.414, topPercentShare: 0.0712 },
      trainSeconds: 1.1,
      seconds: 1.4,
    }
  })
}

export const exampleWeights: WeightsReport = {
  events: 80_000,
  ess: 33_120,
  essRatio: 0.414,
  rawEssRatio: 0.122,
  mean: 1,
  max: 8.31,
  min: 0.12,
  topPercentShare: 0.0712,
  histogram: exampleHistogram(),
  warnings: ['The heaviest 1 % of events carry 7.1 % of the weight; before the regulariser it was 24 %.'],
}

/** Ten bars a decade from 0.1 to 10; shares of events and of weight sum to one. */
function exampleHistogram(): WeightsReport['histogram'] {
  const events = [
    9200, 12400, 11800, 10100, 8600, 7000, 5600, 4300, 3300, 2500, 1800, 1300, 900, 600, 350, 170, 60, 14, 5,
    1,
  ]
  const edge = (k: number): number => 10 ** (k / 10 - 1)
  const weight = events.map((count, k) => count * edge(k + 0.5))
  const total = weight.reduce((sum, each) => sum + each, 0)
  return events.map((count, k) => [edge(k), edge(k + 1), count, weight[k]! / total] as const)
}

const metric = (value: number, half: number): Metric => ({
  value,
  interval: [Math.max(0, value - half), Math.min(1, value + half)],
})

const metricsAt = (recall: number, half: number): MetricsAtK => ({
  ndcg: metric(recall * 0.83, half * 0.9),
  recall: metric(recall, half),
  precision: metric(recall * 0.41, half * 0.4),
  map: metric(recall * 0.52, half * 0.7),
  mrr: metric(recall * 1.61, half * 1.4),
  hitRate: metric(Math.min(1, recall * 2.3), half * 1.5),
})

/** Ranking metrics from recall overall and in each bucket, and the share of recommendations of each bucket. */
export function exampleMetrics(
  recall: number,
  byBucket: readonly [head: number, middle: number, tail: number],
  shares: readonly [head: number, middle: number, tail: number],
): RankingMetrics {
  return {
    ...metricsAt(recall, 0.009),
    k: 10,
    users: 943,
    coverage: 0.21 + shares[2] * 2,
    gini: 0.95 - shares[2],
    meanPopularity: 120 + 180 * shares[0],
    buckets: (['head', 'middle', 'tail'] as const).map((bucket, k) => ({
      ...metricsAt(byBucket[k]!, 0.009 + 0.006 * k),
      bucket,
      items: [84, 336, 1262][k]!,
      users: [921, 804, 412][k]!,
      recommendedShare: shares[k]!,
    })),
  }
}

const ranked = (model: string, ...metrics: Parameters<typeof exampleMetrics>): RankedModel => ({
  model,
  validation: exampleMetrics(...metrics),
  test: exampleMetrics(...metrics),
})

/** A model that finds more than every baseline, above all in the tail. */
export const exampleRanked: readonly RankedModel[] = [
  ranked('lightgcn', 0.2933, [0.371, 0.214, 0.092], [0.52, 0.31, 0.17]),
  ranked('popularity', 0.1414, [0.244, 0.011, 0.002], [0.99, 0.01, 0]),
  ranked('item-knn', 0.2381, [0.351, 0.148, 0.041], [0.68, 0.24, 0.08]),
  ranked('ease', 0.2622, [0.378, 0.173, 0.052], [0.63, 0.27, 0.1]),
]

/** A whole training of LightGCN with regularised IPS-BPR. */
export function exampleTraining(more: Partial<Training> = {}): Training {
  return {
    schema: TRAINING_SCHEMA,
    log: {
      rows: 100_000,
      users: 943,
      items: 1682,
      propensitySource: 'logged',
      trainClicks: 80_000,
      validationClicks: 9_870,
      testClicks: 10_130,
    },
    settings: { ...DEFAULT_SETTINGS, loss: 'ips-bpr', regulariser: { kind: 'shrink', strength: 0.1 } },
    weights: exampleWeights,
    epochs: exampleEpochs(77),
    best: { epoch: 57, measure: 'ndcg', value: exampleEpochs(77)[56]!.ndcg },
    stopped: 'patience',
    ranked: exampleRanked,
    notes: ['12 users have no click in the training part; they are not ranked for.'],
    ...more,
  }
}

/** The certificate of a policy that is better beyond doubt. */
export function exampleCertificate(more: Partial<Certificate> = {}): Certificate {
  const between = (value: number, atLeast: number, atMost: number): Bounded => ({
    value,
    atLeast,
    atMost,
    verdict: exampleVerdict('trust', 'About 110 effective clicks, at most 1.3 % from one user.'),
  })
  return {
    confidence: 0.95,
    rows: 2000,
    items: 'all',
    policy: between(0.45, 0.4129, 0.49),
    logging: between(0.168, 0.155, 0.18),
    difference: between(0.282, 0.2397, 0.32),
    decision: 'launch',
    ...more,
  }
}
