import { compare } from '../estimate/compare.js'
import type { Estimate } from '../estimate/evaluation.js'
import { policyOverContexts } from '../log/contexts.js'
import { splitByContext } from '../log/by-context.js'
import type { Split } from '../log/split.js'
import type { Model } from '../model/model.js'
import { isLinear } from '../model/trained-models.js'
import { modelPolicy } from '../model/model-policy.js'
import { CAREFUL_ESTIMATORS, fromFloor } from './policy-value.js'
import type { Bounded, Certificate } from './certificate.js'
import { judgedRows } from './judged-rows.js'
import type { TrainSettings } from './settings.js'

const CONFIDENCE = 0.95

/**
 * The certificate of a model's policy on the test part, which must have rows. Its bounds are ends of two-sided 90 %
 * intervals by user, as `compare` gives them: the lower of SNIPS and IPS at the lower end.
 */
export async function makeCertificate(
  split: Split,
  model: Model,
  { temperature }: Pick<TrainSettings, 'temperature'>,
): Promise<Certificate> {
  const byContext = isLinear(model.kind)
  const { train, test } = byContext ? splitByContext(split) : split
  const { log: judged, shown } = judgedRows(train, test)
  // A policy over features knows contexts alone, but its rows depend on each other by user.
  const log = byContext ? split.test : judged
  const learnt = modelPolicy(model, { kind: 'softmax', temperature }, { exclude: shown.byUser })
  const policy = byContext ? learnt : policyOverContexts(learnt, log)
  const { raised, floor } = fromFloor(log)
  const compared: Judged[][] = []
  for (const estimator of CAREFUL_ESTIMATORS) {
    const { evaluations, differences } = await compare(raised, {
      targets: [{ target: { kind: 'logging' } }, { target: { kind: 'policy', policy } }],
      estimator,
      confidence: 2 * CONFIDENCE - 1,
      said: { policyMade: 'held-out' },
    })
    const [{ difference: value, interval, verdict }] = differences as [(typeof differences)[number]]
    compared.push([...evaluations.map(({ estimates }) => estimates[0]!), { value, interval, verdict }])
  }
  const [logging, ofPolicy, difference] = [floor, floor, 0].map((shift, k) =>
    bounded(
      compared.map((side) => side[k]!),
      shift,
    ),
  ) as [Bounded, Bounded, Bounded]
  return {
    confidence: CONFIDENCE,
    rows: log.rows,
    items: shown.edges > 0 ? 'unseen' : 'all',
    policy: ofPolicy,
    logging,
    difference,
    decision: isGain(difference, logging) ? 'launch' : 'keep',
  }
}

/** Less than this share of what is earned now is rounding, not a gain. */
const ROUNDING = 1e-4

const isGain = ({ atLeast }: Bounded, { value }: Bounded): boolean =>
  atLeast !== null && value !== null && atLeast > ROUNDING * Math.abs(value)

type Judged = Pick<Estimate, 'value' | 'interval' | 'verdict'>

/** The first estimate with the lowest of all lower bounds; bounds count only where no verdict refuses. */
function bounded(estimates: readonly Judged[], shift: number): Bounded {
  const [{ value, interval, verdict }] = estimates as [Judged]
  const refused = estimates.find((one) => one.verdict.level === 'refuse' || !one.interval)
  return {
    value: value === null ? null : value + shift,
    atLeast: refused ? null : Math.min(...estimates.map((one) => one.interval![0])) + shift,
    atMost: refused ? null : interval![1] + shift,
    verdict: refused?.verdict ?? verdict,
  }
}
