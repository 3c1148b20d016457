import { HindcastError } from '../../error.js'
import { COMPARE_DEFAULTS, EVALUATE_DEFAULTS } from '../defaults.js'
import {
  type EstimatorRequest,
  type Evaluated,
  evaluateSource,
  type EvaluateSourceOptions,
} from '../evaluate-source.js'
import { isTuned } from '../estimator.js'
import { ESTIMATORS } from '../estimators/index.js'
import type { Verdict } from '../evaluation.js'
import { differenceInterval } from '../intervals/difference.js'
import type { ClusterColumn } from '../source/moments.js'
import { isLacking, type Known, type SumSource } from '../source/source.js'
import { differenceOf } from '../spread.js'
import { curveOf } from './curve.js'
import { explorationOf } from './exploration.js'
import { goalsOf } from './goals.js'
import { type Exploration, type Goal, type LogSize, type Plan, PLAN_SCHEMA } from './plan-record.js'
import { detectableWith } from './power.js'
import { requirePlannable } from './settings.js'
import { freedomAt, inProportion, type Variance, varianceOf } from './variance.js'

/** What a plan is for. */
export interface PlanSourceOptions extends Omit<EvaluateSourceOptions, 'estimators' | 'withCurve'> {
  /** Default `snips`. */
  estimator?: EstimatorRequest
  /** Probability with which a true difference shall be decided (default 0.8). */
  power?: number
  /** The smallest difference of interest, in reward per impression. */
  detect?: number
  /** The width that an interval shall have, from its lower to its upper end. */
  width?: number
  /** Shares of random items to look at (default: from 0.01 to 1). */
  epsilons?: readonly number[]
}

/** A log as the target sees it, and as the policy sees it that the target is compared with: the same rows. */
export interface PlannedSources {
  readonly target: SumSource
  readonly against: SumSource
}

/** The defaults of a plan. */
export const PLAN_DEFAULTS = { estimator: COMPARE_DEFAULTS.estimator, power: 0.8 } as const

/**
 * How much more of a log it takes until the difference between two policies is decided, or an interval is narrow
 * enough, and what more exploration would buy; from sums alone.
 */
export async function planFrom(sources: PlannedSources, options: PlanSourceOptions = {}): Promise<Plan> {
  const { detect, width, epsilons, ...rest } = options
  const { estimator = PLAN_DEFAULTS.estimator, power = PLAN_DEFAULTS.power } = options
  const confidence = rest.confidence ?? EVALUATE_DEFAULTS.confidence
  requirePlannable({ power, detect, width, epsilons })
  const settings = { ...rest, confidence, estimators: [estimator] }
  const target = await evaluateSource(sources.target, settings)
  const against = await evaluateSource(sources.against, settings)
  const size = await sizeOf(sources.target)
  const known = knownOf(target, against)
  const { difference, variance } = known
  const asked = { size, confidence, power, seen: difference.estimate, detect, width, variance }
  const goals = goalsOf(asked)
  const exploration = await exploredFrom({ sources, target, against, known, size, goals }, epsilons)
  const now = inProportion(1)
  const precision = { error: difference.se, freedom: freedomAt(variance.difference, now), confidence }
  return {
    schema: PLAN_SCHEMA,
    target: sources.target.target,
    against: sources.against.target,
    estimator: target.evaluation.estimates[0]!.estimator,
    confidence,
    power,
    log: size,
    cluster: target.evaluation.cluster,
    value: known.value,
    difference: { ...difference, detectable: detectableWith(power, precision) },
    goals,
    curve: curveOf(asked, goals),
    exploration: isLacking(exploration) ? null : exploration,
    ...(isLacking(exploration) && { explorationReason: exploration.lacking }),
    verdict: graver(target.evaluation.verdict, against.evaluation.verdict),
  }
}

async function sizeOf(source: SumSource): Promise<LogSize> {
  const { rows, users, days } = await source.facts()
  return { rows, users, days: isLacking(days) ? null : days }
}

/** What today's log says about the target and the difference, and how both vary. */
interface KnownToday {
  readonly value: Plan['value']
  readonly difference: Omit<Plan['difference'], 'detectable'>
  readonly variance: { readonly value: Variance; readonly difference: Variance }
}

function knownOf(target: Evaluated, against: Evaluated): KnownToday {
  const { cluster, confidence, estimates } = target.evaluation
  const [after, before] = [estimates[0]!, against.evaluation.estimates[0]!]
  const [to, from] = [target, against].map(({ evidence }) => [...evidence.influences.values()][0])
  if (after.value === null || before.value === null || after.se === null || !to || !from)
    throw nothingToPlan(after.reason ?? before.reason ?? 'the spread between clusters is unknown')
  const difference = after.value - before.value
  const { interval, se, reason } = differenceInterval(to, from, confidence, difference)
  const paired = differenceOf(to, from)
  const variance = { value: varianceOf(to, cluster), difference: paired && varianceOf(paired, cluster) }
  if (!interval || se === null || !variance.value || !variance.difference)
    throw nothingToPlan(reason ?? 'the spread between clusters is unknown')
  const { users, days } = variance.difference
  return {
    value: { estimate: after.value, se: after.se, interval: after.interval },
    difference: {
      estimate: difference,
      se,
      interval,
      isDecided: interval[0] > 0 || interval[1] < 0,
      dayShare: days / (users + days),
    },
    variance: { value: variance.value, difference: variance.difference },
  }
}

const nothingToPlan = (reason: string): HindcastError =>
  new HindcastError('bad-option', `There is no difference to plan for: ${lowerCased(reason)}`, {
    remedy: 'Choose another target, or another policy to compare it with.',
  })

const lowerCased = (reason: string): string =>
  `${reason[0]!.toLowerCase()}${reason.slice(1)}${reason.endsWith('.') ? '' : '.'}`

/** What exploration is planned from. */
interface ExploredFrom {
  readonly sources: PlannedSources
  readonly target: Evaluated
  readonly against: Evaluated
  readonly known: KnownToday
  readonly size: LogSize
  readonly goals: readonly Goal[]
}

async function exploredFrom(
  { sources, target, against, known, size, goals }: ExploredFrom,
  epsilons: readonly number[] | undefined,
): Promise<Known<Exploration>> {
  const { cluster, estimates } = target.evaluation
  const estimator = ESTIMATORS.find(estimates[0]!.estimator)
  if (!estimator || isTuned(estimator) || estimator.rows !== 'plain')
    return { lacking: 'it is known for estimators that use importance weights as they are, snips and ips' }
  const isLogging = !(await sources.against.facts()).usesPropensities
  return explorationOf(
    {
      source: sources.target,
      ways: cluster.split('+') as ClusterColumn[],
      size,
      estimator,
      value: { moments: target.evidence.moments, se: known.value.se },
      baseline: isLogging ? { moments: against.evidence.moments, se: known.difference.se } : null,
      goals,
    },
    epsilons,
  )
}

const GRAVITY = ['trust', 'caution', 'refuse'] as const

const graver = (first: Verdict, second: Verdict): Verdict =>
  GRAVITY.indexOf(second.level) > GRAVITY.indexOf(first.level) ? second : first
