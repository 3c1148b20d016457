import type { Log } from '../log/log.js'
import type { Policy } from '../policy/policy.js'
import { withoutRule } from '../policy/score-rule.js'
import { pow } from '../portable-math.js'
import { type EvaluateOptions, evaluatorOf } from './evaluate.js'
import { type EstimatorRequest, evaluateSource } from './evaluate-source.js'
import type { TemperatureCurve, TemperatureCurvePoint } from './evaluation.js'
import { scaleOfScores } from './match-exploration.js'
import { usualForComparing } from './slate/settled-pages.js'
import type { SumSource } from './source/source.js'

export interface TemperatureCurveOptions extends Omit<
  EvaluateOptions,
  'target' | 'estimators' | 'sensitivity' | 'withCurve'
> {
  /** Default: from an eighth to four times the scale of each policy's own scores, and those of the policies themselves. */
  readonly temperatures?: readonly number[]
  /** Default `snips`; `snrips` in a log of pages whose propensities depend on the items above. */
  readonly estimator?: EstimatorRequest
}

/** Powers of 2, in units of the scale of the scores: sharp ones, which rank models, rather than soft ones. */
const POWERS: readonly number[] = [-3, -2, -1, -0.5, 0, 0.5, 1, 2]

/** A curve for each policy that follows scores; others have none. Intervals hold for each temperature by itself. */
export async function temperatureCurves(
  log: Log,
  policies: readonly Policy[],
  { temperatures, estimator: asked, ...options }: TemperatureCurveOptions = {},
): Promise<TemperatureCurve[]> {
  const evaluator = evaluatorOf(log, options)
  const seenBy = (policy: Policy): SumSource => evaluator.source({ kind: 'policy', policy })
  const estimator = asked ?? (await usualForComparing(policies.slice(0, 1).map(seenBy)))
  const curves = new Map<string, TemperatureCurve>()
  for (const policy of policies) {
    const { ruled } = policy
    const target = withoutRule(policy.name)
    if (!ruled || curves.has(target)) continue
    const own = policies.filter((one) => withoutRule(one.name) === target).flatMap(temperatureOf)
    const points: TemperatureCurvePoint[] = []
    for (const temperature of rising(temperatures ?? [...aroundScale(scaleOfScores(ruled, log)), ...own])) {
      const { evaluation } = await evaluateSource(seenBy(ruled.by({ kind: 'softmax', temperature })), {
        ...options,
        estimators: [estimator],
      })
      const { value, se, interval, verdict, reason } = evaluation.estimates[0]!
      points.push({
        temperature: temperature === Infinity ? null : temperature,
        essRatio: evaluation.diagnostics.essRatio,
        value,
        se,
        interval,
        verdict,
        ...(reason !== undefined && { reason }),
      })
    }
    curves.set(target, { target, estimator, points })
  }
  return [...curves.values()]
}

const temperatureOf = ({ ruled }: Policy): number[] =>
  ruled?.temperature === undefined ? [] : [ruled.temperature]

const rising = (temperatures: readonly number[]): number[] => [...new Set(temperatures)].sort((a, b) => a - b)

/** Two digits: a temperature that one can type again. */
const aroundScale = (scale: number): number[] =>
  POWERS.map((power) => Number((scale * pow(2, power)).toPrecision(2)))
