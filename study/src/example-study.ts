import { studySettings } from './settings.js'
import {
  METHOD_LABELS,
  STUDY_ESTIMATORS,
  STUDY_METHODS,
  STUDY_SCHEMA,
  type Claim,
  type Counts,
  type EstimatorDraws,
  type OverSeeds,
  type QualityOverSeeds,
  type RatingsSource,
  type StudyMethod,
  type StudyResults,
  type VerdictCounts,
} from './results.js'

/** A number for tests that wanders between −1 and 1, the same on every machine. */
function wander(k: number): number {
  const mixed = Math.imul(Math.imul(k + 1, 0x9e3779b1) ^ ((k + 1) >>> 3), 0x85ebca6b)
  return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 31 - 1
}

/** Three made-up seeds around a value. */
function exampleOverSeeds(value: number, half: number, key = 0): OverSeeds {
  const middle = value + half * 0.3 * wander(key)
  return {
    values: [middle - half / 2, middle, middle + half / 2],
    mean: middle,
    interval: [middle - half, middle + half],
  }
}

const nothing: OverSeeds = { values: [null, null, null], mean: null, interval: null }

const verdicts = (trust: number, caution: number, refuse: number): VerdictCounts => ({
  trust,
  caution,
  refuse,
})

function draws(centre: number, ipsWidth: number, snipsWidth: number, length: number): EstimatorDraws {
  const shared = Array.from({ length }, (_, k) => wander(k) + wander(k + 500) + wander(k + 900))
  const own = Array.from({ length }, (_, k) => wander(k + 2000) + wander(k + 3000))
  const ips = shared.map((value, k) => centre + 0.004 + ipsWidth * (value + own[k]!))
  const snips = shared.map((value) => centre + 0.002 + snipsWidth * value)
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / length
  const variance = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + (value - mean(values)) ** 2, 0) / (length - 1)
  return {
    ips,
    snips,
    ipsMean: mean(ips),
    snipsMean: mean(snips),
    ipsVariance: variance(ips),
    snipsVariance: variance(snips),
    ratio: { value: variance(snips) / variance(ips), interval: [0.3, 0.55] },
  }
}

function counts(length: number, most: number): Counts {
  const impressions = Array.from({ length }, (_, k) => Math.max(1, Math.round(most / (length - k))))
  return {
    impressions,
    clicks: impressions.map((shown, k) => Math.round(shown * Math.min(1, 0.5 + 0.3 * wander(k)))),
  }
}

const spread = {
  exposureGini: 0.63,
  topTenthShare: 0.42,
  topTenthShareInterval: [0.4, 0.44] as const,
  medianExposure: 12,
  maxExposure: 300,
  neverShown: 0,
  activityGini: 0.5,
  topTenthActivity: 0.35,
  topTenthActivityInterval: [0.33, 0.37] as const,
}
const clickRates = {
  bins: [
    {
      items: 20,
      fewest: 1,
      most: 5,
      impressions: 3,
      meanClickRate: 0.5,
      deviation: 0.28,
      deviationByChance: 0.29,
      extreme: 0.4,
    },
    {
      items: 20,
      fewest: 40,
      most: 120,
      impressions: 80,
      meanClickRate: 0.5,
      deviation: 0.09,
      deviationByChance: 0.06,
      extreme: 0,
    },
  ],
  ratio: 3.1,
  ratioInterval: [2.6, 3.7] as const,
}

const simulated = (size: string, ratings: number, users: number, items: number): RatingsSource => ({
  name: `simulated MovieLens ${size}`,
  isReal: false,
  note: "simulated ratings of MovieLens' size, not the real ones",
  ratings,
  users,
  items,
})

const temperatures = [0.2, 0.5, 0.7, 1, 1.2, 2, 5]
const biasTargets: readonly (readonly [string, string, (t: number) => number, (t: number) => number])[] = [
  ['uniform', 'uniform', () => 0.31, (t) => Math.min(0.98, 0.02 + 0.24 * t)],
  [
    'popularity',
    'by popularity: the logging policy at temperature 1',
    () => 0.42,
    (t) => Math.max(0.1, 0.9 - 0.5 * Math.abs(t - 1)),
  ],
  ['taste', 'by true taste, softmax(click rate / 0.2)', () => 0.52, (t) => Math.min(0.6, 0.03 + 0.13 * t)],
  [
    'learned',
    'learned',
    (t) => 0.47 - 0.03 * (t - 1.2) ** 2 * (t < 3 ? 1 : 0.2),
    (t) => Math.min(0.5, 0.05 + 0.1 * t),
  ],
]

