import { HindcastError } from '$core/error.js'
import { type UnseenRows, unseenRows } from '$core/estimate/unseen.js'
import { edgeOf, type Graph } from '$core/graph/graph.js'
import type { Log } from '$core/log/log.js'
import { splitByRow, splitByTime } from '$core/log/split.js'
import type { TrainingPart } from './target-choice.js'

/** The rows on which a model trained on the log can be evaluated fairly. */
export interface HeldOutRows extends UnseenRows {
  /** The rows that the model was trained on. */
  readonly training: Log
}

/**
 * The test rows whose pair of user and item was not in training. The test part did not choose the epoch, so none of
 * these rows influenced the model; `hindcast train` evaluates its epochs the same way, on the validation part.
 */
export function heldOutRows(log: Log, { by, seed, ...shares }: TrainingPart): HeldOutRows {
  const { train, test } = (by === 'time' ? splitByTime : splitByRow)(log, { ...shares, seed })
  const unseen = unseenRows(train, test)
  if (unseen.log.rows === 0)
    throw new HindcastError('bad-option', 'Every user–item pair in the test rows was also in training.', {
      remedy: 'No row is left to evaluate the model on: train with another seed, or on a larger log.',
    })
  return { ...unseen, training: train }
}

/**
 * π(a|u)/(1 − Σ π(s|u)) of the held-out rows, the sum over the items s that the user saw in training: the probabilities
 * of a target column restricted to items not seen in training.
 */
export function columnOverUnseen({ log, shown, training }: HeldOutRows): Float64Array {
  const left = massLeft(training, shown)
  return log.target!.map((probability, row) => {
    const rest = left[log.user[row]!]!
    if (probability === 0) return 0
    // The sum of many probabilities is off by their rounding.
    if (rest > 0 && probability <= rest * (1 + 1e-9)) return Math.min(1, probability / rest)
    throw new HindcastError(
      'bad-rows',
      `The probabilities of the target column add up to more than 1 for user ${JSON.stringify(log.userIds[log.user[row]!])}.`,
      { remedy: 'They must be probabilities of a single draw. Compare the model with another policy.' },
    )
  })
}

/** 1 − Σ π over the distinct items that each user was shown. */
function massLeft({ rows, user, item, target }: Log, { users, edges, byUser }: Graph): Float64Array {
  const left = new Float64Array(users).fill(1)
  const isCounted = new Uint8Array(edges)
  for (let row = 0; row < rows; row++) {
    const edge = edgeOf(byUser, user[row]!, item[row]!)
    if (isCounted[edge] === 1) continue
    isCounted[edge] = 1
    left[user[row]!]! -= target![row]!
  }
  return left
}
