import { HindcastError } from '../error.js'
import { given } from '../given.js'
import { counted } from '../number-text.js'
import { type DeclaredAnswer, declaredReasons } from '../verdict/declared.js'
import { type Outcomes, examine } from '../verdict/examine.js'
import type { Judged } from '../verdict/judge.js'
import { type VerdictOptions, saidOfLog } from '../verdict/said.js'
import type { QuestionAnswer } from '../verdict/verdict.js'
import { answerOf } from './answer.js'
import { DIAGNOSTIC_TERMS, type LackingFact, askedTerms, diagnosticsOf } from './diagnostics.js'
import { EVALUATE_DEFAULTS } from './defaults.js'
import { decideAgainstLogged } from './difference-verdict.js'
import type { Estimator } from './estimator.js'
import { clippedIps } from './estimators/shrinking.js'
import { ips, snips } from './estimators/importance.js'
import { type Computed, computeEstimate, judgeEstimates } from './estimates.js'
import { EVALUATION_SCHEMA, type Evaluation } from './evaluation.js'
import { sequence } from './intervals/confidence-sequence.js'
import type { IntervalMethod, IntervalOptions } from './intervals/index.js'
import type { Bounds } from './intervals/interval.js'
import {
  type BootstrapOptions,
  bootstrapAll,
  bootstrapValues,
  requireResamples,
} from './intervals/bootstrap.js'
import {
  type Chosen,
  type EstimatorRequest,
  type LambdaCurve,
  type TuningMethod,
  chooseAll,
  chooseLambda,
} from './requests.js'
import { totalsComplaints } from './by-day.js'
import type { SettledLoggers, SharesGiven } from './loggers/settle-loggers.js'
import { sensitivityFor } from './sensitivity/sensitivity.js'
import { pageReward } from './slate/page-estimators.js'
import { settledPages, usualEstimators } from './slate/settled-pages.js'
import { unfitFor } from './slate/slate-propensities.js'
import { slates } from './slate/slate-term.js'
import { SMALLEST, requireSound } from './source/broken-rows.js'
import type { ClusterColumn, Moments } from './source/moments.js'
import {
  type About,
  type Facts,
  type Known,
  type Lacking,
  type RowKind,
  type Seen,
  type SumSource,
  type SumsQuery,
  LACKS,
  factsOf,
  isLacking,
  required,
  seenAs,
} from './source/source.js'

import type { Influences } from './spread.js'
import { type Term, one, reward } from './term.js'
import type { Complaint } from './verdict.js'
import { type ClusterChoice, waysOf } from './ways.js'
import type { WeightSummary } from './weight-summary.js'

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
  /** Whether checks of the rows may lower the verdict (default: they do). */
  checks?: boolean
  /** Also compute clipped-ips over λ when no estimator is tuned: a report shows how the answer changes with λ. */
  withCurve?: boolean
  /** Also ask how wrong propensities may be where that takes further passes over the rows; clicks by SNIPS or IPS need none. */
  sensitivity?: boolean
  /** Whether to say what to do, with the logging policy as the baseline (default: it does). */
  decides?: boolean
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
  /** What checks made of the rows. */
  readonly outcomes: Outcomes
  /** What totals that are known say against an answer about this log. */
  readonly totals: (answer: Judged | undefined) => readonly Complaint[]
}

/** An evaluation, and what lies behind it. */
export interface Evaluated {
  readonly evaluation: Evaluation
  readonly evidence: Evidence
}

