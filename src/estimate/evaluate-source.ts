import { HindcastError } from '../error.js'
import { EVALUATE_DEFAULTS } from './defaults.js'
import { DIAGNOSTIC_TERMS, diagnosticsOf } from './diagnostics.js'
import {
  type Estimator,
  influenceOf,
  isTuned,
  standardErrorOf,
  termsOf,
  type TunedEstimator,
  valueOf,
} from './estimator.js'
import { clippedIps } from './estimators/clipped-ips.js'
import { type EstimatorName, ESTIMATORS, estimatorNamed } from './estimators/index.js'
import { ips } from './estimators/ips.js'
import { snips } from './estimators/snips.js'
import { type Estimate, type Evaluation, EVALUATION_SCHEMA } from './evaluation.js'
import { type IntervalMethod, type IntervalOptions, intervalFor } from './intervals/index.js'
import { INTERVAL_TERMS } from './intervals/interval.js'
import {
  bootstrapAll,
  type BootstrapOptions,
  bootstrapValues,
  requireResamples,
} from './intervals/bootstrap.js'
import { pageReward } from './slate/page-weight.js'
import { slates } from './slate/slate-term.js'
import { type CurvePoint, lambdaGrid, tune } from './slope.js'
import { requireSound } from './source/broken-rows.js'
import type { ClusterBy, Moments } from './source/moments.js'
import { isLacking, type Known, type RowKind, type SumSource } from './source/source.js'
import { one, reward, type Term } from './term.js'
import { verdictOf } from './verdict.js'
import type { WeightSummary } from './weight-summary.js'

/** An estimator to compute: its name, with a colon and λ where λ is fixed rather than tuned. */
export type EstimatorRequest = EstimatorName | `${EstimatorName}:${number}` | (string & {})

/** How to evaluate sums, wherever they come from. */
export interface EvaluateSourceOptions {
  /** Names, with a colon and λ where λ is fixed rather than tuned: `clipped-ips:10`. */
  estimators?: readonly EstimatorRequest[]
  /** What rows are grouped by (default: the user). */
  cluster?: ClusterBy
  /** Default 0.95. */
  confidence?: number
  /** Default `auto`. */
  interval?: IntervalMethod | (string & {})
  /** Bootstrap resamples (default 50). */
  bootstrap?: number
  seed?: number
  /** Largest possible importance weight, known in advance: for worst-case intervals. */
  maxWeight?: number
  /** Smallest and largest possible reward (default 0 to 1). */
  rewardRange?: readonly [number, number]
  /** Also compute clipped-ips over λ when no estimator is tuned: a report shows how the answer changes with λ. */
  withCurve?: boolean
}

/** What lies behind an evaluation, for figures and comparisons. */
export interface Evidence {
  /** The distribution of the importance weights, computed when first asked for. */
  weights(): Promise<Known<WeightSummary>>
  /** Bootstrap replicates of IPS and SNIPS, drawn when first asked for. */
  readonly distributions: readonly { readonly name: string; readonly values: Float64Array }[]
  /** Estimates over λ for the estimators that were tuned. */
  readonly curves: readonly {
    readonly estimator: string
    readonly points: readonly CurvePoint[]
    readonly chosen: number
  }[]
  /** Bootstrap replicates of every estimate that has a value, by estimator, drawn when first asked for; NaN where a resample leaves nothing to divide by. */
  readonly replicates: ReadonlyMap<string, Float64Array>
  /** Influence of each cluster on each estimate, by estimator; the same clusters for every target. */
  readonly influences: ReadonlyMap<string, Float64Array>
}

/** An evaluation, and what lies behind it. */
export interface Evaluated {
  readonly evaluation: Evaluation
  readonly evidence: Evidence
}

