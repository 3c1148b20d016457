import { type Log, uniformPolicy, type VerdictLevel, type World } from 'hindcast'
import {
  type Adjacency,
  clickGraph,
  heldOutClicks,
  type Model,
  rankingMetricsOf,
  type Rankings,
  topK,
} from 'hindcast/train'
import type { StepContext } from './context.js'
import {
  chancePolicy,
  learnedPolicy,
  REPLICATE,
  requireUnseen,
  sealed,
  trueValue,
  type Unseen,
  unseenOf,
} from './held-out.js'
import { countVerdicts, meanOf, overSeeds, rootMeanSquare } from '../statistics/over-seeds.js'
import {
  type MethodRun,
  type MethodsResults,
  type MethodSummary,
  type OverSeeds,
  type QualityOverSeeds,
  type RankingQuality,
  STUDY_ESTIMATORS,
  type StudyMethod,
} from '../results.js'
import type { StudySettings } from '../settings.js'
import { type TargetOutcome, valueTargets } from './targets.js'
import { trainMethod, type TrainedMethod, type Variant } from './train-method.js'
import { estimateBy, holds, valuePolicy } from './value-policy.js'

/** The world of one seed at one temperature, and what is to be done in it. */
export interface MethodsStep {
  readonly temperature: number
  readonly seed: number
  readonly resamples: number
  readonly k: number
  readonly training: StudySettings['training']
  readonly methods: readonly StudyMethod[]
  /** Points of the learning curves; 0 for none. */
  readonly curvePoints: number
  /** α's of the regulariser to try; empty for none. */
  readonly alphas: readonly (number | null)[]
  /** Whether to value a choice of target policies as well. */
  readonly withTargets: boolean
}

export interface MethodsOutcome {
  readonly runs: readonly MethodRun[]
  readonly curves: readonly CurveOutcome[]
  readonly regulariser: readonly RegulariserOutcome[]
  readonly targets: readonly TargetOutcome[]
}

/** How a training went on one seed. */
export interface CurveOutcome {
  readonly method: StudyMethod
  readonly points: readonly {
    readonly epoch: number
    readonly steps: number
    readonly snips: number | null
    readonly truth: number
    readonly essRatio: number | null
  }[]
}

export interface RegulariserOutcome extends Pick<MethodRun, 'truth' | 'trainingEssRatio'> {
  readonly alpha: number | null
  readonly snips: number | null
  readonly ndcgBiased: number | null
  readonly ndcgUniform: number | null
}

/** The methods whose learning is watched. */
export const CURVE_METHODS: readonly StudyMethod[] = ['bpr', 'ips-bpr', 'ips-bpr-pr']

/**
 * Trains every method on one log of a world, then opens a second, independent log once and values all of them on
 * the pairs that training did not show. A third log watches training and has no say in it; a fourth, of uniform
 * exposure, is for ranking metrics alone.
 */
export async function runMethods(
  world: World,
  step: MethodsStep,
  context: StepContext = {},
): Promise<MethodsOutcome> {
  const training = world.draw({ replicate: REPLICATE.training })
  const testLog = sealed(() => world.draw({ replicate: REPLICATE.test }))
  const uniformLog = sealed(() =>
    world.draw({ replicate: REPLICATE.test, policy: uniformPolicy(world.itemIds.length) }),
  )
  const { trained, curves } = await trainAll(world, training, step, context)

  const unseen = unseenOf(world, training, testLog())
  const judge = judgeOf(world, { training, unseen, uniform: uniformLog() }, step)
  const judged: { variant: Variant; run: MethodRun }[] = []
  for (const { variant, method } of trained)
    judged.push({ variant, run: await judge(variant.method, method) })

  const learned = trained.find(({ variant }) => variant.method === 'ips-bpr-pr') ?? trained[0]!
  return {
    runs: judged
      .filter(
        ({ variant }) => step.methods.includes(variant.method) && isOwnAlpha(variant, step.training.alpha),
      )
      .map(({ run }) => run),
    curves,
    regulariser: step.alphas.map((alpha) => {
      const { run } = judged.find(({ variant }) => isAlpha(variant, alpha))!
      return {
        alpha,
        truth: run.truth,
        trainingEssRatio: run.trainingEssRatio,
        snips: run.estimates.find(({ estimator }) => estimator === 'snips')!.value,
        ndcgBiased: run.biased.ndcg,
        ndcgUniform: run.uniform.ndcg,
      }
    }),
    targets: step.withTargets ? await valueTargets(world, { model: learned.method.model, unseen, step }) : [],
  }
}

