/** Changes whenever a result of an older statement would be misread. */
export const SCRIPT_FORMAT = 2

/** A result has at most so many groups of a kind, and so many largest weights. */
export const MOST_RECORDED = 65_536

/** Steps of the histogram of weights per decade: every coarser histogram can be made from it. */
export const STEPS_PER_DECADE = 100

/** A number that shows whether an export kept all digits. */
export const EXACT = 1 / 3

/**
 * The parts of a result; `part_rows` of each row says how many rows its part has. `group-1` and `group-2` are sums by
 * the clusters of the first and the second way, `group-both` by the cells of both; `answer` is of a batch.
 */
export type ScriptPart =
  | 'setting'
  | 'fact'
  | 'fault'
  | 'example'
  | 'group-1'
  | 'group-2'
  | 'group-both'
  | 'largest'
  | 'histogram'
  | 'answer'

/** The facts of a result, by the names that its rows have. */
const FACT_NAMES = [
  'rows',
  'users',
  'items',
  'days',
  'broken',
  'max_weight',
  'least_weight',
  'heaviest',
  'total_weight',
  'least_propensity',
  'most_propensity',
  'at_least_propensity',
  'tiny_propensity',
  'least_reward',
  'most_reward',
  'other_rewards',
  'latest_time',
  'most_position',
  'beyond_position',
] as const

export type FactName = (typeof FACT_NAMES)[number]
