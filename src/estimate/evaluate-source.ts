import type { Finding } from '../doctor/finding.js'
import { HindcastError } from '../error.js'
import { answerOf } from './answer.js'
import { askedTerms } from './asked-terms.js'
import { EVALUATE_DEFAULTS } from './defaults.js'
import { DIAGNOSTIC_TERMS, diagnosticsOf } from './diagnostics.js'
import { clippedIps } from './estimators/clipped-ips.js'
import { ips } from './estimators/ips.js'
import { snips } from './estimators/snips.js'
import { type Computed, computeEstimate, judgeEstimates } from './estimates.js'
import { type Evaluation, EVALUATION_SCHEMA } from './evaluation.js'
import type { IntervalMethod, IntervalOptions } from './intervals/index.js'
import type { Bounds } from './intervals/interval.js'
import {
  bootstrapAll,
  type BootstrapOptions,
  bootstrapValues,
  requireResamples,
} from './intervals/bootstrap.js'
import {
  type Chosen,
  chooseAll,
  chooseLambda,
  type EstimatorRequest,
  type LambdaCurve,
  type TuningMethod,
} from './requests.js'
import { onePerCode } from './gate.js'
import { fittedToLog } from './item-fit.js'
import { pickedFromLog } from './item-pick.js'
import { declaredComplaints, totalsComplaints } from './declared-complaints.js'
import type { SettledLoggers, SharesGiven } from './loggers/settle-loggers.js'
import { sensitivityFor } from './sensitivity/sensitivity-of.js'
import { pageReward } from './slate/page-weight.js'
import { settledPages, usualEstimators } from './slate/settled-pages.js'
import { unfitFor } from './slate/slate-propensities.js'
import { slates } from './slate/slate-term.js'
import { requireSound } from './source/broken-rows.js'
import type { ClusterColumn, Moments } from './source/moments.js'
import { type Facts, isLacking, type Known, type RowKind, type SumSource } from './source/source.js'
import type { Influences } from './spread.js'
import { one, reward, type Term } from './term.js'
import { fittedToUsers } from './user-fit.js'
import { fittedToRows } from './user-pairs.js'
import type { Complaint } from './verdict.js'
import { type ClusterChoice, momentsByWays, waysOf } from './ways.js'
import type { WeightSummary } from './weight-summary.js'
import { saidOfLog, type VerdictOptions } from '../verdict/said.js'

export type { EstimatorRequest } from './requests.js'

/** How to evaluate sums, wherever they come from. */
export interface EvaluateSourceOptions extends VerdictOptions {
  /** Names, with a colon and λ where λ is fixed rather than tuned: `clipped-ips:10`. */
  estimators?: readonly EstimatorRequest[]
  /** The ways in which rows may depend on each other (default: users, and days where the log tells them). */
  cluster?: ClusterChoice | (string & {})
  /** Default 0.95. */
  confidence?: number
  /** Default `auto`. */
  interval?: IntervalMethod | (string & {})
  /** Bootstrap resamples (default 50). */
  bootstrap?: number
  seed?: number
  /** Largest possible importance weight, known in advance: for worst-case intervals. */
  maxWeight?: number
  /** For `sequence`: the number of rows at which it is tightest, and the reward to expect, both chosen before the first look. */
  tightestAt?: number
  expectedReward?: number
  /** Smallest and largest possible reward, known in advance. Clicks, 0 or 1, are known by themselves; otherwise none is assumed. */
  rewardRange?: readonly [number, number]
  /** How λ is chosen where none is given: by the least paired error (default), or by SLOPE. */
  tuning?: TuningMethod
  /** Whether the doctor's quick checks may lower the verdict (default: they do). */
  checks?: boolean
  /** Also compute clipped-ips over λ when no estimator is tuned: a report shows how the answer changes with λ. */
  withCurve?: boolean
  /** Also ask how wrong propensities may be where that takes further passes over the rows; clicks by SNIPS or IPS need none. */
  sensitivity?: boolean
  /** How much each logger counts, where that was settled beforehand: `rows`, by its rows; or by name (default: from the weights). */
  loggerShares?: SharesGiven
}

