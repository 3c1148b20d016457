import { advice, set } from '../advice.js'
import { HindcastError } from '../error.js'
import type { Log } from '../log/log.js'
import { actionFor, decide } from '../verdict/decision.js'
import { type Simultaneous, choose, drawJointly, simultaneousOf } from './simultaneous.js'
import { COMPARISON_SCHEMA, type Comparison, type Difference } from './comparison.js'
import type { Estimate } from './evaluation.js'
import type { Bounds } from './intervals/interval.js'
import type { Judged } from '../verdict/judge.js'
import { EVALUATE_DEFAULTS } from './defaults.js'
import { type Compared, differenceVerdict } from './difference-verdict.js'
import { NO_TUNED_INTERVAL, isTunedByData, scaleOf } from './estimates.js'
import { type EvaluateOptions, type Evaluator, evaluatorOf } from './evaluate.js'
import { type SofterSources, withNearest } from './nearest.js'
import {
  type EstimatorRequest,
  type EvaluateSourceOptions,
  type Evaluated,
  evaluateSource,
} from './evaluate-source.js'
import {
  type Estimated,
  type PairedSpread,
  beyondRounding,
  differenceInterval,
  liftOf,
  reachOf,
} from './intervals/difference.js'
import { usualForComparing } from './slate/settled-pages.js'
import type { SumSource } from './source/source.js'
import type { Target } from './target.js'

export interface CompareOptions extends Omit<EvaluateOptions, 'target' | 'estimators'> {
  /** The targets, each with its log: the same rows, though a target may need a column of its own. */
  targets: readonly { readonly target: Target; readonly log?: Log }[]
  /** Default `snips`; `snrips` in a log of pages whose propensities depend on the items above. */
  estimator?: EstimatorRequest
}

/** How to compare policies on a log, wherever its rows live. */
export interface CompareSourcesOptions
  extends Omit<EvaluateSourceOptions, 'estimators' | 'withCurve'>, Pick<CompareOptions, 'estimator'> {
  /** The log by other rules for the scores of each target, as it stands beside its source. */
  softer?: readonly (SofterSources | undefined)[]
}

/**
 * Paired differences between policies on the same log: the influences of the same clusters are subtracted,
 * which gives a far tighter interval than two separate ones. The first target is the baseline.
 */
export async function compare(log: Log, { targets, ...options }: CompareOptions): Promise<Comparison> {
  const { confidence = EVALUATE_DEFAULTS.confidence } = options
  const evaluators = new Map<Log, Evaluator>()
  const evaluatorFor = (own: Log): Evaluator => {
    const evaluator = evaluators.get(own) ?? evaluatorOf(own, { ...options, confidence })
    evaluators.set(own, evaluator)
    return evaluator
  }
  const seen = targets.map(({ target, log: own = log }) => ({ target, by: evaluatorFor(own) }))
  return compareSources(
    seen.map(({ target, by }) => by.source(target)),
    {
      ...options,
      softer: options.nearest === false ? [] : seen.map(({ target, by }) => by.softer(target)),
    },
  )
}

/** `compare` for the same rows as each target sees them, the baseline first: in memory, or in an engine. */
export async function compareSources(
  sources: readonly SumSource[],
  options: CompareSourcesOptions = {},
): Promise<Comparison> {
  const {
    estimator = await usualForComparing(sources),
    confidence = EVALUATE_DEFAULTS.confidence,
    softer = [],
    ...rest
  } = options
  if (sources.length < 2)
    throw new HindcastError('bad-option', 'A comparison needs at least two targets.', {
      remedy: advice`For example: ${set('targets', 'logging uniform')}.`,
    })
  const areMarked = sources.some(({ about }) => about.loggers)
  const { commonShares } = areMarked ? await import('./loggers/settle-loggers.js') : {}
  const loggerShares = await commonShares?.(sources)
  const settings = {
    ...rest,
    confidence,
    estimators: [estimator],
    // What to do is a question of all policies together.
    decides: false,
    ...(loggerShares && { loggerShares }),
  }
  const evaluated: Evaluated[] = []
  for (const [k, source] of sources.entries())
    evaluated.push(await withNearest(await evaluateSource(source, settings), softer[k], settings))
  const [baseline, ...others] = evaluated as [Evaluated, ...Evaluated[]]
  const [{ value }] = baseline.evaluation.estimates as [Estimate]
  // What matters is a share of what the baseline earns.
  const judging = { matters: (options.matters ?? 0) * Math.abs(value ?? 0), accept: options.accept ?? {} }
  const pairs = others.map((other) => pairOf(baseline, other, confidence, judging))
  const { target: name, log, days } = baseline.evaluation
  const { differences, choice } = atOnce(pairs, name, confidence)
  const errorRate = differences.length > 1 ? choice?.errors.wrongIfNoneIsBetter : undefined
  return {
    schema: COMPARISON_SCHEMA,
    estimator,
    baseline: name,
    confidence,
    decision: decide({
      baseline: name,
      differences,
      confidence,
      log: { rows: log.rows, days },
      ...(errorRate !== undefined && { errorRate }),
    }),
    differences,
    evaluations: evaluated.map(({ evaluation }) => evaluation),
    ...(choice && { choice }),
  }
}

