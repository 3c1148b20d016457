import { badOption, HindcastError } from '../error.js'
import { unseenRows, type UnseenRows } from '../estimate/unseen.js'
import { degreeOf, type Graph, graphOf } from '../graph/graph.js'
import type { Kernel, Rankings } from '../kernels/kernel.js'
import type { Log } from '../log/log.js'
import type { Split } from '../log/split.js'
import { type HeldOutClicks, heldOutClicks } from '../metrics/held-out.js'
import { type NdcgByUser, ndcgByUser } from '../metrics/by-user.js'
import { type RankingMetrics, rankingMetricsOf } from '../metrics/ranking-metrics-of.js'
import type { WorkOptions } from '../model/long-work.js'
import { type Model } from '../model/model.js'
import { isLinear } from '../model/trained-models.js'
import { topK, topKInPieces } from '../model/top-k.js'
import { judgedRows, judgedUsers } from './judged-rows.js'
import { LOSSES } from './losses/index.js'
import { judgedPolicyValue, policyValue, rankPolicyValue, type ScoreTable } from './policy-value.js'
import { type RatingJudge, ratingJudge } from './rating-errors.js'
import { learnsRatings } from './rating-rows.js'
import { type JudgedEpoch, lowerBound, STOPPING_MEASURES } from './stopping-measures.js'
import type { TrainSettings } from './settings.js'
import { type TestLog, type TestLogFacts, testLogJudge } from './test-log.js'
import type { PolicyValue, RankedModel } from './training.js'
import { unbiasedChoice } from './unbiased-choice.js'

/** What an epoch is judged by. */
interface Judgement extends Omit<JudgedEpoch, 'unbiased'> {
  /** The stopping measure; null where it is undefined. */
  readonly value: number | null
}

/** The metrics of both held-out parts; null where one has no clicks. */
interface JudgedParts {
  readonly validation: RankingMetrics | null
  readonly test: RankingMetrics | null
}

/** The same, and user by user. */
interface ComparedParts extends JudgedParts {
  readonly byUser: NdcgByUser | null
}

/** Evaluates models on the held-out parts of a log. The test part influences no epoch. */
export interface Judge {
  /** On the validation part, from the kernel's last `propagate`. */
  epoch(kernel: Kernel): Promise<Judgement>
  /** On both parts, from the kernel's last `propagate`, ranked by the device that has it. */
  kernel(kernel: Kernel): Promise<JudgedParts>
  /** On both parts, for any model. */
  model(model: Model): JudgedParts
  /** The same, while other work can run. A model that was judged before is not ranked again. */
  ranked(model: Model, work?: WorkOptions): Promise<JudgedParts>
  /** The same, and user by user on the part that models are compared on: the test clicks, or those of validation where there are none. */
  compared(model: Model, work?: WorkOptions): Promise<ComparedParts>
  /** What showing items in proportion to 1/rank would earn, on test rows that training did not show; null without propensities. */
  policy(model: Model, work?: WorkOptions): Promise<PolicyValue | null>
  /** On the validation part, where users are very many on a sample of them, for any model; SNIPS only where the measure asks for it. */
  candidate(model: Model, work?: WorkOptions): Promise<Judgement>
  /** The stopping measure of a candidate that was kept: its value as a candidate, or, if that is of a sample, on all users, from its `ranked`. */
  keptValue(value: number | null, ranked: JudgedParts): number | null
  /** The users that judge candidates and all validation users, where there are more. */
  readonly sample: { readonly users: number; readonly of: number } | undefined
  /**
   * On the rated items of the test part, where the loss learns ratings, and on the test log, where there is one. Of a
   * model that `predicts` ratings, the errors too. Ask once, when everything is chosen.
   */
  atLast(model: Model, predicts: boolean, work?: WorkOptions): Promise<Pick<RankedModel, 'rated' | 'testLog'>>
  /** What the test log holds, where there is one. */
  readonly testLog: TestLogFacts | undefined
  /** Judges ratings, where the loss learns them. */
  readonly ratings: RatingJudge | undefined
  /** What an unbiased log that chose the epoch was, and whether it is too small for that; `best` is the chosen value. */
  unbiasedNotes(best: number | null): string[]
  readonly validationClicks: number
  readonly testClicks: number
  /** Why there is no SNIPS, if there is none. */
  readonly withoutSnips: string | undefined
}