const bias = (world: 'movielens' | 'toy'): StudyResults['bias'][number] => ({
  world,
  label:
    world === 'toy'
      ? 'toy world'
      : "simulated MovieLens 100K world (simulated ratings of MovieLens' size, not the real ones)",
  temperatures,
  targets: biasTargets
    .filter(([target]) => world === 'movielens' || target !== 'learned')
    .map(([target, label, truth, ess], place) => ({
      target,
      label,
      points: temperatures.map((temperature, k) => ({
        temperature,
        truth: exampleOverSeeds(truth(temperature), 0.001, k),
        snips: exampleOverSeeds(truth(temperature), 0.03 * (1.1 - ess(temperature)), k + 31 * place),
        ips: exampleOverSeeds(truth(temperature), 0.05 * (1.1 - ess(temperature)), k + 77),
        snipsIntervals: [null, null, null],
        covered: 3 - (k % 2),
        ess: exampleOverSeeds(9000 * ess(temperature), 200, k),
        essRatio: exampleOverSeeds(ess(temperature), 0.01, k),
        varianceRatio: exampleOverSeeds(0.5, 0.1, k),
        verdicts: verdicts(2, 1, 0),
      })),
      peak: {
        snips: exampleOverSeeds(1.1, 0.2),
        truth: exampleOverSeeds(1.2, 0.1),
        essRatio: exampleOverSeeds(5, 0),
      },
    })),
})

/** What a made-up method is worth, and how large the errors of its estimates are. */
const worth: Readonly<Record<StudyMethod, number>> = {
  bpr: 0.36,
  'ips-bpr': 0.4,
  'ips-bpr-pr': 0.41,
  'ips-bce': 0.37,
  popularity: 0.33,
  'item-knn': 0.39,
  ease: 0.42,
}
const offBy = { dm: [-0.03, 0.004], ips: [0.002, 0.03], snips: [0.006, 0.014], dr: [0.003, 0.018] } as const

const quality = (value: number, key: number): QualityOverSeeds => ({
  ndcg: exampleOverSeeds(value, 0.008, key),
  recall: exampleOverSeeds(value * 0.8, 0.008, key + 1),
  buckets: ['head', 'middle', 'tail'].map((bucket, k) => ({
    bucket,
    ndcg: exampleOverSeeds(value / (k + 1), 0.01, key + k),
    recall: exampleOverSeeds((value * 0.8) / (k + 1), 0.01, key + k),
    recommendedShare: exampleOverSeeds([0.6, 0.3, 0.1][k]!, 0.02, key + k),
  })),
})

const methodTemperatures = [0.5, 1]
const summaries = methodTemperatures.flatMap((temperature, step) =>
  STUDY_METHODS.map((method, place) => {
    const value = worth[method] + 0.02 * step
    return {
      method,
      temperature,
      truth: exampleOverSeeds(value, 0.006, place + 10 * step),
      chance: exampleOverSeeds(0.25, 0.001),
      essRatio: exampleOverSeeds(0.1 + 0.05 * step, 0.01),
      verdicts: verdicts(3 - (place % 3), place % 3, 0),
      estimators: STUDY_ESTIMATORS.map((estimator, k) => {
        const [off, half] = offBy[estimator]
        const error = exampleOverSeeds(off, half * (2 - step), place + 7 * k)
        return {
          estimator,
          value: exampleOverSeeds(value + off, half, place + k),
          error,
          variance: (half / 2) ** 2,
          rmse: Math.sqrt(error.mean! ** 2 + ((half * (2 - step)) / 2) ** 2),
          coverage: estimator === 'dm' ? 0 : 1,
        }
      }),
      biased: quality(worth[method] * 0.4 + 0.02, place),
      uniform: quality(worth[method] * 0.3, place + 5),
    }
  }),
)

