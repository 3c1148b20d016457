import type { Log } from '../../log/log.js'

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
