import { HindcastError } from '../../error.js'
import { withinSentence } from '../../listed.js'
import { EVALUATE_DEFAULTS } from '../defaults.js'
import {
  type EstimatorRequest,
  type Evaluated,
  evaluateSource,
  type EvaluateSourceOptions,
} from '../evaluate-source.js'
import { isTuned } from '../estimator.js'
import { ESTIMATORS } from '../estimators/index.js'
import type { Verdict } from '../evaluation.js'
import type { ClusterColumn } from '../source/moments.js'
import { usualForComparing } from '../slate/settled-pages.js'
import { factsOf, isLacking, type Known, type SumSource } from '../source/source.js'
import { worstVerdict } from '../verdict.js'
import { curveOf } from './curve.js'
import { explorationOf } from './exploration.js'
import { goalsOf } from './goals.js'
import { type KnownToday, knownToday } from './known-today.js'
import { type Exploration, type Goal, type LogSize, type Plan, PLAN_SCHEMA } from './plan-record.js'
import { detectableWith } from './power.js'
import { requirePlannable } from './settings.js'
import { type TemperedSource, temperaturesOf } from './temperatures.js'
import { freedomAt, inProportion } from './variance.js'

/** What a plan is for. */
export interface PlanSourceOptions extends Omit<EvaluateSourceOptions, 'estimators' | 'withCurve'> {
  /** Default `snips`; `snrips` in a log of pages whose propensities depend on the items above. */
  estimator?: EstimatorRequest
  /** Probability with which a true difference shall be decided (default 0.8). */
  power?: number
  /** The smallest difference of interest, in reward per impression, or per page as the estimator has it. */
  detect?: number
  /** The width that an interval shall have, from its lower to its upper end. */
  width?: number
  /** Shares of random items to look at (default: from 0.01 to 1). */
  epsilons?: readonly number[]
  /** Temperatures of the target to look at, where it has one (default: from half to eight times its own). */
  temperatures?: readonly number[]
}

/** A log as the target sees it, and as the policy sees it that the target is compared with: the same rows. */
export interface PlannedSources {
  readonly target: SumSource
  readonly against: SumSource
  /** The log as the target sees it at other temperatures, where it has one. */
  readonly tempered?: TemperedSource
}

/** The defaults of a plan. */
export const PLAN_DEFAULTS = { power: 0.8 } as const

/**
 * How much more of a log it takes until the difference between two policies is decided, or an interval is narrow
 * enough, what more exploration would buy, and what the log says about a softer target; from sums alone.
 */
export async function planFrom(sources: PlannedSources, options: PlanSourceOptions = {}): Promise<Plan> {
  const { detect, width, epsilons, temperatures, ...rest } = options
  const {
    estimator = await usualForComparing([sources.target, sources.against]),
    power = PLAN_DEFAULTS.power,
  } = options
  const confidence = rest.confidence ?? EVALUATE_DEFAULTS.confidence
  requirePlannable({ power, detect, width, epsilons, temperatures })
  const settings = { ...rest, confidence, estimators: [estimator] }
  const target = await evaluateSource(sources.target, settings)
  const against = await evaluateSource(sources.against, settings)
  const size = await sizeOf(sources.target)
  const known = knownToday(target, against)
  if (isLacking(known)) throw nothingToPlan(known.lacking)
  const { difference, variance } = known
  const asked = { size, confidence, power, seen: difference.estimate, detect, width, variance }
  const goals = goalsOf(asked)
  const exploration = await exploredFrom({ sources, target, against, known, size, goals }, epsilons)
  const { tempered } = sources
  const evaluating = {
    target,
    against,
    asked,
    evaluate: (source: SumSource) => evaluateSource(source, settings),
    verdictOn,
  }
  const now = inProportion(1)
  const precision = { error: difference.se, freedom: freedomAt(variance.difference, now), confidence }
  return {
    schema: PLAN_SCHEMA,
    target: sources.target.about.target,
    against: sources.against.about.target,
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
    temperatures: tempered ? await temperaturesOf({ ...evaluating, tempered }, temperatures) : null,
    ...(!tempered && { temperaturesReason: `${sources.target.about.target} has no temperature` }),
    verdict: verdictOn(target, against),
  }
}

async function sizeOf(source: SumSource): Promise<LogSize> {
  const { rows, users, days } = await factsOf(source)
  return { rows, users, days: isLacking(days) ? null : days }
}

const nothingToPlan = (reason: string): HindcastError =>
  new HindcastError(
    'bad-option',
    `There is no difference to plan for: ${withinSentence(reason).replace(/\.$/, '')}.`,
    {
      remedy: 'Choose another target, or another policy to compare it with.',
    },
  )

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
  const isLogging = !(await factsOf(sources.against)).usesPropensities
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

/** The graver of the verdicts on two policies. */
const verdictOn = (target: Evaluated, against: Evaluated): Verdict =>
  worstVerdict([target.evaluation.verdict, against.evaluation.verdict])