const epochs = Array.from({ length: 10 }, (_, k) => (k + 1) * 4)
const curve = (method: StudyMethod, rise: number, fall: number) => {
  const at = (k: number, noise: number): number =>
    worth[method] - 0.15 / (1 + k * rise) - fall * Math.max(0, k - 6) + noise * wander(k + rise * 10)
  const four = { snips: exampleOverSeeds(0.01, 0.004), truth: exampleOverSeeds(0.008, 0.002) }
  return {
    method,
    points: epochs.map((epoch, k) => ({
      epoch,
      steps: epoch * 6,
      snips: exampleOverSeeds(at(k, 0.01), 0.02, k),
      truth: exampleOverSeeds(at(k, 0.002), 0.006, k),
      essRatio: exampleOverSeeds(0.1, 0.01, k),
    })),
    early: four,
    drop: four,
    last: four,
    best: four,
  }
}

const claim = (
  id: string,
  text: string,
  verdict: Claim['verdict'],
  value: number,
  unit: string,
  holdsWhen: string | null = null,
): Claim => ({
  id,
  claim: text,
  test: 'Measured once for each seed.',
  verdict,
  effects: [
    {
      label: 'first reading',
      value,
      interval: [value * 0.9, value * 1.1],
      unit,
      seeds: 3,
      expected: { kind: 'below', than: 1 },
      agrees: verdict === 'undecided' ? 'unclear' : verdict === 'does not hold' ? 'no' : 'yes',
    },
    {
      label: 'second reading',
      ...(verdict === 'depends'
        ? { value: 1.4, interval: [1.3, 1.5] as const, agrees: 'no' }
        : { value: null, interval: null, agrees: 'unclear' }),
      unit,
      seeds: 3,
      expected: { kind: 'within', range: [1, 1.2] },
    },
  ],
  explanation: 'Made up to show how a claim is written.',
  holdsWhen,
})