/** What lies behind an evaluation, for figures and comparisons. */
export interface Evidence {
  /** The distribution of the importance weights, computed when first asked for. */
  weights(): Promise<Known<WeightSummary>>
  /** Bootstrap replicates of IPS and SNIPS, drawn when first asked for. */
  readonly distributions: readonly { readonly name: string; readonly values: Float64Array }[]
  /** Estimates over λ for the estimators that were tuned. */
  readonly curves: readonly LambdaCurve[]
  /** Bootstrap replicates of every estimate that has a value, by estimator, drawn when first asked for; NaN where a resample leaves nothing to divide by. */
  readonly replicates: ReadonlyMap<string, Float64Array>
  /** Influences of the clusters on each estimate, by estimator; the same clusters for every target. */
  readonly influences: ReadonlyMap<string, Influences>
  /** The sums behind the estimates of single impressions. */
  readonly moments: Moments
}

/** An evaluation, and what lies behind it. */
export interface Evaluated {
  readonly evaluation: Evaluation
  readonly evidence: Evidence
}

/** Estimates, intervals, diagnostics and verdicts, from sums alone: the same for the same log, whatever computes the sums. */
export async function evaluateSource(
  given: SumSource,
  options: EvaluateSourceOptions = {},
): Promise<Evaluated> {
  const settings = { ...EVALUATE_DEFAULTS, ...defined(options) }
  const { confidence, bootstrap, seed, interval } = settings
  if (!(confidence > 0.5 && confidence < 1))
    throw new HindcastError('bad-option', `The confidence cannot be ${confidence}.`, {
      remedy: 'Give a number between 0.5 and 1, such as 0.95.',
    })
  requireResamples(bootstrap)
  const asLogged = await given.facts()
  requireSound(asLogged.broken, given.name)
  const ways = waysOf(settings.cluster, asLogged)
  const loggers = await loggersOf(given, ways, asLogged, options)
  const source = loggers?.source ?? given
  const facts = loggers ? await source.facts() : asLogged
  const rewardRange = rewardRangeOf(options.rewardRange, facts)

  const choosing = { source, ways, by: settings.tuning, curves: [] as LambdaCurve[] }
  const settled = await settledPages(source, options.estimators)
  const estimators = options.estimators ?? usualEstimators(settled)
  const chosen = await chooseAll(estimators, choosing)
  if (options.withCurve && choosing.curves.length === 0) await chooseLambda(clippedIps, choosing)

  const moments = await momentsFor(chosen, source, ways)
  const intervals: IntervalOptions = {
    confidence,
    bootstrap,
    seed,
    method: interval,
    ...(options.maxWeight !== undefined && {
      maxWeight: options.maxWeight * (loggers?.largestFactor ?? 1),
    }),
    ...(rewardRange && { rewardRange }),
    ...(options.tightestAt !== undefined && { tightestAt: options.tightestAt }),
    ...(options.expectedReward !== undefined && { expectedReward: options.expectedReward }),
  }
  const paged = chosen.some(({ estimator }) => estimator.rows === 'slates')
  const computed = chosen.map((one) => {
    const unfit = settled && unfitFor(one.estimator, settled)
    return computeEstimate(one, unfit ? { lacking: unfit } : moments.of(one.estimator.rows), intervals)
  })
  const { plain } = moments
  const pages = paged ? moments.of('slates') : undefined
  const ofPages =
    pages && !isLacking(pages) ? { meanPageReward: pages.total(pageReward) / pages.total(slates) } : {}
  const { diagnostics, lacking } = diagnosticsOf(plain, facts)
  const judging = {
    source,
    // Whoever names the clusters has decided whether days matter.
    facts: settings.cluster === 'auto' ? facts : { ...facts, days: null },
    diagnostics,
    lacking,
    ways,
    rewardRange,
    plain,
    settled,
    further: [
      ...(loggers?.complaints ?? []),
      ...declaredComplaints(given, facts, options),
      ...(await knownRewards(given, facts)),
    ],
    about: totalsComplaints(plain, ways, options),
    found: await foundIn(given, ways, facts, options),
  }
  const estimates = await judgeEstimates(computed, judging)
  const answer = answerOf(estimates)
  const answering = chosen.find((_, k) => estimates[k] === answer)
  const sensitivity =
    answering &&
    (await sensitivityFor({
      source,
      estimator: answering.estimator,
      ways,
      confidence,
      moments: plain,
      mayAsk: options.sensitivity === true,
    }))
  const { rows, users, items, propensitySource } = facts
  const said = saidOfLog(options)
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
      ...(source.matchedTemperature !== undefined && { matchedTemperature: source.matchedTemperature }),
      cluster: ways.join('+'),
      days: isLacking(facts.days) ? null : facts.days,
      sums: { engine: source.engine, by: plain.by, groups: plain.clusters },
      confidence,
      ...(said && { said }),
      estimates,
      diagnostics,
      answer: answer?.estimator ?? null,
      verdict: (answer ?? estimates[0]!).verdict,
      sensitivity: sensitivity && !isLacking(sensitivity) ? sensitivity : null,
      ...(loggers && { loggers: loggers.loggers, loggersCounted: loggers.counted }),
    },
    evidence: evidenceOf(source, computed, plain, choosing.curves, { resamples: bootstrap, seed }),
  }
}

