import type { Log } from '../../log/log.js'

/** A model of the reward, ready to predict. */
export interface FittedReward {
  /** q̂(u, a), at a position where the model knows positions. */
  predict(user: number, item: number, position: number): number
  /** True when predictions differ between users. */
  readonly perUser: boolean
}

/** A kind of reward model: learns from rows of a log. */
export interface RewardModel {
  readonly name: string
  /** Learns from the named rows; `weights`, where given, says how much each row of the log counts. */
  fit(log: Log, rows: Uint32Array, weights?: Float64Array): FittedReward
}
