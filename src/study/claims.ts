import { above, below, claimOf, effectOf, effectOver, ratioOver, within } from './effect.js'
import { overSeeds, pairedDifference } from './over-seeds.js'
import type {
  BiasSweep,
  BiasTarget,
  Claim,
  ClaimEffect,
  CurvesResults,
  MethodsResults,
  MethodSummary,
  OverSeeds,
  StudyMethod,
  StudyResults,
} from './results.js'

/** What claims are tested on. */
export type Measured = Pick<StudyResults, 'toy' | 'description' | 'bias' | 'methods' | 'curves'>

/** The claims of the paper, each put to the test on what was measured; those that nothing was measured for are left out. */
export const claimsOf = (measured: Measured): Claim[] =>
  [
    snipsVariance(measured),
    moderateBias(measured),
    weightedUnderSnips(measured),
    weightedUnderUniform(measured),
    regularisedEarly(measured),
    regularisedLate(measured),
    regularisedValue(measured),
    steadierEvaluation(measured),
    rareItems(measured),
    longTails(measured),
  ].filter((claim) => claim.effects.length > 0)

const VALUE = 'clicks an impression'

function snipsVariance({ toy, bias }: Measured): Claim {
  const unit = 'times the variance of IPS'
  const inToy = (toy?.targets ?? []).flatMap(({ label, varianceRatio, logs }) => [
    effectOf(`independent logs, toy world, target ${label}`, { ...logs.ratio, seeds: 1 }, unit, below(1)),
    ratioOver(`bootstrap, toy world, target ${label}`, varianceRatio, unit, below(1)),
  ])
  const inMovielens = sweepsOf(bias, 'movielens').flatMap(({ targets }) =>
    targets.flatMap(({ label, points }) =>
      points
        .filter(({ temperature }) => temperature === 1 || temperature === 0.5)
        .filter(({ varianceRatio }) => isVaried(varianceRatio))
        .map(({ temperature, varianceRatio }) =>
          ratioOver(
            `bootstrap, MovieLens world at temperature ${temperature}, target ${label}`,
            varianceRatio,
            unit,
            below(1),
          ),
        ),
    ),
  )
  return claimOf(
    {
      id: 'snips-variance',
      claim: 'SNIPS has a lower variance than IPS.',
      test: 'The variance of SNIPS over that of IPS, from independent logs, and from bootstrap resamples of the users of a log, one log a seed; below 1.',
    },
    [...inToy, ...inMovielens],
    {
      holds: 'The variance is smaller in every case tried that tells the two apart.',
      'does not hold': 'The variance of SNIPS is not smaller.',
      depends:
        'It depends on the target: SNIPS gains where heavily weighted rows are clicked about as often as others, and loses where they are clicked far less, since then the sum of the weights it divides by adds noise that the clicks do not have.',
      undecided: 'There are too few seeds to tell.',
    },
  )
}

/** Where both estimators are the same number, as for the logging policy itself, there is nothing to compare. */
const isVaried = ({ values }: OverSeeds): boolean =>
  values.some((value) => value !== null && Math.abs(value - 1) > 1e-9)

function moderateBias({ bias }: Measured): Claim {
  const [movielens] = sweepsOf(bias, 'movielens')
  const sweep = movielens ?? bias[0]
  const target = (name: string): BiasTarget | undefined => sweep?.targets.find((one) => one.target === name)
  const peaks = (name: string, measures: readonly (keyof BiasTarget['peak'])[]): ClaimEffect[] => {
    const found = target(name)
    if (!found) return []
    return measures
      .filter((measure) => found.peak[measure].mean !== null)
      .map((measure) =>
        effectOver(
          `where ${PEAK_LABELS[measure]} peaks, target ${found.label}`,
          found.peak[measure],
          'temperature',
          within(1, 1.2),
        ),
      )
  }
  return claimOf(
    {
      id: 'moderate-bias',
      claim:
        'SNIPS and the effective sample are best at moderate exposure bias, temperature about 1.0 to 1.2.',
      test: 'The temperature of the sweep at which SNIPS, the effective sample and the true value are largest, one peak a seed; within 1.0 to 1.2.',
    },
    [
      ...peaks('learned', ['snips', 'essRatio', 'truth']),
      ...peaks('uniform', ['snips', 'essRatio']),
      ...peaks('taste', ['snips', 'essRatio']),
      ...peaks('popularity', ['essRatio']),
    ],
    {
      holds: 'Both peak at moderate bias.',
      'does not hold': 'They do not peak there.',
      depends:
        'It depends on the policy that is valued: the effective sample is largest where the logging policy is closest to it, wherever that is, and for a fixed policy a higher SNIPS at some temperature is an error of the estimate, since its true value is the same at all of them.',
      undecided: 'The peaks of the seeds lie too far apart to tell.',
    },
  )
}