/** A held-out part to rank: its clicks, who clicked, and what is left out of the rankings. */
interface Part extends HeldOutClicks {
  readonly users: Uint32Array
  readonly exclude: Graph
}

/** What judges a model beside the parts of its split. */
interface JudgedBeside {
  /** A log that chooses the epoch. */
  readonly unbiased?: Log | undefined
  /** A log that is tested on at the end. */
  readonly testLog?: TestLog | undefined
  /** The validation rows by the users on whom they depend, where the split is by context. */
  readonly logged?: Log | undefined
}

export function judgeOf(
  split: Split,
  graph: Graph,
  settings: TrainSettings,
  { unbiased, testLog, logged }: JudgedBeside = {},
): Judge {
  const { k, temperature, seed } = settings
  const measure = STOPPING_MEASURES.named(settings.stopOn)
  const validation = partOf(split.validation, graph)
  // What was clicked in validation is known by the time of the test.
  const test = partOf(split.test, withClicks(graph, validation))
  const sampled = { ...validation, users: judgedUsers(validation.users, graph.items, seed) }
  const fair = unbiased && partOf(unbiased, graph)
  const choice =
    fair && measure.name === 'unbiased'
      ? unbiasedChoice(unbiased, fair.clicks, fair.users.length, k)
      : undefined
  const ratings = learnsRatings(settings) ? ratingJudge(split, settings) : undefined
  const ownTest = testLog && testLogJudge(testLog, split, settings)
  const isObjective = LOSSES.named(settings.loss).objective !== undefined
  const unseen = unseenOf(split, isObjective ? judgedRows : unseenRows)
  // An interval that a verdict refuses must not win by its lower end.
  const isJudged = isObjective || measure.name === lowerBound.name
  const valueOn = (held: UnseenRows, scores: ScoreTable): Promise<PolicyValue> =>
    isJudged ? judgedPolicyValue(held, scores, temperature, logged) : policyValue(held, scores, temperature)
  const asksForSnips = measure.name === 'snips' || measure.name === lowerBound.name
  // Which items were rated says nothing of what is liked: ratings are judged among rated items.
  // Nor is a list of clicked items what a policy over features is for: a context is hardly ever seen twice.
  const metricsOf = (rankings: Rankings, part: Part): RankingMetrics | null =>
    ratings || isLinear(settings.model)
      ? null
      : rankingMetricsOf(rankings, part.clicks, {
          training: graph,
          k,
          ...(part.propensity && { propensity: part.propensity }),
        })

  const byKernel = async (kernel: Kernel, part: Part): Promise<RankingMetrics | null> =>
    metricsOf(await kernel.topK(part.users, k, part.exclude.byUser), part)

  const rankingsOf = (model: Model, part: Part, work?: WorkOptions): Promise<Rankings> =>
    topKInPieces(model, part.users, k, part.exclude.byUser, work)

  const byUser = (rankings: Rankings, { clicks, propensity }: Part): NdcgByUser =>
    ndcgByUser(rankings, clicks, { k, ...(propensity && { propensity }) })

  const known = new WeakMap<Model, ComparedParts>()
  const compared = async (model: Model, work?: WorkOptions): Promise<ComparedParts> => {
    const before = known.get(model)
    if (before) return before
    const rankings = {
      validation: await rankingsOf(model, validation, work),
      test: await rankingsOf(model, test, work),
    }
    const part = test.users.length > 0 ? 'test' : 'validation'
    const held = { validation, test }[part]
    const parts = {
      validation: metricsOf(rankings.validation, validation),
      test: metricsOf(rankings.test, test),
      byUser: held.users.length > 0 ? byUser(rankings[part], held) : null,
    }
    known.set(model, parts)
    return parts
  }

  const onFair = (rankings: Rankings, part: Part): RankingMetrics | null => {
    choice?.add(rankings)
    return metricsOf(rankings, part)
  }

  const epoch = async (kernel: Kernel): Promise<Judgement> => {
    if (ratings) {
      const judged = { metrics: null, snips: null, ratings: await ratings.errors(kernel) }
      return { ...judged, value: measure.value(judged) }
    }
    const metrics = await byKernel(kernel, validation)
    const snips = typeof unseen === 'string' ? null : await valueOn(unseen, (users) => kernel.scores(users))
    const value = measure.value({
      metrics,
      snips,
      ...(fair && { unbiased: onFair(await kernel.topK(fair.users, k, fair.exclude.byUser), fair) }),
    })
    return { metrics, snips, value }
  }

  const withoutSnips = typeof unseen === 'string' ? unseen : undefined
  const lack = measure.lack?.({
    hasPropensities: validation.propensity !== undefined,
    withoutSnips,
    unbiasedUsers: fair?.users.length,
    learnsRatings: ratings !== undefined,
  })
  if (lack) throw badOption(`Training cannot stop on ${measure.name}: ${lack.reason}.`, lack.remedy)
  return {
    epoch,
    kernel: async (kernel) => ({
      validation: await byKernel(kernel, validation),
      test: await byKernel(kernel, test),
    }),
    model: (model) => {
      const judge = (part: Part): RankingMetrics | null =>
        metricsOf(topK(model, part.users, k, part.exclude.byUser), part)
      return { validation: judge(validation), test: judge(test) }
    },
    ranked: async (model, work) => {
      const { byUser: _, ...parts } = await compared(model, work)
      return parts
    },
    compared,
    policy: async (model, work) => {
      const held = unseenOf({ ...split, validation: split.test }, unseenRows)
      return typeof held === 'string' ? null : rankPolicyValue(held, scoreTable(model), work)
    },
    candidate: async (model, work) => {
      const metrics = metricsOf(await rankingsOf(model, sampled, work), sampled)
      const snips =
        typeof unseen === 'string' || !asksForSnips ? null : await valueOn(unseen, scoreTable(model))
      const unbiasedMetrics = fair && onFair(await rankingsOf(model, fair, work), fair)
      const value = measure.value({
        metrics,
        snips,
        ...(unbiasedMetrics !== undefined && { unbiased: unbiasedMetrics }),
      })
      return { metrics, snips, value }
    },
    keptValue: (value, { validation: metrics }) =>
      sampled.users === validation.users || asksForSnips || choice
        ? value
        : measure.value({ metrics, snips: null }),
    sample:
      sampled.users === validation.users
        ? undefined
        : { users: sampled.users.length, of: validation.users.length },
    atLast: async (model, predicts, work) => ({
      ...(ratings && { rated: await ratings.rated(model, predicts, work) }),
      ...(ownTest && { testLog: await ownTest.judge(model, predicts, work) }),
    }),
    testLog: ownTest?.facts,
    ratings,
    unbiasedNotes: (best) => choice?.notes(best) ?? [],
    validationClicks: validation.clicks.neighbours.length,
    testClicks: test.clicks.neighbours.length,
    withoutSnips,
  }
}

