import { type Graph, graphOf, neighboursOf } from '../graph/graph.js'
import type { Log } from '../log/log.js'
import type { Split } from '../log/split.js'
import { heldOutClicks } from '../metrics/held-out.js'
import { ratedItems } from '../metrics/rated-metrics.js'
import { aucOf, ratedMetrics, type RatedItems, type RatedMetrics } from '../metrics/rated-metrics.js'
import { type Metric, userMean } from '../metrics/user-mean.js'
import { rankingMetricsOf } from '../metrics/ranking-metrics-of.js'
import { pauses, type WorkOptions } from '../model/long-work.js'
import type { Model } from '../model/model.js'
import { topKInPieces } from '../model/top-k.js'
import { clickGraph } from './events.js'
import { learnsRatings, meanRating } from './rating-rows.js'
import type { TrainSettings } from './settings.js'

/** Among which items a test log is ranked: all that training did not know, or those that its user rated. */
export type TestAmong = 'all' | 'rated'

/** A log of one's own to test on, with the ids of the training log. */
export interface TestLog {
  readonly log: Log
  /** Left out, it follows from what the log holds. */
  readonly among?: TestAmong
  /** Rows that were left out before, since their users or items are not in the training log. */
  readonly unknownRows?: number
}

/** What a test log holds, and what of it was used. */
export interface TestLogFacts {
  readonly among: TestAmong
  readonly rows: number
  readonly users: number
  /** Pairs of a user and an item with a reward above 0. */
  readonly clicks: number
  /** Rows left out: of users or items that training does not know, and of pairs that it has seen. */
  readonly leftOut: { readonly unknown: number; readonly seen: number }
}

/** How well a model does on a test log. Recall is of rankings among all items, errors of predicted ratings. */
export interface OnTestLog extends RatedMetrics {
  readonly recall?: Metric
}

export interface TestLogJudge {
  readonly facts: TestLogFacts
  /** For a model; `predicts` says that its scores, plus the mean rating, predict ratings. Null where nothing can be judged. */
  judge(model: Model, predicts: boolean, work?: WorkOptions): Promise<OnTestLog | null>
}

/** Judges models on a test log. It is asked once for each model, when all choices are made. */
export function testLogJudge(
  { log, among, unknownRows = 0 }: TestLog,
  split: Split,
  settings: TrainSettings,
): TestLogJudge {
  const known = knownPairs(split, settings)
  const { rated, leftOut } = ratedItems(log, known)
  const form = among ?? formOf(rated)
  const floor = log.reward.reduce((least, reward) => Math.min(least, reward), Infinity)
  const offset = meanRatingOf(split, settings)
  return {
    facts: {
      among: form,
      rows: log.rows - leftOut,
      users: rated.length,
      clicks: rated.reduce((sum, { ratings }) => sum + ratings.filter((reward) => reward > 0).length, 0),
      leftOut: { unknown: unknownRows, seen: leftOut },
    },
    judge: async (model, predicts, work) => {
      const pause = pauses(work?.signal)
      const errors = await ratedMetrics(rated, (user) => model.scores(user), {
        k: settings.k,
        floor,
        afterUser: (done) => {
          work?.progress?.({ what: 'ranking the test log', done, total: rated.length, unit: 'users' })
          return pause()
        },
        ...(predicts && offset !== undefined && { offset }),
      })
      return form === 'rated' || !errors
        ? errors
        : amongAll(model, { log, known, errors, split, settings }, work)
    },
  }
}

const meanRatingOf = ({ train }: Split, settings: TrainSettings): number | undefined =>
  learnsRatings(settings) ? meanRating(train, settings) : undefined

/** The pairs that training or the choice of the epoch has learnt from: those rated, or those clicked. */
function knownPairs({ train, validation }: Split, settings: TrainSettings): Graph {
  const counts = learnsRatings(settings) ? () => true : (reward: number) => reward > 0
  const [users, items]: [number[], number[]] = [[], []]
  for (const { rows, user, item, reward } of [train, validation])
    for (let row = 0; row < rows; row++)
      if (counts(reward[row]!)) {
        users.push(user[row]!)
        items.push(item[row]!)
      }
  return graphOf(train.userIds.length, train.itemIds.length, Uint32Array.from(users), Uint32Array.from(items))
}

/** Rated items are told apart where most users with a rating above the lowest have a lower one too; clicks alone are not. */
function formOf(rated: readonly RatedItems[]): TestAmong {
  const leasts = rated.map(({ ratings }) => Math.min(...ratings))
  const mosts = rated.map(({ ratings }) => Math.max(...ratings))
  const floor = leasts.reduce((a, b) => Math.min(a, b), Infinity)
  const pleased = rated.map((_, place) => place).filter((place) => mosts[place]! > floor)
  const telling = pleased.filter((place) => leasts[place]! < mosts[place]!)
  return pleased.length > 0 && telling.length >= pleased.length / 2 ? 'rated' : 'all'
}

/** The clicks of the log ranked among all items that training did not know. */
async function amongAll(
  model: Model,
  {
    log,
    known,
    errors,
    split,
    settings: { k },
  }: { log: Log; known: Graph; errors: RatedMetrics; split: Split; settings: TrainSettings },
  work?: WorkOptions,
): Promise<OnTestLog | null> {
  const { clicks } = heldOutClicks(log, known)
  const users = Uint32Array.from(log.userIds.keys()).filter(
    (user) => clicks.offsets[user + 1]! > clicks.offsets[user]!,
  )
  if (users.length === 0) return null
  const metrics = rankingMetricsOf(await topKInPieces(model, users, k, known.byUser, work), clicks, {
    training: clickGraph(split.train),
    k,
  })!
  const pause = pauses(work?.signal)
  const aucs: number[] = []
  for (const user of users) {
    const clicked = new Set(neighboursOf(clicks, user))
    const seen = new Set(neighboursOf(known.byUser, user))
    const items = Array.from({ length: model.items }, (_, item) => item).filter((item) => !seen.has(item))
    const scores = model.scores(user)
    const auc = aucOf(
      items.map((item) => scores[item]!),
      items.map((item) => (clicked.has(item) ? 1 : 0)),
    )
    if (auc !== null) aucs.push(auc)
    await pause()
  }
  return {
    ...errors,
    users: users.length,
    orderedUsers: aucs.length,
    ratings: clicks.neighbours.length,
    ndcg: metrics.ndcg,
    recall: metrics.recall,
    auc: aucs.length > 0 ? userMean(Float64Array.from(aucs)) : null,
  }
}
