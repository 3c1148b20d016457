import { HindcastError } from '../../error.js'
import { withinSentence } from '../../listed.js'
import type { Log } from '../../log/log.js'
import { EVALUATE_DEFAULTS, PLAN_DEFAULTS } from '../defaults.js'
import { isTuned } from '../estimator.js'
import { ESTIMATORS } from '../estimators/index.js'
import {
  type EstimatorRequest,
  type EvaluateSourceOptions,
  type Evaluated,
  evaluateSource,
} from '../evaluate-source.js'
import type { EvaluateOptions } from '../evaluate.js'
import type { Evaluation, Verdict } from '../evaluation.js'
import { itemMean } from '../reward/reward-model.js'
import { usualForComparing } from '../slate/settled-pages.js'
import { memorySums } from '../source/memory-sums.js'
import type { ClusterColumn } from '../source/moments.js'
import { PreparedLog } from '../source/prepared-log.js'
import { type Known, type SumSource, factsOf, isLacking } from '../source/source.js'
import { type Target, requireTarget } from '../target.js'
import { worstVerdict } from '../verdict.js'
import { type Today, explorationOf } from './exploration.js'
import {
  type Asked,
  curveOf,
  detectableWith,
  goalsOf,
  inProportion,
  knownToday,
  precisionAt,
} from './growth.js'
import {
  type Exploration,
  PLAN_SCHEMA,
  type Plan,
  type TemperaturePoint,
  type Temperatures,
} from './plan-record.js'

export interface PlanOptions
  extends PlanSourceOptions, Pick<EvaluateOptions, 'target' | 'rewardModel' | 'categories'> {
  /** The policy to compare with (default: the logging policy), with its log: the same rows, though a target may need a column of its own. */
  against?: { readonly target: Target; readonly log?: Log }
}

/**
 * How many more rows, users and days until the difference between a target and the logging policy, or another, is
 * decided, or an interval has a width; what more exploration would buy; and, where the target has a temperature, what the
 * log says about a softer one.
 */
export async function plan(
  log: Log,
  { target, against, rewardModel = itemMean, categories, ...options }: PlanOptions,
): Promise<Plan> {
  requireTarget(target)
  const { target: other, log: othersLog = log } = against ?? { target: { kind: 'logging' } as const }
  const prepared = new PreparedLog(log)
  const { seed = EVALUATE_DEFAULTS.seed } = options
  const seen = { seed, rewardModel, ...(categories && { categories }) }
  const seenBy = (by: Target): SumSource => memorySums(log, { ...seen, target: by }, prepared)
  const ruled = target.kind === 'policy' ? target.policy.ruled : undefined
  return planFrom(
    {
      target: seenBy(target),
      ...(ruled?.temperature !== undefined && {
        tempered: {
          temperature: ruled.temperature,
          at: (temperature) => seenBy({ kind: 'policy', policy: ruled.by({ kind: 'softmax', temperature }) }),
        },
      }),
      against: memorySums(
        othersLog,
        { ...seen, target: other },
        othersLog === log ? prepared : new PreparedLog(othersLog),
      ),
    },
    options,
  )
}

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

/**
 * How much more of a log it takes until the difference between two policies is decided, or an interval is narrow
 * enough, what more exploration would buy, and what the log says about a softer target; from sums alone.
 */
export async function planFrom(sources: PlannedSources, options: PlanSourceOptions = {}): Promise<Plan> {
  const { detect, width, epsilons, temperatures, ...rest } = options
  const {
    estimator = await usualForComparing([sources.target, sources.against]),
    power = PLAN_DEFAULTS.power,
    confidence = EVALUATE_DEFAULTS.confidence,
  } = options
  requirePlannable(power, options)
  const evaluate = (source: SumSource): Promise<Evaluated> =>
    evaluateSource(source, { ...rest, confidence, estimators: [estimator] })
  const target = await evaluate(sources.target)
  const against = await evaluate(sources.against)
  const { log, days, cluster, estimates } = target.evaluation
  const size = { rows: log.rows, users: log.users, days }
  const known = knownToday(target, against)
  if (isLacking(known)) throw nothingToPlan(known.lacking)
  const { value, difference, variance } = known
  const asked = { size, confidence, power, seen: difference.estimate, detect, width, variance }
  const goals = goalsOf(asked)
  const isLogging = !(await factsOf(sources.against)).usesPropensities
  const today = {
    size,
    goals,
    value: { moments: target.evidence.moments, se: value.se },
    baseline: isLogging ? { moments: against.evidence.moments, se: difference.se } : null,
  }
  const exploration = await exploredFrom(sources.target, today, target.evaluation, epsilons)
  const { tempered } = sources
  const precision = { ...precisionAt(variance.difference, inProportion(1), confidence), error: difference.se }
  return {
    schema: PLAN_SCHEMA,
    target: sources.target.about.target,
    against: sources.against.about.target,
    estimator: estimates[0]!.estimator,
    confidence,
    power,
    log: size,
    cluster,
    value,
    difference: { ...difference, detectable: detectableWith(power, precision) },
    goals,
    curve: curveOf(asked, goals),
    exploration: isLacking(exploration) ? null : exploration,
    ...(isLacking(exploration) && { explorationReason: exploration.lacking }),
    temperatures: tempered
      ? await temperaturesOf({ tempered, target, against, asked, evaluate }, temperatures)
      : null,
    ...(!tempered && { temperaturesReason: `${sources.target.about.target} has no temperature` }),
    verdict: verdictOn(target, against),
  }
}