/** A method as the paper has it, not one with another α. */
const isOwnAlpha = ({ method, alpha }: Variant, paper: number): boolean =>
  method !== 'ips-bpr-pr' || alpha === paper

/** Whether a variant is the weighted loss of this α: 0 is IPS-BPR, ∞ plain BPR. */
const isAlpha = ({ method, alpha }: Variant, wanted: number | null): boolean =>
  wanted === null
    ? method === 'bpr'
    : wanted === 0
      ? method === 'ips-bpr'
      : method === 'ips-bpr-pr' && alpha === wanted

/** The methods, and the α's that are not among them. */
function variantsOf({ methods, alphas, training }: MethodsStep): Variant[] {
  const variants: Variant[] = methods.map((method) => ({
    method,
    alpha: method === 'ips-bpr-pr' ? training.alpha : 0,
  }))
  for (const alpha of alphas)
    if (!variants.some((variant) => isAlpha(variant, alpha)))
      variants.push({
        method: alpha === null ? 'bpr' : alpha === 0 ? 'ips-bpr' : 'ips-bpr-pr',
        alpha: alpha ?? 0,
      })
  return variants
}

interface TrainedVariant {
  readonly variant: Variant
  readonly method: TrainedMethod
}

async function trainAll(
  world: World,
  training: Log,
  step: MethodsStep,
  context: StepContext,
): Promise<{ trained: TrainedVariant[]; curves: CurveOutcome[] }> {
  const { signal, makeKernel } = context
  const variants = variantsOf(step)
  const validation =
    step.curvePoints > 0
      ? unseenOf(world, training, world.draw({ replicate: REPLICATE.validation }))
      : undefined
  const trained: TrainedVariant[] = []
  const curves: CurveOutcome[] = []
  for (const [place, variant] of variants.entries()) {
    const isWatched = CURVE_METHODS.includes(variant.method) && isOwnAlpha(variant, step.training.alpha)
    const points: CurveOutcome['points'][number][] = []
    const method = await trainMethod(training, variant, {
      seed: step.seed,
      training: step.training,
      ...(signal && { signal }),
      ...(makeKernel && { makeKernel }),
      progress: (share) => context.progress?.((place + share) / (variants.length + 1)),
      ...(validation &&
        isWatched && {
          watch: {
            points: step.curvePoints,
            look: async (model, at) =>
              void points.push({ ...at, ...(await valueAt(world, model, validation, variant.method)) }),
          },
        }),
    })
    trained.push({ variant, method })
    if (points.length > 0) curves.push({ method: variant.method, points })
    context.progress?.((place + 1) / (variants.length + 1))
  }
  return { trained, curves }
}

/** SNIPS and truth of a model on its way. */
async function valueAt(
  world: World,
  model: Model,
  unseen: Unseen,
  name: string,
): Promise<{ snips: number | null; truth: number; essRatio: number | null }> {
  const policy = learnedPolicy(name, model, unseen.shown)
  requireUnseen(policy, unseen)
  const valued = await valuePolicy(unseen.log, policy, { estimators: ['snips'], resamples: 0, seed: 0 })
  return {
    snips: estimateBy(valued, 'snips').value,
    truth: trueValue(world, policy, unseen.left),
    essRatio: valued.essRatio,
  }
}

