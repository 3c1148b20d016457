import { contextColumn } from '../../log/contexts.js'
import type { Log } from '../../log/log.js'
import { foldOfUser, FOLDS } from '../../propensity/user-folds.js'

/** A model of the reward, ready to predict. */
export interface FittedReward {
  /**
   * q̂ of an item, had it been shown in a row of the log that the model was fitted to: the user, the position and the
   * features of the context are looked up there. What was shown in the row, and its reward, must not matter.
   */
  predict(row: number, item: number): number
  /**
   * What predictions depend on besides the item, so that none is asked for twice: nothing (`item`), the position, the
   * context (the user, in a log without contexts), or whatever else the row has.
   */
  readonly dependsOn: 'item' | 'position' | 'context' | 'row'
  /** q̂ of an item that the log does not have, if the model knows anything about such items. */
  readonly unknownItem?: number
}

/** A kind of reward model: learns from rows of a log. */
export interface RewardModel {
  readonly name: string
  /** Learns from the named rows; `weights`, where given, says how much each row of the log counts. */
  fit(log: Log, rows: Uint32Array, weights?: Float64Array): FittedReward
}

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

/**
 * A model that was trained elsewhere, taken as it is: the reward of an item in a context, which is the user in a log
 * without contexts. Whoever trained it must not have shown it the rewards of this log, or estimates will flatter it.
 */
export const givenReward = (
  name: string,
  predict: (context: number, item: number) => number,
): RewardModel => ({
  name,
  fit(log) {
    const { index } = contextColumn(log)
    return { dependsOn: 'context', predict: (row, item) => predict(index[row]!, item) }
  },
})