/** The scores of a model for some users, row after row. */
const scoreTable =
  (model: Model): ScoreTable =>
  async (users) => {
    const table = new Float32Array(users.length * model.items)
    users.forEach((user, row) => table.set(model.scores(user), row * model.items))
    return table
  }

function partOf(log: Log, exclude: Graph): Part {
  const held = heldOutClicks(log, exclude)
  const users = Uint32Array.from({ length: exclude.users }, (_, user) => user).filter(
    (user) => degreeOf(held.clicks, user) > 0,
  )
  return { ...held, users, exclude }
}

/** The graph with further clicks in it. */
function withClicks({ users, items, edges, byUser }: Graph, { clicks }: HeldOutClicks): Graph {
  const user = new Uint32Array(edges + clicks.neighbours.length)
  const item = new Uint32Array(user.length)
  for (const { start, of } of [
    { start: 0, of: byUser },
    { start: edges, of: clicks },
  ]) {
    item.set(of.neighbours, start)
    for (let row = 0; row < users; row++)
      user.fill(row, start + of.offsets[row]!, start + of.offsets[row + 1]!)
  }
  return graphOf(users, items, user, item)
}

/** The validation rows that SNIPS is taken on, or why it cannot be. */
function unseenOf(
  { train, validation }: Split,
  rowsOf: (training: Log, heldOut: Log) => UnseenRows,
): UnseenRows | string {
  if (!validation.propensity) return 'the log has no propensities'
  if (validation.rows === 0) return 'there are no validation rows'
  try {
    const unseen = rowsOf(train, validation)
    return unseen.log.rows > 0
      ? unseen
      : 'every pair of user and item in the validation part was also shown in training'
  } catch (error) {
    if (error instanceof HindcastError) return error.message
    throw error
  }
}