/** Values trained methods on held-out logs. */
function judgeOf(
  world: World,
  logs: { training: Log; unseen: Unseen; uniform: Log },
  { temperature, seed, resamples, k }: MethodsStep,
): (method: StudyMethod, trained: TrainedMethod) => Promise<MethodRun> {
  const { training, unseen, uniform } = logs
  const clicks = clickGraph(training)
  const chance = trueValue(world, chancePolicy(unseen.shown), unseen.left)
  const users = Uint32Array.from(world.userIds, (_, user) => user)
  // What was shown in training, clicked or not, is in no ranking and not among the clicks to be found.
  const toFind = [unseen.log, uniform].map((log) => heldOutClicks(log, unseen.shown).clicks)
  const qualityOf = (rankings: Rankings, relevant: Adjacency): RankingQuality => {
    const metrics = rankingMetricsOf(rankings, relevant, { training: clicks, k })
    return {
      users: metrics?.users ?? 0,
      ndcg: metrics?.ndcg.value ?? null,
      recall: metrics?.recall.value ?? null,
      buckets: (metrics?.buckets ?? []).map(({ bucket, items, ndcg, recall, recommendedShare }) => ({
        bucket,
        items,
        ndcg: ndcg.value,
        recall: recall.value,
        recommendedShare,
      })),
    }
  }
  return async (method, { model, trainClicks, trainingEssRatio }) => {
    const policy = learnedPolicy(method, model, unseen.shown)
    requireUnseen(policy, unseen)
    const truth = trueValue(world, policy, unseen.left)
    const valued = await valuePolicy(unseen.log, policy, { estimators: STUDY_ESTIMATORS, resamples, seed })
    const rankings = topK(model, users, k, unseen.shown.byUser)
    return {
      method,
      temperature,
      seed,
      trainClicks,
      trainingEssRatio,
      heldOutRows: unseen.log.rows,
      truth,
      chance,
      estimates: STUDY_ESTIMATORS.map((estimator) => {
        const { value, variance, interval } = estimateBy(valued, estimator)
        return { estimator, value, error: value === null ? null : value - truth, variance, interval }
      }),
      ess: valued.ess,
      essRatio: valued.essRatio,
      verdict: valued.verdict,
      reasons: valued.reasons,
      biased: qualityOf(rankings, toFind[0]!),
      uniform: qualityOf(rankings, toFind[1]!),
    }
  }
}

/** The runs of all seeds and temperatures, and what they say together. */
export function methodsResults(
  outcomes: readonly MethodsOutcome[],
  { methods, training }: Pick<StudySettings, 'methods' | 'training'>,
): MethodsResults {
  const runs = outcomes.flatMap((outcome) => outcome.runs)
  return {
    temperatures: methods.temperatures,
    steps: training.steps,
    k: methods.k,
    runs,
    summaries: methods.temperatures.flatMap((temperature) =>
      methods.names.map((method) =>
        summaryOf(runs.filter((run) => run.temperature === temperature && run.method === method)),
      ),
    ),
  }
}

/** The runs of one method at one temperature, one per seed. */
function summaryOf(runs: readonly MethodRun[]): MethodSummary {
  const over = (of: (run: MethodRun) => number | null): OverSeeds => overSeeds(runs.map(of))
  const { method, temperature } = runs[0]!
  return {
    method,
    temperature,
    truth: over(({ truth }) => truth),
    chance: over(({ chance }) => chance),
    essRatio: over(({ essRatio }) => essRatio),
    verdicts: countVerdicts(runs.map(({ verdict }): VerdictLevel => verdict)),
    estimators: STUDY_ESTIMATORS.map((estimator, k) => {
      const estimates = runs.map(({ estimates: all }) => all[k]!)
      const variances = estimates.map(({ variance }) => variance).filter((variance) => variance !== null)
      const covered = runs.filter(({ truth }, r) => holds(estimates[r]!.interval, truth)).length
      const withInterval = estimates.filter(({ interval }) => interval !== null).length
      return {
        estimator,
        value: overSeeds(estimates.map(({ value }) => value)),
        error: overSeeds(estimates.map(({ error }) => error)),
        variance: variances.length > 0 ? meanOf(variances) : null,
        rmse: rootMeanSquare(estimates.map(({ error }) => error)),
        coverage: withInterval > 0 ? covered / withInterval : null,
      }
    }),
    biased: qualityOver(runs.map(({ biased }) => biased)),
    uniform: qualityOver(runs.map(({ uniform }) => uniform)),
  }
}

function qualityOver(qualities: readonly RankingQuality[]): QualityOverSeeds {
  const names = ['head', 'middle', 'tail'].filter((name) =>
    qualities.some(({ buckets }) => buckets.some(({ bucket }) => bucket === name)),
  )
  const inBucket = (name: string, key: 'ndcg' | 'recall' | 'recommendedShare'): OverSeeds =>
    overSeeds(qualities.map(({ buckets }) => buckets.find(({ bucket }) => bucket === name)?.[key] ?? null))
  return {
    ndcg: overSeeds(qualities.map(({ ndcg }) => ndcg)),
    recall: overSeeds(qualities.map(({ recall }) => recall)),
    buckets: names.map((bucket) => ({
      bucket,
      ndcg: inBucket(bucket, 'ndcg'),
      recall: inBucket(bucket, 'recall'),
      recommendedShare: inBucket(bucket, 'recommendedShare'),
    })),
  }
}
