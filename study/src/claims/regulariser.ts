import { below, claimOf, effectOver, ratioOver } from './effect.js'
import { overSeeds, pairedDifference } from '../statistics/over-seeds.js'
import type { Claim, ClaimEffect, CurvesResults, MethodsResults, OverSeeds, StudyMethod } from '../results.js'
import { differences, VALUE } from './differences.js'
import type { Measured } from './measured.js'

/** The claim that the regulariser makes early training steadier. */
export const regularisedEarly = ({ curves }: Measured): Claim =>
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
      depends: 'It depends on the temperature, or on what is measured.',
      undecided: 'The seeds show no detectable difference.',
    },
  )

/** The claim that the regulariser limits overfitting in late epochs. */
export const regularisedLate = ({ curves }: Measured): Claim =>
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
      depends: 'It depends on the temperature, or on what is measured.',
      undecided:
        'The seeds show no detectable difference; where neither has fallen from its peak, there is nothing to limit.',
    },
  )

/** The claim that training with the regulariser ends better. */
export const regularisedValue = ({ methods }: Measured): Claim =>
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
      undecided: 'The difference is smaller than the seeds can detect.',
    },
  )

/** The claim that the policy learned with the regulariser is evaluated with less variance. */
export function steadierEvaluation({ methods }: Measured): Claim {
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
        'Its value is not estimated with less variance: a policy that shows more of what the log rarely shows is harder to evaluate, however it was trained.',
      depends: 'It depends on the temperature and on what it is compared with.',
      undecided: 'The seeds show no detectable difference.',
    },
  )
}

/** Bootstrap variance of SNIPS, a number per seed. */
function snipsVariances(
  methods: MethodsResults | null,
  method: StudyMethod,
  temperature: number,
): (number | null)[] | undefined {
  const runs = methods?.runs.filter((run) => run.method === method && run.temperature === temperature) ?? []
  if (runs.length === 0) return undefined
  return runs.map(({ estimates }) => estimates.find(({ estimator }) => estimator === 'snips')!.variance)
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