/** A difference between tuned estimates: where it is refused, no interval is offered. */
function withoutSureness(difference: Difference): Difference {
  const { verdict, interval, lift } = difference
  if (verdict.level !== 'refuse' || !interval) return difference
  return {
    ...difference,
    interval: null,
    simultaneous: null,
    lift: lift && { ...lift, interval: null, simultaneous: null },
    reason: NO_TUNED_INTERVAL,
  }
}

/** A difference by itself, and, where it has an interval, what it takes to see it among others. */
interface Pair {
  readonly alone: Difference
  /** One of the two estimates has a λ that was chosen from the data. */
  readonly isTuned: boolean
  readonly spread?: PairedSpread
  readonly sides?: { readonly target: Estimated; readonly baseline: Estimated }
}

/** How faults are weighed against differences. */
type Weighing = Pick<Judged, 'matters' | 'accept'>

const comparedOf = ({
  evaluation: { target, estimates },
  evidence: { outcomes, totals },
}: Evaluated): Compared => ({
  name: target,
  verdict: estimates[0]!.verdict,
  outcomes,
  totals,
})

function pairOf(baseline: Evaluated, other: Evaluated, confidence: number, judging: Weighing): Pair {
  const [before, after] = [sideOf(baseline), sideOf(other)]
  const isTuned = [baseline, other].some(({ evaluation }) => isTunedByData(evaluation.estimates[0]!))
  const { target } = other.evaluation
  const [of, against] = [comparedOf(other), comparedOf(baseline)]
  const { moments } = other.evidence
  const scale = scaleOf(other.evaluation.estimates[0]!, moments)
  const verdictOn = (difference?: number, interval?: Bounds | null): Difference['verdict'] =>
    differenceVerdict(
      of,
      against,
      interval && difference !== undefined
        ? { value: difference, interval, ...judging, scale, clusters: moments.clusters }
        : undefined,
    )
  const nothing: Difference = {
    target,
    value: other.evaluation.estimates[0]!.value,
    difference: null,
    se: null,
    interval: null,
    simultaneous: null,
    lift: null,
    pValue: null,
    adjustedPValue: null,
    stepDownPValue: null,
    verdict: verdictOn(),
    action: 'cannot-tell',
  }
  if (!before || !after) {
    const { reason: first } = baseline.evaluation.estimates[0]!
    const { reason: second } = other.evaluation.estimates[0]!
    return { alone: { ...nothing, reason: first ?? second ?? 'there is no estimate to compare' }, isTuned }
  }
  const difference = beyondRounding(after.value, before.value)
  const result = differenceInterval(after.influences, before.influences, confidence, difference)
  const { interval, se, pValue, reason, spread } = result
  const alone = { ...nothing, difference, se, interval, pValue, ...(reason !== undefined && { reason }) }
  const sides = { target: after, baseline: before }
  if (!spread) return { alone: { ...alone, lift: liftOf(after, before) }, isTuned }
  return { alone: { ...alone, verdict: verdictOn(difference, interval) }, isTuned, spread, sides }
}

/** The one estimate of an evaluation; undefined where it has no value. */
function sideOf({ evaluation, evidence }: Evaluated): Estimated | undefined {
  const { estimator, value } = evaluation.estimates[0]!
  const influences = evidence.influences.get(estimator)
  return value === null || !influences ? undefined : { value, influences }
}

/** The differences with what holds for all of them at once, and how often the rule errs that launches the best of those to decide by. */
function atOnce(
  pairs: readonly Pair[],
  baseline: string,
  confidence: number,
): Pick<Comparison, 'differences' | 'choice'> {
  const family = pairs.filter(({ spread }) => spread)
  const mayLaunch = family.some(({ alone }) => alone.verdict.means === 'decide')
  const needsDraws = family.length > 1 || mayLaunch
  const draws = needsDraws ? drawJointly(family.map(({ spread }) => spread!.influences)) : undefined
  const several = simultaneousOf(
    family.map(({ alone }) => alone.pValue!),
    family.length > 1 ? draws : undefined,
    confidence,
  )
  const known = family.map((pair, place) => amongOthers(pair, place, several, confidence))
  const differences = pairs.map((pair) => {
    const difference = pair.spread ? known[family.indexOf(pair)]! : pair.alone
    const shown = pair.isTuned ? withoutSureness(difference) : difference
    return { ...shown, action: actionFor(shown) }
  })
  if (!mayLaunch) return { differences }
  const candidates = known
    .map((difference, place) => ({ difference, freedom: family[place]!.spread!.freedom, place }))
    .filter(({ difference }) => difference.verdict.means === 'decide')
  return {
    differences,
    choice: choose({ baseline, candidates, draws: draws!, confidence: several.confidence }),
  }
}

/** A difference with the interval and the p-values that allow for the others. */
function amongOthers(
  { alone, spread, sides }: Pair,
  place: number,
  several: Simultaneous,
  confidence: number,
): Difference {
  const { se, freedom } = spread!
  const reaches = [confidence, several.confidence].map((level) => reachOf(level, freedom)) as [number, number]
  const half = reaches[1] * se
  return {
    ...alone,
    simultaneous: [alone.difference! - half, alone.difference! + half],
    lift: liftOf(sides!.target, sides!.baseline, reaches),
    adjustedPValue: several.adjusted[place]!,
    stepDownPValue: several.stepDown[place]!,
  }
}