/** Made-up results of a study of both worlds with three seeds and simulated ratings. */
export function exampleStudy(): StudyResults {
  const seeds = [0, 1, 2]
  const world = simulated('100K', 100_000, 943, 1682)
  const description = simulated('1M', 1_000_209, 6040, 3706)
  const items = counts(200, 300)
  return {
    schema: STUDY_SCHEMA,
    version: '0.0.0',
    parts: ['toy', 'movielens'],
    settings: studySettings({ quick: true }),
    seeds,
    ratings: { world, description },
    toy: {
      world: { users: 1000, items: 200, exposures: 5, beta: [2, 5], skew: 5 },
      items: {
        ...items,
        trueClickRate: items.impressions.map(() => 2 / 7),
        expectedImpressions: items.impressions,
      },
      spread,
      clickRates,
      clickRateRatio: exampleOverSeeds(3.2, 0.6),
      topTenthShare: exampleOverSeeds(0.42, 0.02),
      targets: [
        {
          target: 'uniform',
          label: 'uniform',
          truth: 0.286,
          bootstrap: draws(0.284, 0.012, 0.009, 50),
          logs: draws(0.283, 0.012, 0.009, 200),
          varianceRatio: exampleOverSeeds(0.4, 0.1),
        },
        {
          target: 'taste',
          label: 'softmax of the taste',
          truth: 0.45,
          bootstrap: draws(0.448, 0.014, 0.008, 50),
          logs: draws(0.447, 0.014, 0.008, 200),
          varianceRatio: exampleOverSeeds(0.3, 0.1),
        },
      ],
    },
    description: {
      source: description,
      clickRate: 0.5,
      items: counts(400, 3000),
      users: counts(600, 2000),
      spread,
      clickRates,
      lowClickRates: 0.05,
      highClickRates: 0.02,
    },
    bias: [bias('movielens'), bias('toy')],
    methods: { temperatures: methodTemperatures, steps: 240, k: 10, runs: [], summaries },
    curves: [
      {
        temperature: 1,
        alpha: 0.1,
        curves: [curve('bpr', 1.2, 0), curve('ips-bpr', 0.6, 0.012), curve('ips-bpr-pr', 1, 0.002)],
      },
    ],
    regulariser: {
      temperature: 0.5,
      steps: 240,
      points: [0, 0.1, 1, 10, null].map((alpha, k) => ({
        alpha,
        trainingEssRatio: exampleOverSeeds([0.12, 0.35, 0.6, 0.85, 1][k]!, 0.01, k),
        truth: exampleOverSeeds([0.4, 0.412, 0.407, 0.39, 0.36][k]!, 0.006, k),
        snips: exampleOverSeeds([0.405, 0.415, 0.412, 0.392, 0.365][k]!, 0.014, k + 3),
        ndcgBiased: exampleOverSeeds([0.16, 0.175, 0.18, 0.186, 0.19][k]!, 0.005, k),
        ndcgUniform: exampleOverSeeds([0.12, 0.124, 0.121, 0.115, 0.108][k]!, 0.005, k),
      })),
    },
    misspecification: {
      temperature: 1,
      targets: [
        ['uniform', 'uniform', 1],
        ['learned', 'learned', 0.5],
      ].map(([target, label, scale]) => ({
        target: String(target),
        label: String(label),
        truth: exampleOverSeeds(0.4, 0.002),
        points: [0.5, 0.75, 1, 1.25, 1.5].map((gamma, k) => ({
          gamma,
          estimators: STUDY_ESTIMATORS.map((estimator, place) => {
            const slope = { dm: 0, ips: 0.24, snips: 0.05, dr: 0.02 }[estimator] * Number(scale)
            const error = exampleOverSeeds(estimator === 'dm' ? -0.03 : slope * (gamma - 1), 0.008, k + place)
            return { estimator, error, rmse: Math.abs(error.mean!) + 0.004 }
          }),
          meanWeight: exampleOverSeeds(1 + 0.6 * (gamma - 1), 0.02, k),
          verdicts: verdicts(gamma === 1 ? 3 : 0, gamma === 1 ? 0 : 3, 0),
        })),
      })),
    },
    targets: {
      temperature: 1,
      rows: (
        [
          ['logging', 'the logging policy', 1, verdicts(3, 0, 0)],
          ['uniform', 'uniform', 0.31, verdicts(3, 0, 0)],
          ['learned@rank', 'learned, π ∝ 1/rank', 0.12, verdicts(2, 1, 0)],
          ['learned@softmax=0.5', 'learned, softmax', 0.06, verdicts(0, 3, 0)],
          ['learned@epsilon=0.1', 'learned, the best item nine times in ten', 0.008, verdicts(0, 1, 2)],
          ['learned@best', 'learned, the best item alone', 0.004, verdicts(0, 0, 3)],
        ] as const
      ).map(([target, label, share, given], k) => ({
        target,
        label,
        truth: exampleOverSeeds(0.3 + 0.03 * k, 0.002),
        snips: share < 0.01 ? nothing : exampleOverSeeds(0.3 + 0.03 * k, 0.02 + 0.01 * k, k),
        error: exampleOverSeeds(0, 0.01, k),
        halfWidth: exampleOverSeeds(0.02 + 0.01 * k, 0.001),
        coverage: 1,
        ess: exampleOverSeeds(90_000 * share, 40, k),
        essRatio: exampleOverSeeds(share, 0.1 * share * (1 - share), k),
        verdicts: given,
        reason: share < 0.01 ? 'The effective sample is 360 rows.' : null,
      })),
    },
    claims: [
      claim('snips-variance', 'SNIPS varies less than IPS.', 'holds', 0.42, 'ratio of variances'),
      claim(
        'moderate-bias',
        'SNIPS and ESS are best at moderate bias, temperature about 1.0 to 1.2.',
        'depends',
        1.1,
        'temperature',
        'It holds for SNIPS of the learned policy.',
      ),
      claim(
        'weighted-under-snips',
        'IPS-weighted BPR beats plain BPR.',
        'holds',
        0.9,
        'clicks per impression',
      ),
      claim(
        'regularised-early',
        'PR makes early training steadier.',
        'undecided',
        0.97,
        'ratio of deviations',
      ),
      claim('long-tails', 'Exposure and activity are long-tailed.', 'does not hold', 1.6, 'Gini'),
    ],
    summary: [
      'Of 5 claims of the paper, over 3 seeds: 2 hold, 1 does not hold, 1 depends on the reading, 1 is undecided.',
      `${METHOD_LABELS['ips-bpr-pr']} earns 0.41 clicks per impression, plain BPR 0.36.`,
      'SNIPS varies 60 % less than IPS.',
      "The MovieLens parts use simulated ratings of MovieLens' size, not the real ones.",
    ],
    run: {
      startedAt: '2024-02-29T12:00:00.000Z',
      seconds: 84.2,
      stepSeconds: 84.2,
      threads: 2,
      engine: 'node v20',
      steps: [{ step: 'toy', seconds: 12.1, reused: false }],
    },
  }
}