const PEAK_LABELS: Readonly<Record<keyof BiasTarget['peak'], string>> = {
  snips: 'SNIPS',
  essRatio: 'the effective sample',
  truth: 'the true value',
}

const weightedUnderSnips = ({ methods, curves }: Measured): Claim =>
  claimOf(
    {
      id: 'weighted-under-snips',
      claim: 'IPS-weighted BPR beats plain BPR when both are judged by SNIPS.',
      test: 'SNIPS of the policy learned with weights minus that of the one without, on the same held-out log, paired by seed; above 0.',
    },
    [
      ...differences(
        methods,
        ['ips-bpr', 'bpr'],
        ({ estimators }) => snipsOf(estimators),
        VALUE,
        'at the end',
      ),
      ...onTheWay(curves, 'snips'),
    ],
    {
      holds: 'The weights help.',
      'does not hold': 'The weights cost more than they bring.',
      depends:
        'It depends on how biased the log is and on when training stops: the weights speed learning up, and what they cost shows later.',
      undecided: 'The difference is smaller than what the seeds can tell.',
    },
  )

const weightedUnderUniform = ({ methods, curves }: Measured): Claim =>
  claimOf(
    {
      id: 'weighted-under-uniform',
      claim: 'IPS-weighted BPR generalises better than plain BPR under unbiased exposure.',
      test: 'True value, and NDCG on a log of uniform exposure, with weights minus without, paired by seed; above 0.',
    },
    [
      ...differences(methods, ['ips-bpr', 'bpr'], ({ truth }) => truth, VALUE, 'true value at the end'),
      ...onTheWay(curves, 'truth'),
      ...differences(
        methods,
        ['ips-bpr', 'bpr'],
        ({ uniform }) => uniform.ndcg,
        `NDCG@${methods?.k ?? 10}`,
        'ranking under uniform exposure',
      ),
    ],
    {
      holds: 'The weights help.',
      'does not hold': 'The weights do not help.',
      depends: 'It depends on how biased the log is, on when training stops, and on what is measured.',
      undecided: 'The difference is smaller than what the seeds can tell.',
    },
  )

const regularisedEarly = ({ curves }: Measured): Claim =>
  claimOf(
    {
      id: 'regularised-early',
      claim: 'The propensity regulariser makes early training steadier.',
      test: 'Standard deviation of the changes from point to point in the first third of training, of IPS-BPR + PR minus that of IPS-BPR, paired by seed; below 0.',
    },
    curveDifferences(curves, (curve) => [
      ['SNIPS', curve.early.snips],
      ['the true value', curve.early.truth],
    ]),
    {
      holds: 'Early steps are steadier.',
      'does not hold': 'Early steps are not steadier.',
      depends: 'It depends on the temperature, or on what is watched.',
      undecided: 'The seeds do not tell the two apart.',
    },
  )

const regularisedLate = ({ curves }: Measured): Claim =>
  claimOf(
    {
      id: 'regularised-late',
      claim: 'The propensity regulariser limits overfitting in late epochs.',
      test: 'The best point of a learning curve minus its last, of IPS-BPR + PR minus that of IPS-BPR, paired by seed; below 0.',
    },
    curveDifferences(curves, (curve) => [
      ['SNIPS', curve.drop.snips],
      ['the true value', curve.drop.truth],
    ]),
    {
      holds: 'Less is lost after the best point.',
      'does not hold': 'No less is lost after the best point.',
      depends: 'It depends on the temperature, or on what is watched.',
      undecided:
        'The seeds do not tell the two apart; where neither has come down from its best, there is nothing to limit.',
    },
  )

