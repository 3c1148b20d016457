import type { Log } from '../../log/log.js'
import { FOLDS, foldOfUser } from '../../propensity/user-folds.js'
import type { FittedReward, RewardModel } from './reward-model.js'

/** Models that between them can predict every row without having seen its user. */
export interface CrossFitted {
  /** The model for the rows of a user: fitted to the rows of other users alone. */
  modelFor(user: number): FittedReward
}

/**
 * Fits a model five times, each time without a fifth of the users, and predicts those with it: no row is
 * predicted from its own user's rewards. Which fifth a user is in depends on the seed and their id alone.
 */
export function crossFit(model: RewardModel, log: Log, seed: number, weights?: Float64Array): CrossFitted {
  const foldOf = Uint8Array.from(log.userIds, (id) => foldOfUser(seed, id))
  const fitted: (FittedReward | undefined)[] = Array.from({ length: FOLDS })
  const fit = (fold: number): FittedReward => {
    const rows = new Uint32Array(log.rows)
    let count = 0
    for (let row = 0; row < log.rows; row++) if (foldOf[log.user[row]!] !== fold) rows[count++] = row
    return model.fit(log, rows.subarray(0, count), weights)
  }
  return { modelFor: (user) => (fitted[foldOf[user]!] ??= fit(foldOf[user]!)) }
}
