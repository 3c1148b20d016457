import { HindcastError } from '../error.js'
import type { Log, PropensitySource } from '../log/log.js'
import { EVALUATE_DEFAULTS } from './defaults.js'
import { DIAGNOSTIC_TERMS, diagnosticsOf, type WeightFacts, weightFacts } from './diagnostics.js'
import { type Estimator, influenceOf, standardErrorOf, termsOf, valueOf } from './estimator.js'
import { estimatorNamed, tunedFamily } from './estimators/index.js'
import { ips } from './estimators/ips.js'
import { snips } from './estimators/snips.js'
import { type Estimate, type Evaluation, EVALUATION_SCHEMA } from './evaluation.js'
import { INTERVAL_TERMS, type IntervalMethod, type IntervalOptions, intervalFor } from './intervals/auto.js'
import {
  bootstrapAll,
  type BootstrapOptions,
  bootstrapValues,
  requireResamples,
} from './intervals/bootstrap.js'
import type { ClusterBy, Moments, MomentSource } from './moments.js'
import { PreparedLog } from './prepared-log.js'
import { itemMean } from './reward/item-mean.js'
import type { RewardModel } from './reward/reward-model.js'
import { slateEstimatorNamed, SLATE_ESTIMATOR_NAMES } from './slate/index.js'
import { type SourceKind, Sources } from './sources.js'
import { type CurvePoint, lambdaGrid, tune } from './slope.js'
import { importanceWeights, type Target, targetName, unsupportedMass } from './target.js'
import { one, reward } from './term.js'
import { verdictOf } from './verdict.js'

export interface EvaluateOptions {
  target: Target
  /** Names, with a λ behind a colon where one is to be used as it is: `clipped-ips:10`. */
  estimators?: readonly string[]
  /** What rows are grouped by (default: the user). */
  cluster?: ClusterBy
  /** Default 0.95. */
  confidence?: number
  /** Default `auto`. */
  interval?: IntervalMethod
  /** Bootstrap resamples (default 50). */
  bootstrap?: number
  seed?: number
  /** For the estimators that need one, cross-fitted by user (default: smoothed item means). Columns q and v of the log come first. */
  rewardModel?: RewardModel
  /** Category of each item, for mips. */
  categories?: readonly string[]
  /** Largest importance weight that is possible, known beforehand: for worst-case intervals. */
  maxWeight?: number
  /** Smallest and largest reward that are possible (default 0 to 1). */
  rewardRange?: readonly [number, number]
  /** Also follow clipped-ips over λ when no estimator is tuned: a report shows how the answer moves with it. */
  withCurve?: boolean
}

/** What lies behind an evaluation, for figures and comparisons. */
export interface Evidence {
  /** Importance weight of each row. */
  readonly weights: Float64Array
  /** Bootstrap replicates of IPS and SNIPS, drawn when first asked for. */
  readonly distributions: readonly { readonly name: string; readonly values: Float64Array }[]
  /** Bootstrap replicates of every estimate that has a value, by estimator, drawn when first asked for; NaN where a resample leaves nothing to divide by. */
  readonly replicates: ReadonlyMap<string, Float64Array>
  /** Estimates over λ of the estimators that were tuned. */
  readonly curves: readonly {
    readonly estimator: string
    readonly points: readonly CurvePoint[]
    readonly chosen: number
  }[]
  /** Influence of each cluster on each estimate, by estimator; the same clusters for every target. */
  readonly influences: ReadonlyMap<string, Float64Array>
}

/** An evaluation, and what lies behind it. */
export interface Evaluated {
  readonly evaluation: Evaluation
  readonly evidence: Evidence
}

/** A log that answers for one target after another. */
export interface Evaluator {
  /** What `evaluate` says about this target, to the bit. */
  evaluate(target: Target): Promise<Evaluated>
}

/** What a target policy would have earned, from the log of another: estimates, intervals, diagnostics, a verdict. */
export async function evaluate(log: Log, { target, ...options }: EvaluateOptions): Promise<Evaluated> {
  return evaluatorOf(log, options).evaluate(target)
}

/**
 * Evaluates many targets on one log: all that depends on the log alone, its clusters, its sums of rewards, the
 * cross-fitted reward model, the draws of the bootstrap, is made for the first target that needs it and kept.
 * The log must not change meanwhile.
 */