const regularisedValue = ({ methods }: Measured): Claim =>
  claimOf(
    {
      id: 'regularised-value',
      claim: 'IPS-BPR + PR ends better than plain BPR, and no worse than IPS-BPR.',
      test: 'True value of IPS-BPR + PR minus that of plain BPR, and minus that of IPS-BPR, paired by seed; above 0.',
    },
    [
      ...differences(methods, ['ips-bpr-pr', 'bpr'], ({ truth }) => truth, VALUE, 'over plain BPR'),
      ...differences(methods, ['ips-bpr-pr', 'ips-bpr'], ({ truth }) => truth, VALUE, 'over IPS-BPR'),
    ],
    {
      holds: 'It ends better.',
      'does not hold': 'It does not end better.',
      depends: 'It depends on how biased the log is, or on what it is compared with.',
      undecided: 'The difference is smaller than what the seeds can tell.',
    },
  )

function steadierEvaluation({ methods }: Measured): Claim {
  const effects = (['bpr', 'ips-bpr'] as const).flatMap((other) =>
    (methods?.temperatures ?? []).flatMap((temperature) => {
      const own = snipsVariances(methods, 'ips-bpr-pr', temperature)
      const theirs = snipsVariances(methods, other, temperature)
      if (!own || !theirs) return []
      const ratio = overSeeds(
        own.map((variance, k) => (variance === null || !theirs[k] ? null : variance / theirs[k])),
      )
      const label = `policy of IPS-BPR + PR over that of ${other === 'bpr' ? 'plain BPR' : 'IPS-BPR'}, temperature ${temperature}`
      return [ratioOver(label, ratio, 'times the variance of SNIPS', below(1))]
    }),
  )
  return claimOf(
    {
      id: 'steadier-evaluation',
      claim: 'Training with IPS-BPR + PR makes the evaluation of the policy itself less variable.',
      test: 'Bootstrap variance of SNIPS for the policy of IPS-BPR + PR over that for the others, same held-out log, paired by seed; below 1.',
    },
    effects,
    {
      holds: 'Its value is estimated with less variance.',
      'does not hold':
        'Its value is not estimated with less variance: a policy that shows more of what the log rarely shows is harder to value, however it was trained.',
      depends: 'It depends on the temperature and on what it is compared with.',
      undecided: 'The seeds do not tell them apart.',
    },
  )
}

function rareItems({ toy, description }: Measured): Claim {
  const unit = 'times the spread of the most shown'
  return claimOf(
    {
      id: 'rare-items',
      claim: 'Rarely shown items have unstable click rates.',
      test: 'Standard deviation of the click rates of the fifth of the items shown least over that of the fifth shown most; above 1.',
    },
    [
      ...(toy ? [ratioOver('toy world', toy.clickRateRatio, unit, above(1))] : []),
      ...(description
        ? [
            effectOf(
              description.source.name,
              {
                value: description.clickRates.ratio,
                interval: description.clickRates.ratioInterval,
                seeds: 1,
              },
              unit,
              above(1),
            ),
          ]
        : []),
    ],
    {
      holds: 'Click rates of rarely shown items lie farther apart.',
      'does not hold': 'They do not lie farther apart.',
      depends: 'It depends on the data.',
      undecided: 'There are too few seeds to tell.',
    },
  )
}

/** A tenth that holds twice its share. */
const DISPROPORTIONATE = 0.2

