import { advice, set } from '../advice.js'
import { HindcastError } from '../error.js'
import type { Log } from '../log/log.js'
import { type EvaluateOptions, type Evaluator, evaluatorOf } from './evaluate.js'
import type { Evaluated, EstimatorRequest } from './evaluate-source.js'
import { type Comparison, COMPARISON_SCHEMA, type Difference } from './comparison.js'
import { COMPARE_DEFAULTS, EVALUATE_DEFAULTS } from './defaults.js'
import { differenceInterval } from './intervals/difference.js'
import type { Target } from './target.js'

export interface CompareOptions extends Omit<EvaluateOptions, 'target' | 'estimators'> {
  /** The targets, each with its log: the same rows, though a target may need a column of its own. */
  targets: readonly { readonly target: Target; readonly log?: Log }[]
  /** Default `snips`. */
  estimator?: EstimatorRequest
}

/**
 * Paired differences between policies on the same log: the influences of the same clusters are subtracted,
 * which gives a far tighter interval than two separate ones. The first target is the baseline.
 */
export async function compare(log: Log, options: CompareOptions): Promise<Comparison> {
  const {
    targets,
    estimator = COMPARE_DEFAULTS.estimator,
    confidence = EVALUATE_DEFAULTS.confidence,
    ...rest
  } = options
  if (targets.length < 2)
    throw new HindcastError('bad-option', 'A comparison needs at least two targets.', {
      remedy: advice`For example: ${set('targets', 'logging uniform')}.`,
    })
  const evaluators = new Map<Log, Evaluator>()
  const evaluated: Evaluated[] = []
  for (const { target, log: own = log } of targets) {
    const evaluator =
      evaluators.get(own) ?? evaluatorOf(own, { ...rest, confidence, estimators: [estimator] })
    evaluators.set(own, evaluator)
    evaluated.push(await evaluator.evaluate(target))
  }
  const [baseline, ...others] = evaluated
  const differences = others.map((other) => differenceOf(baseline!, other, estimator, confidence))
  const adjusted = holm(differences.map(({ pValue }) => pValue))
  return {
    schema: COMPARISON_SCHEMA,
    estimator,
    baseline: baseline!.evaluation.target,
    confidence,
    differences: differences.map((difference, k) => ({ ...difference, adjustedPValue: adjusted[k]! })),
    evaluations: evaluated.map(({ evaluation }) => evaluation),
  }
}

function differenceOf(
  baseline: Evaluated,
  other: Evaluated,
  estimator: string,
  confidence: number,
): Difference {
  const { target } = other.evaluation
  const nothing = { target, difference: null, se: null, interval: null, pValue: null, adjustedPValue: null }
  const [before, after] = [baseline, other].map(({ evaluation }) => evaluation.estimates[0]!)
  const [from, to] = [baseline, other].map(({ evidence }) => evidence.influences.get(estimator))
  if (before!.value === null || after!.value === null || !from || !to) {
    const reason = before!.reason ?? after!.reason ?? 'there is no estimate to compare'
    return { ...nothing, reason }
  }
  const difference = after!.value - before!.value
  const { interval, se, pValue, reason } = differenceInterval(to, from, confidence, difference)
  return { ...nothing, difference, se, interval, pValue, ...(reason !== undefined && { reason }) }
}

/** Holm's step-down correction; null where there is no p-value. */
export function holm(pValues: readonly (number | null)[]): (number | null)[] {
  const present = pValues
    .flatMap((p, place) => (p === null ? [] : [{ p, place }]))
    .toSorted((a, b) => a.p - b.p)
  const adjusted: (number | null)[] = pValues.map(() => null)
  let largest = 0
  present.forEach(({ p, place }, rank) => {
    largest = Math.max(largest, Math.min(1, p * (present.length - rank)))
    adjusted[place] = largest
  })
  return adjusted
}
