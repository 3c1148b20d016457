import { advice, set } from '../advice.js'
import { HindcastError } from '../error.js'
import type { Log } from '../log/log.js'
import { choose } from './choose.js'
import { type Comparison, COMPARISON_SCHEMA, type Difference, type Lift } from './comparison.js'
import { EVALUATE_DEFAULTS } from './defaults.js'
import { differenceVerdict } from './difference-verdict.js'
import { type EvaluateOptions, type Evaluator, evaluatorOf } from './evaluate.js'
import {
  type Evaluated,
  type EstimatorRequest,
  evaluateSource,
  type EvaluateSourceOptions,
} from './evaluate-source.js'
import { beyondRounding, differenceInterval, type PairedSpread, reachOf } from './intervals/difference.js'
import type { Bounds } from './intervals/interval.js'
import { drawJointly } from './joint-draws.js'
import { liftBounds } from './lift.js'
import { type Simultaneous, simultaneousOf } from './simultaneous.js'
import { usualForComparing } from './slate/settled-pages.js'
import type { SumSource } from './source/source.js'
import type { Influences } from './spread.js'
import type { Target } from './target.js'
import { isTunedByData, NO_TUNED_INTERVAL } from './tuned-interval.js'

export interface CompareOptions extends Omit<EvaluateOptions, 'target' | 'estimators'> {
  /** The targets, each with its log: the same rows, though a target may need a column of its own. */
  targets: readonly { readonly target: Target; readonly log?: Log }[]
  /** Default `snips`; `snrips` in a log of pages whose propensities depend on the items above. */
  estimator?: EstimatorRequest
  /** Also say which policy to launch, and how often this rule errs. */
  choose?: boolean
}

/** How to compare policies on a log, wherever its rows live. */
export interface CompareSourcesOptions
  extends
    Omit<EvaluateSourceOptions, 'estimators' | 'withCurve'>,
    Pick<CompareOptions, 'estimator' | 'choose'> {}

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
  return compareSources(
    targets.map(({ target, log: own = log }) => evaluatorFor(own).source(target)),
    options,
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
    choose: isChosen = false,
    ...rest
  } = options
  if (sources.length < 2)
    throw new HindcastError('bad-option', 'A comparison needs at least two targets.', {
      remedy: advice`For example: ${set('targets', 'logging uniform')}.`,
    })
  const areMarked = sources.some(({ loggers }) => loggers)
  const { commonShares } = areMarked ? await import('./loggers/settle-loggers.js') : {}
  const loggerShares = await commonShares?.(sources)
  const settings = { ...rest, confidence, estimators: [estimator], ...(loggerShares && { loggerShares }) }
  const evaluated: Evaluated[] = []
  for (const source of sources) evaluated.push(await evaluateSource(source, settings))
  const [baseline, ...others] = evaluated as [Evaluated, ...Evaluated[]]
  const pairs = others.map((other) => pairOf(baseline, other, confidence))
  return {
    schema: COMPARISON_SCHEMA,
    estimator,
    baseline: baseline.evaluation.target,
    confidence,
    ...atOnce(pairs, { baseline: baseline.evaluation.target, confidence, isChosen }),
    evaluations: evaluated.map(({ evaluation }) => evaluation),
  }
}

/** An estimate and the influences of the clusters on it. */
interface Side {
  readonly value: number
  readonly influences: Influences
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
  readonly sides?: { readonly target: Side; readonly baseline: Side }
}

function pairOf(baseline: Evaluated, other: Evaluated, confidence: number): Pair {
  const [before, after] = [sideOf(baseline), sideOf(other)]
  const isTuned = [baseline, other].some(({ evaluation }) => isTunedByData(evaluation.estimates[0]!))
  const { target, cluster } = other.evaluation
  const verdictOn = (influences?: Influences): Difference['verdict'] =>
    differenceVerdict({
      target: other.evaluation.estimates[0]!.verdict,
      baseline: {
        name: baseline.evaluation.target,
        verdict: baseline.evaluation.estimates[0]!.verdict,
      },
      unit: unitOf(cluster),
      ...(influences && { influences }),
    })
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
  if (!spread) return { alone: { ...alone, lift: liftOf(sides) }, isTuned }
  return { alone: { ...alone, verdict: verdictOn(spread.influences) }, isTuned, spread, sides }
}

/** The one estimate of an evaluation; undefined where it has no value. */
function sideOf({ evaluation, evidence }: Evaluated): Side | undefined {
  const { estimator, value } = evaluation.estimates[0]!
  const influences = evidence.influences.get(estimator)
  return value === null || !influences ? undefined : { value, influences }
}

/** What a cluster is, by the first way of clustering. */
const unitOf = (cluster: string): string => {
  const [first] = cluster.split('+', 1) as [string]
  return first.startsWith('column') ? 'cluster' : first
}

/** The differences with what holds for all of them at once, and which policy to launch where that is asked. */
function atOnce(
  pairs: readonly Pair[],
  asked: { readonly baseline: string; readonly confidence: number; readonly isChosen: boolean },
): Pick<Comparison, 'differences' | 'choice'> {
  const family = pairs.filter(({ spread }) => spread)
  const needsDraws = family.length > 1 || asked.isChosen
  const draws = needsDraws ? drawJointly(family.map(({ spread }) => spread!.influences)) : undefined
  const several = simultaneousOf(
    family.map(({ alone }) => alone.pValue!),
    family.length > 1 ? draws : undefined,
    asked.confidence,
  )
  const known = family.map((pair, place) => amongOthers(pair, place, several, asked.confidence))
  const differences = pairs.map((pair) => {
    const difference = pair.spread ? known[family.indexOf(pair)]! : pair.alone
    return pair.isTuned ? withoutSureness(difference) : difference
  })
  if (!asked.isChosen) return { differences }
  const candidates = known.map((difference, place) => ({ difference, place }))
  const { confidence } = several
  return { differences, choice: choose({ baseline: asked.baseline, candidates, draws: draws!, confidence }) }
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
    lift: liftOf(sides!, reaches),
    adjustedPValue: several.adjusted[place]!,
    stepDownPValue: several.stepDown[place]!,
  }
}

/** The relative lift, with its bounds alone and among others where those are asked for. */
function liftOf({ target, baseline }: NonNullable<Pair['sides']>, reaches?: [number, number]): Lift | null {
  if (!(baseline.value > 0)) return null
  const [interval, simultaneous] = (reaches ?? []).map((reach) => liftBounds(target, baseline, reach)) as [
    Bounds?,
    Bounds?,
  ]
  return {
    value: target.value / baseline.value - 1,
    interval: interval ?? null,
    simultaneous: simultaneous ?? null,
  }
}