function longTails({ toy, description }: Measured): Claim {
  const expected = above(DISPROPORTIONATE)
  const unit = 'of all impressions'
  return claimOf(
    {
      id: 'long-tails',
      claim: 'Exposure of items and activity of users are long-tailed.',
      test: 'Share of all impressions on the tenth of the items shown most, and of the tenth of the users who are most active; above 0.2, twice their share.',
    },
    [
      ...(description
        ? [
            effectOf(
              `most shown items, ${description.source.name}`,
              {
                value: description.spread.topTenthShare,
                interval: description.spread.topTenthShareInterval,
                seeds: 1,
              },
              unit,
              expected,
            ),
            effectOf(
              `most active users, ${description.source.name}`,
              {
                value: description.spread.topTenthActivity,
                interval: description.spread.topTenthActivityInterval,
                seeds: 1,
              },
              unit,
              expected,
            ),
          ]
        : []),
      ...(toy ? [effectOver('most shown items, toy world', toy.topTenthShare, unit, expected)] : []),
    ],
    {
      holds:
        'A few items and users take most of it. In the toy world all users are equally active, by design.',
      'does not hold': 'They are not.',
      depends: 'It depends on the data.',
      undecided: 'There are too few seeds to tell.',
    },
  )
}

const sweepsOf = (bias: readonly BiasSweep[], world: BiasSweep['world']): BiasSweep[] =>
  bias.filter((sweep) => sweep.world === world)

const summaryAt = (
  methods: MethodsResults | null,
  method: StudyMethod,
  temperature: number,
): MethodSummary | undefined =>
  methods?.summaries.find((summary) => summary.method === method && summary.temperature === temperature)

/** One method minus another, at every temperature, the strongest bias first. */
function differences(
  methods: MethodsResults | null,
  [first, second]: readonly [StudyMethod, StudyMethod],
  of: (summary: MethodSummary) => OverSeeds,
  unit: string,
  what: string,
): ClaimEffect[] {
  return (methods?.temperatures ?? []).flatMap((temperature) => {
    const own = summaryAt(methods, first, temperature)
    const other = summaryAt(methods, second, temperature)
    if (!own || !other) return []
    const label = `${what}, temperature ${temperature}`
    return [effectOver(label, pairedDifference(of(own), of(other)), unit, above(0))]
  })
}

const snipsOf = (estimators: MethodSummary['estimators']): OverSeeds =>
  estimators.find(({ estimator }) => estimator === 'snips')!.value

/** Bootstrap variance of SNIPS, a number a seed. */
function snipsVariances(
  methods: MethodsResults | null,
  method: StudyMethod,
  temperature: number,
): (number | null)[] | undefined {
  const runs = methods?.runs.filter((run) => run.method === method && run.temperature === temperature) ?? []
  if (runs.length === 0) return undefined
  return runs.map(({ estimates }) => estimates.find(({ estimator }) => estimator === 'snips')!.variance)
}

/** IPS-BPR minus plain BPR after a third of the training, and each at the best point of its learning curve. */
function onTheWay(curves: readonly CurvesResults[], measure: 'snips' | 'truth'): ClaimEffect[] {
  return curves.flatMap(({ temperature, curves: all }) => {
    const own = all.find(({ method }) => method === 'ips-bpr')
    const other = all.find(({ method }) => method === 'bpr')
    if (!own || !other || own.points.length === 0) return []
    const third = Math.ceil(own.points.length / 3) - 1
    const what = measure === 'snips' ? '' : 'true value '
    return [
      effectOver(
        `${what}after a third of the training, temperature ${temperature}`,
        pairedDifference(own.points[third]![measure], other.points[third]![measure]),
        VALUE,
        above(0),
      ),
      effectOver(
        `${what}each at its best point, temperature ${temperature}`,
        pairedDifference(own.best[measure], other.best[measure]),
        VALUE,
        above(0),
      ),
    ]
  })
}

/** IPS-BPR + PR minus IPS-BPR, of some measures of their learning curves, at every temperature. */
function curveDifferences(
  curves: readonly CurvesResults[],
  measures: (curve: CurvesResults['curves'][number]) => readonly (readonly [string, OverSeeds])[],
): ClaimEffect[] {
  return curves.flatMap(({ temperature, curves: all }) => {
    const own = all.find(({ method }) => method === 'ips-bpr-pr')
    const other = all.find(({ method }) => method === 'ips-bpr')
    if (!own || !other) return []
    const theirs = measures(other)
    return measures(own).map(([what, measured], k) =>
      effectOver(
        `${what}, temperature ${temperature}`,
        pairedDifference(measured, theirs[k]![1]),
        VALUE,
        below(0),
      ),
    )
  })
}
