import type { Kernel } from '../kernels/kernel.js'
import type { Log } from '../log/log.js'
import { rowsByUser } from '../log/row-groups.js'
import type { Split } from '../log/split.js'
import { ratedItems, type RatedMetrics, ratedMetrics } from '../metrics/rated-metrics.js'
import { pauses, type WorkOptions } from '../model/long-work.js'
import type { Model } from '../model/model.js'
import { CompensatedSum } from '../sum.js'
import type { ScoreTable } from './policy-value.js'
import { meanRating } from './rating-rows.js'
import type { TrainSettings } from './settings.js'

/** How far predicted ratings are off on held-out rows. */
export interface RatingErrors {
  /** The mean squared error of the rows, as logged. */
  readonly mse: number
  /** The same with each row weighted by 1/propensity, over the sum of the weights; null without propensities. */
  readonly weightedMse: number | null
}

/** Users scored at a time. */
const TILE = 256

/** The errors of scores plus an offset on a log; null where it has no rows. */
async function ratingErrors(log: Log, scores: ScoreTable, offset: number): Promise<RatingErrors | null> {
  if (log.rows === 0) return null
  const items = log.itemIds.length
  const { start, rows } = rowsByUser(log)
  const users = Uint32Array.from(log.userIds.keys()).filter((user) => start[user + 1]! > start[user]!)
  const [sum, total, weighted, weights] = Array.from({ length: 4 }, () => new CompensatedSum()) as [
    CompensatedSum,
    CompensatedSum,
    CompensatedSum,
    CompensatedSum,
  ]
  for (let first = 0; first < users.length; first += TILE) {
    const tile = users.subarray(first, first + TILE)
    const table = await scores(tile)
    tile.forEach((user, place) => {
      for (const row of rows.subarray(start[user], start[user + 1])) {
        const error = table[place * items + log.item[row]!]! + offset - log.reward[row]!
        const count = log.weight?.[row] ?? 1
        const weight = count / (log.propensity?.[row] ?? 1)
        sum.add(count * error * error)
        total.add(count)
        weighted.add(weight * error * error)
        weights.add(weight)
      }
    })
  }
  return {
    mse: sum.value / total.value,
    weightedMse: log.propensity ? weighted.value / weights.value : null,
  }
}

/** Evaluates models of ratings on the held-out parts of a log. */
export interface RatingJudge {
  readonly meanRating: number
  /** On the validation part, from the kernel's last `propagate`. */
  errors(kernel: Kernel): Promise<RatingErrors | null>
  /** On the test part; of a model that `predicts` ratings, the errors too. */
  rated(model: Model, predicts: boolean, work?: WorkOptions): Promise<RatedMetrics | null>
}

export function ratingJudge({ train, validation, test }: Split, settings: TrainSettings): RatingJudge {
  const mean = meanRating(train, settings)
  const floor = test.reward.reduce((least, reward) => Math.min(least, reward), Infinity)
  return {
    meanRating: mean,
    errors: (kernel) => ratingErrors(validation, (users) => kernel.scores(users), mean),
    rated: async (model, predicts, work) => {
      const { rated } = ratedItems(test)
      const pause = pauses(work?.signal)
      return ratedMetrics(rated, (user) => model.scores(user), {
        k: settings.k,
        floor,
        ...(predicts && { offset: mean }),
        afterUser: (done) => {
          work?.progress?.({ what: 'ranking the test ratings', done, total: rated.length, unit: 'users' })
          return pause()
        },
      })
    },
  }
}