/** Estimates, intervals, diagnostics and the verdict, from sums alone: the same for the same log, whatever computes the sums. */
export async function evaluateSource(
  source: SumSource,
  options: EvaluateSourceOptions = {},
): Promise<Evaluated> {
  const {
    estimators = EVALUATE_DEFAULTS.estimators,
    cluster = EVALUATE_DEFAULTS.cluster,
    confidence = EVALUATE_DEFAULTS.confidence,
    interval = EVALUATE_DEFAULTS.interval,
    bootstrap = EVALUATE_DEFAULTS.bootstrap,
    seed = EVALUATE_DEFAULTS.seed,
  } = options
  if (!(confidence > 0.5 && confidence < 1))
    throw new HindcastError('bad-option', `The confidence cannot be ${confidence}.`, {
      remedy: 'Give a number between 0.5 and 1, such as 0.95.',
    })
  requireResamples(bootstrap)
  const requests = estimators.map(parseRequest)
  const facts = await source.facts()
  requireSound(facts.broken, source.name)

  const tuning: Tuning = { source, cluster, curves: [] }
  const chosen: Chosen[] = []
  for (const request of requests) chosen.push(await choose(request, tuning))
  if (options.withCurve && tuning.curves.length === 0) await chooseLambda(clippedIps, tuning)

  const moments = await momentsFor(
    chosen.map(({ estimator }) => estimator),
    source,
    cluster,
  )
  const intervals: IntervalOptions = {
    confidence,
    bootstrap,
    seed,
    method: interval,
    ...(options.maxWeight !== undefined && { maxWeight: options.maxWeight }),
    ...(options.rewardRange && { rewardRange: options.rewardRange }),
  }
  const influences = new Map<string, Float64Array>()
  const estimates = chosen.map(({ estimator, chosenBy }) => {
    const sums = moments.of(estimator.rows)
    if (isLacking(sums)) return unavailable(estimator, sums.lacking)
    const { estimate, influence } = estimateOf(estimator, sums, intervals)
    if (influence) influences.set(estimator.name, influence)
    const { lambda } = estimator
    return lambda === undefined ? estimate : { ...estimate, lambda: { value: lambda, chosenBy } }
  })
  const { plain } = moments
  const pages = chosen.some(({ estimator }) => estimator.rows === 'slates') ? moments.of('slates') : undefined
  const ofPages =
    pages && !isLacking(pages) ? { meanPageReward: pages.total(pageReward) / pages.total(slates) } : {}
  const { diagnostics, lacking } = diagnosticsOf(plain, facts)
  const { rows, users, items, propensitySource } = facts
  let resampled: Evidence['distributions'] | undefined
  let replicated: Evidence['replicates'] | undefined
  return {
    evaluation: {
      schema: EVALUATION_SCHEMA,
      log: {
        rows,
        users,
        items,
        propensitySource,
        meanReward: plain.total(reward) / plain.total(one),
        ...ofPages,
      },
      target: source.target,
      cluster,
      sums: { engine: source.engine, by: plain.by, groups: plain.clusters },
      confidence,
      estimates,
      diagnostics,
      verdict: verdictOf(diagnostics, estimates, {
        propensities: facts.usesPropensities ? propensitySource : 'logged',
        clusters: { count: plain.clusters, unit: cluster === 'column' ? 'cluster' : cluster },
        lacking,
      }),
    },
    evidence: {
      weights: () => source.weights(),
      get distributions() {
        return (resampled ??= distributionsOf(plain, { resamples: bootstrap, seed }))
      },
      curves: tuning.curves,
      get replicates() {
        return (replicated ??= new Map(
          chosen
            .filter(({ estimator }) => influences.has(estimator.name))
            .map(({ estimator }) => {
              const sums = moments.of(estimator.rows) as Moments
              return [estimator.name, bootstrapValues(estimator, sums, { resamples: bootstrap, seed })]
            }),
        ))
      },
      influences,
    },
  }
}

const distributionsOf = (moments: Moments, options: BootstrapOptions): Evidence['distributions'] => {
  const estimators = [ips, snips]
  return bootstrapAll(estimators, moments, options).map((values, k) => ({
    name: estimators[k]!.label,
    values,
  }))
}

interface Request {
  readonly name: string
  readonly lambda?: number
}

/** A requested estimator, and who chose its λ. */
interface Chosen {
  readonly estimator: Estimator
  readonly chosenBy: 'user' | 'slope'
}

/** What choosing λ needs, and the curves it records. */
interface Tuning {
  readonly source: SumSource
  readonly cluster: ClusterBy
  readonly curves: Evidence['curves'][number][]
}

function parseRequest(text: string): Request {
  const [name, lambda] = text.split(':', 2) as [string, string | undefined]
  if (lambda === undefined) return { name }
  const value = lambda.trim() === '' ? NaN : lambda.toLowerCase() === 'infinity' ? Infinity : Number(lambda)
  if (!(value >= 0))
    throw new HindcastError('bad-option', `${text}: λ must be a number of at least 0.`, {
      remedy: `For example: ${name}:10.`,
    })
  return { name, lambda: value }
}