export function evaluatorOf(log: Log, options: Omit<EvaluateOptions, 'target'> = {}): Evaluator {
  const { seed = EVALUATE_DEFAULTS.seed, rewardModel = itemMean, categories } = options
  if (log.rows === 0)
    throw new HindcastError('bad-file', 'The log has no rows.', {
      remedy: 'Give a log with at least one impression.',
    })
  const prepared = new PreparedLog(log)
  return {
    async evaluate(target) {
      const weights = importanceWeights(log, target)
      const reading = { target, seed, rewardModel, ...(categories && { categories }) }
      const sources = new Sources(log, weights, reading, prepared)
      const { evaluation, evidence } = await assess(
        {
          source: (kind) => sources.get(kind),
          grid: (name) => lambdaGrid(name, weights),
          log: {
            rows: log.rows,
            users: prepared.users,
            items: log.itemIds.length,
            propensitySource: log.propensitySource,
          },
          target: targetName(target),
          propensitySource: target.kind === 'logging' ? 'logged' : log.propensitySource,
          facts: weightFacts(log, weights, prepared.floorShare),
          unsupported: unsupportedMass(log, target, prepared.shown),
        },
        options,
      )
      return { evaluation, evidence: Object.assign(evidence, { weights }) }
    },
  }
}

/** A log as seen from a target, wherever its rows live: sums for each kind of estimator, and what sums do not tell. */
export interface Assessable {
  /** Sums for a kind of estimator, or why there are none. */
  source(kind: SourceKind): MomentSource | string
  /** λ to choose from. */
  grid(estimator: string): number[]
  readonly log: Omit<Evaluation['log'], 'meanReward'>
  readonly target: string
  readonly propensitySource: PropensitySource
  readonly facts: WeightFacts
  readonly unsupported: number | undefined
}

/** Estimates, intervals, diagnostics and the verdict, from sums alone. */
export async function assess(
  seen: Assessable,
  options: Omit<EvaluateOptions, 'target' | 'rewardModel' | 'categories'>,
): Promise<{ evaluation: Evaluation; evidence: Omit<Evidence, 'weights'> }> {
  const {
    estimators = EVALUATE_DEFAULTS.estimators,
    cluster = EVALUATE_DEFAULTS.cluster,
    confidence = EVALUATE_DEFAULTS.confidence,
    interval = EVALUATE_DEFAULTS.interval,
    bootstrap = EVALUATE_DEFAULTS.bootstrap,
    seed = EVALUATE_DEFAULTS.seed,
  } = options
  if (!(confidence > 0.5 && confidence < 1))
    throw new HindcastError('bad-option', `A confidence of ${confidence} makes no sense here.`, {
      remedy: 'Give a number between 0.5 and 1, such as 0.95.',
    })
  requireResamples(bootstrap)
  const tuning: Tuning = { seen, cluster, curves: [] }
  const chosen: Chosen[] = []
  for (const request of estimators.map(parseRequest)) chosen.push(await choose(request, tuning))
  if (options.withCurve && tuning.curves.length === 0) await choose({ name: 'clipped-ips' }, tuning)

  const moments = await momentsFor(chosen, seen, cluster)
  const intervals: IntervalOptions = {
    confidence,
    bootstrap,
    seed,
    method: interval,
    ...(options.maxWeight !== undefined && { maxWeight: options.maxWeight }),
    ...(options.rewardRange && { rewardRange: options.rewardRange }),
  }
  const influences = new Map<string, Float64Array>()
  const estimates = chosen.map(({ estimator, kind, chosenBy }) => {
    const sums = moments.get(kind)!
    if (typeof sums === 'string') return unavailable(estimator.name, sums)
    const { estimate, influence } = estimateOf(estimator, kind, sums, intervals)
    if (influence) influences.set(estimator.name, influence)
    const { lambda } = estimator
    return lambda === undefined ? estimate : { ...estimate, lambda: { value: lambda, chosenBy } }
  })
  const plain = moments.get('plain') as Moments
  const diagnostics = diagnosticsOf(plain, seen.facts, seen.unsupported)
  const unit = cluster === 'column' ? 'cluster' : cluster
  let resampled: Evidence['distributions'] | undefined
  let replicated: Evidence['replicates'] | undefined
  return {
    evaluation: {
      schema: EVALUATION_SCHEMA,
      log: { ...seen.log, meanReward: plain.total(reward) / plain.total(one) },
      target: seen.target,
      cluster,
      confidence,
      estimates,
      diagnostics,
      verdict: verdictOf(diagnostics, estimates, seen.propensitySource, { count: plain.clusters, unit }),
    },
    evidence: {
      get distributions() {
        return (resampled ??= distributionsOf(plain, { resamples: bootstrap, seed }))
      },
      get replicates() {
        const having = chosen.filter(({ estimator }) => influences.has(estimator.name))
        return (replicated ??= replicatesOf(having, moments, { resamples: bootstrap, seed }))
      },
      curves: tuning.curves,
      influences,
    },
  }
}

const distributionsOf = (moments: Moments, options: BootstrapOptions): Evidence['distributions'] =>
  bootstrapAll([ips, snips], moments, options).map((values, k) => ({ name: ['IPS', 'SNIPS'][k]!, values }))

