import type { Kernel } from '../kernels/kernel.js'
import type { Split } from '../log/split.js'
import { ratedItems, type RatedMetrics, ratedMetrics } from '../metrics/rated-metrics.js'
import { pauses, type WorkOptions } from '../model/long-work.js'
import type { Model } from '../model/model.js'
import { ratingErrors, type RatingErrors } from './rating-errors.js'
import { meanRating } from './rating-rows.js'
import type { TrainSettings } from './settings.js'

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