/** Estimates, intervals, diagnostics and verdicts, from sums alone: the same for the same log, whatever computes the sums. */
export async function evaluateSource(
  source: SumSource,
  options: EvaluateSourceOptions = {},
): Promise<Evaluated> {
  const settings = { ...EVALUATE_DEFAULTS, ...given(options) }
  const { confidence, bootstrap, seed, interval } = settings
  if (!(confidence > 0.5 && confidence < 1))
    throw new HindcastError('bad-option', `The confidence cannot be ${confidence}.`, {
      remedy: 'Give a number between 0.5 and 1, such as 0.95.',
    })
  requireResamples(bootstrap)
  const { about } = source
  const asLogged = await factsOf(source)
  requireSound(asLogged.broken, about.name)
  requireSquarable(asLogged, about.name)
  const ways = waysOf(settings.cluster, asLogged)
  const loggers = await loggersOf(source, ways, asLogged, options)
  const seen = loggers ? seenAs(source, loggers.how) : source
  const facts = loggers ? await factsOf(seen) : asLogged
  const rewardRange = rewardRangeOf(options.rewardRange, facts)

  const curves: LambdaCurve[] = []
  const untold: Lacking[] = []
  const choosing = { seen, ways, by: settings.tuning, curves, untold }
  const pagesAre = await settledPages(seen, options.estimators)
  const settled = isLacking(pagesAre) ? null : pagesAre
  const estimators = options.estimators ?? usualEstimators(settled)
  const chosen = await chooseAll(estimators, choosing)
  if (options.withCurve && curves.length === 0) await chooseLambda(clippedIps, { ...choosing, untold: [] })

  const moments = await momentsFor(chosen, seen, ways)
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
    const unfit = (settled && unfitFor(one.estimator, settled)) ?? blindFor(one.estimator, about)
    return computeEstimate(one, unfit ? { lacking: unfit } : moments.of(one.estimator.rows), intervals)
  })
  const { plain } = moments
  const pages = paged ? moments.of('slates') : undefined
  const ofPages =
    pages && !isLacking(pages) ? { meanPageReward: pages.total(pageReward) / pages.total(slates) } : {}
  const { diagnostics, lacking: lackingFacts } = diagnosticsOf(plain, facts)
  const outcomes = await examineRows(seen, ways[0]!, facts, options)
  const lacking = [
    ...lackingFacts,
    ...(isLacking(pagesAre) ? [{ what: 'what the propensities of pages are', why: pagesAre.lacking }] : []),
    ...notExamined(outcomes),
    ...untold.map(({ lacking: why }) => ({ what: 'the λ that suits this log', why })),
  ]
  const declared = declaredReasons({
    target: about.target,
    said: options.said,
    origin: about.origin,
    propensitySource: facts.usesPropensities ? facts.propensitySource : 'none',
    strict: options.strict,
  })
  const judging = {
    seen,
    facts,
    diagnostics,
    lacking,
    ways,
    plain,
    settled,
    // Of several loggers no engine weighs whole pages: single rows are all there is.
    withoutPages:
      pages && isLacking(pages) && pages.lacking !== LACKS.pagesTogether.lacking ? pages.lacking : undefined,
    outcomes,
    further: [...(loggers?.complaints ?? []), ...(await joinedBadly(about)), ...declared.reasons],
    known: knownOf(facts, ways, declared),
    totals: totalsComplaints(plain, ways, options),
    options,
  }
  const estimates = await judgeEstimates(computed, judging)
  const answer = answerOf(estimates)
  const answering = chosen.find((_, k) => estimates[k] === answer)
  const sensitivity =
    answering &&
    (await sensitivityFor({
      seen,
      estimator: answering.estimator,
      ways,
      confidence,
      moments: plain,
      mayAsk: options.sensitivity === true,
    }))
  const { rows, users, items, propensitySource } = facts
  const days = isLacking(facts.days) ? null : facts.days
  const said = saidOfLog(options)
  const { verdict } = answer ?? estimates[0]!
  // An interval for a single look does not hold for a decision that may be taken at any look.
  const isSingleLook = interval !== sequence.name
  const decision =
    options.decides !== false && facts.usesPropensities && isSingleLook
      ? decideAgainstLogged({
          computed: computed.find(({ estimate }) => estimate.estimator === answer?.estimator),
          target: about.target,
          verdict,
          confidence,
          log: { rows, days },
        })
      : undefined
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
      target: about.target,
      ...(about.matchedTemperature !== undefined && { matchedTemperature: about.matchedTemperature }),
      cluster: ways.join('+'),
      days,
      sums: { engine: about.engine, by: plain.by, groups: plain.clusters },
      confidence,
      ...(said && { said }),
      estimates,
      diagnostics,
      answer: answer?.estimator ?? null,
      verdict,
      ...(decision && { decision }),
      sensitivity: sensitivity && !isLacking(sensitivity) ? sensitivity : null,
      ...(loggers && { loggers: loggers.loggers, loggersCounted: loggers.counted }),
    },
    evidence: evidenceOf(
      seen,
      computed,
      plain,
      { curves, outcomes, totals: judging.totals },
      { resamples: bootstrap, seed },
    ),
  }
}

/** Why a model's prediction says nothing of a target: item means were hundreds of their own errors off for policies that know users. */
const blindFor = ({ takesModelAsTrue }: Estimator, { modelIgnoresUsers }: About): string | undefined =>
  takesModelAsTrue && modelIgnoresUsers
    ? 'a reward model of item means does not know what users like, and this policy treats users differently'
    : undefined

/** What all checks make of the rows as the target sees them; nothing where they were switched off. */
async function examineRows(
  { about, ask }: Seen,
  clusterBy: ClusterColumn,
  { rows, days, usesPropensities, propensitySource, guest }: Facts,
  { checks }: Pick<EvaluateSourceOptions, 'checks'>,
): Promise<Outcomes> {
  if (checks === false) return []
  const shape = {
    ...about.holds,
    hasClock: !isLacking(days) && days !== null,
    hasPropensities: propensitySource !== 'none',
    usesPropensities: usesPropensities && propensitySource !== 'none',
    // By other clusters, its rows are together only where those say so.
    guest: clusterBy === 'user' ? guest : null,
    isBlind: about.origin?.isBlind === true,
  }
  return examine(async (batch) => (await ask([{ ask: 'batch', batch, by: clusterBy }]))[0], shape, { rows })
}