const replicatesOf = (
  chosen: readonly Chosen[],
  moments: ReadonlyMap<SourceKind, Moments | string>,
  options: BootstrapOptions,
): Evidence['replicates'] =>
  new Map(
    chosen.map(({ estimator, kind }) => [
      estimator.name,
      bootstrapValues(estimator, moments.get(kind) as Moments, options),
    ]),
  )

interface Request {
  readonly name: string
  readonly lambda?: number
}

/** An estimator that was asked for, and the rows it sums over. */
interface Chosen {
  readonly estimator: Estimator
  readonly kind: SourceKind
  readonly chosenBy: 'user' | 'slope'
}

/** What choosing λ takes, and the curves it leaves behind. */
interface Tuning {
  readonly seen: Assessable
  readonly cluster: ClusterBy
  readonly curves: Evidence['curves'][number][]
}

function parseRequest(text: string): Request {
  const [name, lambda] = text.split(':', 2) as [string, string | undefined]
  if (lambda === undefined) return { name }
  const value = lambda.trim() === '' ? NaN : lambda.toLowerCase() === 'infinity' ? Infinity : Number(lambda)
  if (!(value >= 0))
    throw new HindcastError('bad-option', `${text}: λ must be a number of at least 0.`, {
      remedy: `Write for example ${name}:10.`,
    })
  return { name, lambda: value }
}

/** The estimator asked for; without a λ of the user's, SLOPE chooses one for this log and target. */
async function choose({ name, lambda }: Request, tuning: Tuning): Promise<Chosen> {
  if (SLATE_ESTIMATOR_NAMES.includes(name))
    return { estimator: slateEstimatorNamed(name), kind: 'slates', chosenBy: 'user' }
  const family = tunedFamily(name)
  const kind = (family?.make(0) ?? estimatorNamed(name)).needs ?? 'plain'
  if (!family || lambda !== undefined)
    return { estimator: estimatorNamed(name, lambda), kind, chosenBy: 'user' }
  const source = tuning.seen.source(kind)
  if (typeof source === 'string') return { estimator: family.make(family.unchanged), kind, chosenBy: 'slope' }
  const grid = tuning.seen.grid(name)
  const { curve, chosen } = await tune(name, { source, clusterBy: tuning.cluster, grid })
  tuning.curves.push({ estimator: name, points: curve, chosen })
  return { estimator: family.make(chosen), kind, chosenBy: 'slope' }
}

/** The sums of all estimators and of the diagnostics, those of one kind in one pass; or why a kind has none. */
async function momentsFor(
  chosen: readonly Chosen[],
  seen: Assessable,
  cluster: ClusterBy,
): Promise<Map<SourceKind, Moments | string>> {
  const moments = new Map<SourceKind, Moments | string>()
  const kinds = new Set(chosen.map((one) => one.kind))
  // Rows with predictions serve estimators without as well: one pass instead of two.
  const plainServedBy: SourceKind =
    kinds.has('model') && typeof seen.source('model') !== 'string' ? 'model' : 'plain'
  const servedBy = (kind: SourceKind): SourceKind => (kind === 'plain' ? plainServedBy : kind)
  for (const kind of new Set([plainServedBy, ...[...kinds].map(servedBy)])) {
    const source = seen.source(kind)
    const estimators = chosen.filter((one) => servedBy(one.kind) === kind).map(({ estimator }) => estimator)
    const extra = kind === 'slates' ? [] : kind === plainServedBy ? DIAGNOSTIC_TERMS : INTERVAL_TERMS
    const terms = new Map([...termsOf(estimators), ...extra].map((term) => [term.name, term]))
    moments.set(
      kind,
      typeof source === 'string' ? source : await source.moments([...terms.values()], cluster),
    )
  }
  moments.set('plain', moments.get(plainServedBy)!)
  return moments
}

function estimateOf(
  estimator: Estimator,
  kind: Chosen['kind'],
  moments: Moments,
  options: IntervalOptions,
): { estimate: Estimate; influence?: Float64Array } {
  const value = valueOf(estimator, moments)
  if (value === undefined) {
    const hasWeight = estimator.ratios.every(({ denominator }) => moments.total(denominator) > 0)
    const reason = hasWeight
      ? 'it needs a reward model, and there is none'
      : 'no row has any weight under the target'
    return { estimate: unavailable(estimator.name, reason) }
  }
  const influence = influenceOf(estimator, moments)
  // Slates have no row weights to judge by: `auto` is Student's interval for them.
  const method = kind === 'slates' && options.method === 'auto' ? 't' : options.method!
  return {
    influence,
    estimate: {
      estimator: estimator.name,
      value,
      se: standardErrorOf(influence) ?? null,
      ...intervalFor(estimator, moments, { ...options, method }),
    },
  }
}

const unavailable = (estimator: string, reason: string): Estimate => ({
  estimator,
  value: null,
  se: null,
  interval: null,
  method: 'none',
  reason,
})