/** What lowers a verdict whatever the estimator: rewards that were joined badly, and what the doctor's quick checks find. */
async function foundIn(
  given: SumSource,
  ways: readonly ClusterColumn[],
  { usesPropensities }: Facts,
  { checks }: EvaluateSourceOptions,
): Promise<Known<readonly Finding[]>> {
  if (checks === false) return []
  const all = usesPropensities ? ((await given.findings?.()) ?? []) : []
  // Whoever names a column of clusters has said which rows belong together.
  const areClustersNamed = ways.some((way) => way.startsWith('column'))
  const quick =
    isLacking(all) || !areClustersNamed ? all : all.filter(({ code }) => code !== 'neighbours-alike')
  if (!given.join) return quick
  const { joinFindings } = await import('../doctor/join-findings.js')
  const joined = joinFindings(given.join).filter(({ lowersTo }) => lowersTo !== undefined)
  if (isLacking(quick)) return joined.length > 0 ? joined : quick
  return [...joined, ...quick]
}

/** How the rows of several loggers count; undefined where the log does not mark them. Few logs do, so it is loaded when one does. */
async function loggersOf(
  source: SumSource,
  ways: readonly ClusterColumn[],
  { usesPropensities }: Facts,
  { loggerShares: shares }: EvaluateSourceOptions,
): Promise<SettledLoggers | undefined> {
  if (!source.loggers) return undefined
  const { settleLoggers } = await import('./loggers/settle-loggers.js')
  return settleLoggers(source, source.loggers, { ways, usesPropensities, ...(shares && { shares }) })
}

/** What speaks against a target that shows that it was made from the rewards of the log; one that says so need not be looked at. */
async function knownRewards(given: SumSource, { usesPropensities }: Facts): Promise<readonly Complaint[]> {
  if (!usesPropensities || given.origin?.made === 'this-log') return []
  const [ofItems, ofUsers] = [await given.itemFit?.(), await given.userFit?.()]
  const ofRows = await given.userPairs?.()
  // Of several complaints of one code the last is kept: that which says most about what was followed.
  return onePerCode([
    ...(ofRows ? fittedToRows(given.target, ofRows) : []),
    ...(ofItems ? pickedFromLog(given.target, ofItems.partings) : []),
    ...(ofItems ? fittedToLog(given.target, ofItems) : []),
    ...(ofUsers ? fittedToUsers(given.target, ofUsers) : []),
  ])
}