/** The requested estimator; unless the user gave λ, SLOPE chooses one for this log and target. */
async function choose({ name, lambda }: Request, tuning: Tuning): Promise<Chosen> {
  const named = ESTIMATORS.named(name)
  if (!isTuned(named) || lambda !== undefined)
    return { estimator: estimatorNamed(name, lambda), chosenBy: 'user' }
  return { estimator: named.with(await chooseLambda(named, tuning)), chosenBy: 'slope' }
}

/** The λ that SLOPE chooses; the one that leaves weights unchanged where the source cannot compute it. */
async function chooseLambda(tuned: TunedEstimator, { source, cluster, curves }: Tuning): Promise<number> {
  const { maxWeight: largest } = await source.facts()
  const median = await source.medianWeight()
  if (isLacking(largest) || isLacking(median)) return tuned.tuning.unchanged.lambda
  const grid = lambdaGrid(tuned, { largest, median })
  const terms = termsOf(grid.map((lambda) => tuned.with(lambda)))
  const moments = await source.moments(terms, cluster, tuned.rows)
  if (isLacking(moments)) return tuned.tuning.unchanged.lambda
  const { curve, chosen } = tune(tuned, { moments, grid })
  curves.push({ estimator: tuned.name, points: curve, chosen })
  return chosen
}

/** The sums for all estimators and the diagnostics, one pass per kind of rows. */
async function momentsFor(
  estimators: readonly Estimator[],
  source: SumSource,
  cluster: ClusterBy,
): Promise<{ plain: Moments; of: (kind: RowKind) => Known<Moments> }> {
  const over = (kind: RowKind): Estimator[] => estimators.filter(({ rows }) => rows === kind)
  const ask = (
    asked: readonly Estimator[],
    extra: readonly Term[],
    kind: RowKind,
  ): Promise<Known<Moments>> => {
    const terms = new Map([...termsOf(asked), ...extra].map((term) => [term.name, term]))
    return source.moments([...terms.values()], cluster, kind)
  }
  const moments = new Map<RowKind, Known<Moments>>()
  // Rows with predictions also serve estimators that need none: one pass instead of two.
  if (over('model').length > 0)
    moments.set('model', await ask([...over('plain'), ...over('model')], DIAGNOSTIC_TERMS, 'model'))
  const shared = moments.get('model')
  const plain = shared && !isLacking(shared) ? shared : await ask(over('plain'), DIAGNOSTIC_TERMS, 'plain')
  if (isLacking(plain))
    throw new HindcastError('bad-option', `${source.engine} cannot sum weighted rewards: ${plain.lacking}.`)
  moments.set('plain', plain)
  for (const kind of new Set(estimators.map(({ rows }) => rows)))
    if (!moments.has(kind))
      moments.set(
        kind,
        await ask(over(kind), kind === 'slates' ? [pageReward, slates] : INTERVAL_TERMS, kind),
      )
  return { plain, of: (kind) => moments.get(kind)! }
}

function estimateOf(
  estimator: Estimator,
  moments: Moments,
  options: IntervalOptions,
): { estimate: Estimate; influence?: Float64Array } {
  const value = valueOf(estimator, moments)
  if (value === undefined) {
    const hasWeight = estimator.ratios.every(({ denominator }) => moments.total(denominator) > 0)
    const reason = hasWeight
      ? 'it needs a reward model, and none is given'
      : 'no row has any weight under the target'
    return { estimate: unavailable(estimator, reason) }
  }
  const influence = influenceOf(estimator, moments)
  // Slates have no row weights to judge by: `auto` is Student's interval for them.
  const method = estimator.rows === 'slates' && options.method === 'auto' ? 't' : options.method!
  return {
    influence,
    estimate: {
      estimator: estimator.name,
      ...unitOf(estimator),
      value,
      se: standardErrorOf(influence) ?? null,
      ...intervalFor(estimator, moments, { ...options, method }),
    },
  }
}

/** The unit of an estimator's value, where it is not an impression. */
const unitOf = ({ rows }: Pick<Estimator, 'rows'>): Pick<Estimate, 'unit'> =>
  rows === 'slates' ? { unit: 'page' } : {}

const unavailable = (estimator: Estimator, reason: string): Estimate => ({
  estimator: estimator.name,
  ...unitOf(estimator),
  value: null,
  se: null,
  interval: null,
  method: 'none',
  reason,
})