const nothingToPlan = (reason: string): HindcastError =>
  new HindcastError(
    'bad-option',
    `There is no difference to plan for: ${withinSentence(reason).replace(/\.$/, '')}.`,
    { remedy: 'Choose another target, or another policy to compare it with.' },
  )

/** What more exploration would buy, where estimates use importance weights as they are. */
async function exploredFrom(
  source: SumSource,
  today: Omit<Today, 'source' | 'ways' | 'estimator'>,
  { cluster, estimates }: Evaluation,
  epsilons: readonly number[] | undefined,
): Promise<Known<Exploration>> {
  const estimator = ESTIMATORS.find(estimates[0]!.estimator)
  if (!estimator || isTuned(estimator) || estimator.rows !== 'plain')
    return { lacking: 'it is known for estimators that use importance weights as they are, snips and ips' }
  return explorationOf({ ...today, source, ways: cluster.split('+') as ClusterColumn[], estimator }, epsilons)
}

/** Throws where a number of a plan cannot be used. */
function requirePlannable(
  power: number,
  { detect = 1, width = 1, epsilons = [], temperatures = [] }: PlanSourceOptions,
): void {
  const demand = (isFine: boolean, message: string, remedy: string): void => {
    if (!isFine) throw new HindcastError('bad-option', message, { remedy })
  }
  demand(
    power >= 0.5 && power < 1,
    `The power cannot be ${power}.`,
    'Give a number from 0.5 to below 1, such as 0.8.',
  )
  demand(
    Math.abs(detect) > 0 && Math.abs(detect) < Infinity,
    `The difference of interest cannot be ${detect}.`,
    'Give a difference in reward per impression, such as 0.01.',
  )
  demand(
    width > 0 && width < Infinity,
    `The width of an interval cannot be ${width}.`,
    'Give the distance between its ends in reward per impression, such as 0.02.',
  )
  for (const epsilon of epsilons)
    demand(
      epsilon >= 0 && epsilon <= 1,
      `The share of random items cannot be ${epsilon}.`,
      'Give shares from 0 to 1, such as 0.05.',
    )
  for (const temperature of temperatures)
    demand(
      temperature > 0,
      `A temperature of ${temperature} is not above 0.`,
      'Give numbers above 0, such as 0.5 and 2; Infinity shows all items equally often.',
    )
}

/** A target that has a temperature, as the log sees it at any other. */
export interface TemperedSource {
  /** The target's own. */
  readonly temperature: number
  at(temperature: number): SumSource | Promise<SumSource>
}

/** The temperatures that a plan looks at, in multiples of the target's own: mostly softer ones, which a log can rather answer. */
const MULTIPLES: readonly number[] = [0.5, 1, 2, 4, 8]

/** An endless temperature has no multiples: then they are those of 1. */
const around = (own: number): readonly number[] =>
  MULTIPLES.map((multiple) => multiple * (own === Infinity ? 1 : own))

/** What a plan at other temperatures is made from. */
interface Tempering {
  readonly tempered: TemperedSource
  /** The evaluation at the target's own temperature. */
  readonly target: Evaluated
  readonly against: Evaluated
  /** What was asked, of the target at its own temperature. */
  readonly asked: Asked
  evaluate(source: SumSource): Promise<Evaluated>
}

/**
 * What today's log says about the target at other temperatures, and the rows that each still needs: an evaluation for
 * each, as `evaluate` would make it, and for its own temperature the one that is there already.
 */
async function temperaturesOf(
  { tempered, target, against, asked, evaluate }: Tempering,
  temperatures: readonly number[] = around(tempered.temperature),
): Promise<Temperatures> {
  const own = tempered.temperature
  const points: TemperaturePoint[] = []
  for (const temperature of [...new Set([own, ...temperatures])].sort((a, b) => a - b)) {
    const evaluated = temperature === own ? target : await evaluate(await tempered.at(temperature))
    const { estimates, diagnostics } = evaluated.evaluation
    const found = knownToday(evaluated, against)
    const known = isLacking(found) ? undefined : found
    const seen = known && { seen: known.difference.estimate, variance: known.variance }
    const goals = goalsOf({ ...asked, ...seen })
    points.push({
      temperature: finite(temperature),
      ess: diagnostics.ess,
      essRatio: diagnostics.essRatio,
      seOfValue: estimates[0]!.se,
      verdict: verdictOn(evaluated, against),
      difference: known?.difference.estimate ?? null,
      seOfDifference: known?.difference.se ?? null,
      moreRows: goals.map(({ needed }) => (known && needed?.more.rows) ?? null),
      ...(isLacking(found) && { reason: found.lacking }),
    })
  }
  return { own: finite(own), points }
}

/** JSON has no endless numbers. */
const finite = (temperature: number): number | null => (temperature === Infinity ? null : temperature)

/** The graver of the verdicts on two policies. */
const verdictOn = (target: Evaluated, against: Evaluated): Verdict =>
  worstVerdict([target.evaluation.verdict, against.evaluation.verdict])