/** The options that were given: a field that is undefined is none. */
const defined = <Options extends object>(options: Options): Partial<Options> =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<Options>

/** The range of rewards that is known before the log is seen: as given, 0 to 1 for clicks, else none. */
function rewardRangeOf(given: Bounds | undefined, { rewards }: Facts): Bounds | undefined {
  if (!given) return !isLacking(rewards) && rewards.isBinary ? [0, 1] : undefined
  const [least, most] = given
  if (!(least < most))
    throw new HindcastError('bad-option', `The range of rewards cannot be ${least} to ${most}.`, {
      remedy: 'Give the smallest and the largest possible reward, such as 0 and 5.',
    })
  if (!isLacking(rewards) && (rewards.least < least || rewards.most > most))
    throw new HindcastError(
      'bad-option',
      `Rewards run from ${rewards.least} to ${rewards.most}, beyond the range ${least} to ${most}.`,
      { remedy: 'Give the smallest and the largest possible reward, or no range.' },
    )
  return given
}

/** What lies behind estimates; what costs time is made when first asked for. */
function evidenceOf(
  source: SumSource,
  computed: readonly Computed[],
  plain: Moments,
  curves: Evidence['curves'],
  resampling: BootstrapOptions,
): Evidence {
  let resampled: Evidence['distributions'] | undefined
  let replicated: Evidence['replicates'] | undefined
  return {
    weights: () => source.weights(),
    get distributions() {
      return (resampled ??= distributionsOf(plain, resampling))
    },
    curves,
    get replicates() {
      return (replicated ??= new Map(
        computed.flatMap(({ estimator, influences, moments }) =>
          influences && moments ? [[estimator.name, bootstrapValues(estimator, moments, resampling)]] : [],
        ),
      ))
    },
    influences: new Map(
      computed.flatMap(({ estimator, influences }) => (influences ? [[estimator.name, influences]] : [])),
    ),
    moments: plain,
  }
}

const distributionsOf = (moments: Moments, options: BootstrapOptions): Evidence['distributions'] => {
  const estimators = [ips, snips]
  return bootstrapAll(estimators, moments, options).map((values, k) => ({
    name: estimators[k]!.label,
    values,
  }))
}

/** The sums for all estimators and the diagnostics, one pass per kind of rows. */
async function momentsFor(
  chosen: readonly Chosen[],
  source: SumSource,
  ways: readonly ClusterColumn[],
): Promise<{ plain: Moments; of: (kind: RowKind) => Known<Moments> }> {
  const over = (kind: RowKind): Chosen[] => chosen.filter(({ estimator }) => estimator.rows === kind)
  const ask = (
    asked: readonly Chosen[],
    rows: RowKind,
    diagnosed: readonly Term[] = [],
  ): Promise<Known<Moments>> => momentsByWays(source, ways, { ...askedTerms(asked, rows, diagnosed), rows })
  const moments = new Map<RowKind, Known<Moments>>()
  // Rows with predictions also serve estimators that need none: one pass instead of two.
  if (over('model').length > 0)
    moments.set('model', await ask([...over('plain'), ...over('model')], 'model', DIAGNOSTIC_TERMS))
  const shared = moments.get('model')
  const plain = shared && !isLacking(shared) ? shared : await ask(over('plain'), 'plain', DIAGNOSTIC_TERMS)
  if (isLacking(plain))
    throw new HindcastError('bad-option', `${source.engine} cannot sum weighted rewards: ${plain.lacking}.`)
  moments.set('plain', plain)
  for (const kind of new Set(chosen.map(({ estimator }) => estimator.rows)))
    if (!moments.has(kind)) moments.set(kind, await ask(over(kind), kind))
  return { plain, of: (kind) => moments.get(kind)! }
}
