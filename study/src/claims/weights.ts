import { above, claimOf, effectOver } from './effect.js'
import { pairedDifference } from '../statistics/over-seeds.js'
import type { Claim, ClaimEffect, CurvesResults, MethodSummary, OverSeeds } from '../results.js'
import { differences, VALUE } from './differences.js'
import type { Measured } from './measured.js'

/** The claim that weights help, judged by SNIPS. */
export const weightedUnderSnips = ({ methods, curves }: Measured): Claim =>
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
      'does not hold': 'The weights cost more than they gain.',
      depends:
        'It depends on how biased the log is and on when training stops: the weights speed up learning, and their cost shows later.',
      undecided: 'The difference is smaller than the seeds can detect.',
    },
  )

/** The claim that weights help under unbiased exposure. */
export const weightedUnderUniform = ({ methods, curves }: Measured): Claim =>
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
      undecided: 'The difference is smaller than the seeds can detect.',
    },
  )

const snipsOf = (estimators: MethodSummary['estimators']): OverSeeds =>
  estimators.find(({ estimator }) => estimator === 'snips')!.value

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
        `${what}with each at its best point, temperature ${temperature}`,
        pairedDifference(own.best[measure], other.best[measure]),
        VALUE,
        above(0),
      ),
    ]
  })
}