/** What is missing where the checks of the rows have no answer. */
function notExamined(outcomes: Outcomes): LackingFact[] {
  const lacking = outcomes.find((outcome) => 'isLacking' in outcome && outcome.isLacking)
  return lacking && 'without' in lacking
    ? [{ what: 'what checks find in the rows', why: lacking.without, question: lacking.check.question }]
    : []
}

/** What speaks against rewards that were joined badly. */
async function joinedBadly({ join }: About): Promise<readonly Complaint[]> {
  if (!join) return []
  const { joinFaults } = await import('../log/join/join-faults.js')
  return joinFaults(join)
    .filter(({ level }) => level !== 'note')
    .map(({ level, code, seen }) => ({ level, code, question: 'rewards', message: seen, value: null }))
}

/** What is known of questions that no check speaks against. */
function knownOf(
  { days, usesPropensities }: Facts,
  ways: readonly ClusterColumn[],
  { line }: DeclaredAnswer,
): QuestionAnswer[] {
  return [
    line === null
      ? {
          question: 'declared',
          level: 'trust',
          text: 'All that only the owner of the log can know was said.',
        }
      : { question: 'declared', level: 'not-said', text: line },
    ...(usesPropensities
      ? []
      : [
          {
            question: 'propensities',
            level: 'not-applicable',
            text: 'The value of the logging policy needs none.',
          } as const,
        ]),
    isLacking(days)
      ? { question: 'time', level: 'lacking', text: `Days are not known: ${days.lacking}.` }
      : days === null
        ? { question: 'time', level: 'not-applicable', text: 'No days are compared.' }
        : ways.includes('day')
          ? {
              question: 'time',
              level: 'trust',
              text: `How much the ${counted(days, 'day')} differ is in the interval.`,
            }
          : {
              question: 'time',
              level: 'not-applicable',
              text: `${counted(days, 'day')}: how much one differs from another is not in the interval.`,
            },
  ]
}

/** How the rows of several loggers count; undefined where the log does not mark them. Few logs do, so it is loaded when one does. */
async function loggersOf(
  source: SumSource,
  ways: readonly ClusterColumn[],
  { usesPropensities }: Facts,
  { loggerShares: shares }: EvaluateSourceOptions,
): Promise<SettledLoggers | undefined> {
  const { loggers } = source.about
  if (!loggers) return undefined
  const { settleLoggers } = await import('./loggers/settle-loggers.js')
  return settleLoggers(source, loggers, { ways, usesPropensities, ...(shares && { shares }) })
}

/** Throws for a log whose rewards are all so close to 0 that their squares vanish. */
function requireSquarable({ rewards }: Facts, name = 'The log'): void {
  if (isLacking(rewards)) return
  const largest = Math.max(Math.abs(rewards.least), Math.abs(rewards.most))
  if (largest === 0 || largest >= SMALLEST) return
  throw new HindcastError(
    'bad-rows',
    `${name}: all rewards are within ${largest} of 0, too close for their squares. At least one must be ${SMALLEST} away.`,
    { remedy: 'Count rewards in a smaller unit.' },
  )
}

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
  { ask }: Seen,
  computed: readonly Computed[],
  plain: Moments,
  { curves, outcomes, totals }: Pick<Evidence, 'curves' | 'outcomes' | 'totals'>,
  resampling: BootstrapOptions,
): Evidence {
  let resampled: Evidence['distributions'] | undefined
  let replicated: Evidence['replicates'] | undefined
  return {
    weights: async () => (await ask([{ ask: 'weights' }]))[0],
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
    outcomes,
    totals,
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
  seen: Seen,
  ways: readonly ClusterColumn[],
): Promise<{ plain: Moments; of: (kind: RowKind) => Known<Moments> }> {
  const over = (...kinds: RowKind[]): Chosen[] =>
    chosen.filter(({ estimator }) => kinds.includes(estimator.rows))
  const sums = (rows: RowKind, asked: readonly Chosen[], diagnosed: readonly Term[] = []): SumsQuery => ({
    ask: 'sums',
    ...askedTerms(asked, rows, diagnosed),
    by: ways,
    rows,
  })
  // Rows with predictions also serve estimators that need none: one pass instead of two.
  const first = over('model').length > 0 ? 'model' : 'plain'
  const others = [...new Set(chosen.map(({ estimator }) => estimator.rows))].filter(
    (kind) => kind !== 'plain' && kind !== 'model',
  )
  const [found, ...further] = await seen.ask([
    sums(first, over('plain', first), DIAGNOSTIC_TERMS),
    ...others.map((kind) => sums(kind, over(kind))),
  ])
  const isWithout = first === 'model' && isLacking(found!)
  const [plain] = isWithout ? await seen.ask([sums('plain', over('plain'), DIAGNOSTIC_TERMS)]) : [found!]
  const moments = new Map<RowKind, Known<Moments>>(others.map((kind, k) => [kind, further[k]!]))
  moments.set('model', found!)
  const ofRows = required(plain, seen, 'sum weighted rewards')
  return { plain: ofRows, of: (kind) => (kind === 'plain' ? ofRows : moments.get(kind)!) }
}
