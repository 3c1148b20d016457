import type { TargetChoice } from '../../desk/target-choice.js'

/** What each kind of policy shows, in one line. */
export const TARGET_MEANINGS: Readonly<Record<TargetChoice['kind'], string>> = {
  uniform: 'Shows every item equally often.',
  logging: 'The policy that wrote the log: what it earned, and how sure that is.',
  popularity: 'Shows items in proportion to (clicks of other users)^(1/T).',
  column: 'Its probabilities are a column of the log.',
  model: 'Shows items by softmax(scores / T) of a model trained here.',
}

/** What the temperature of a policy does, in one line. */
export const TEMPERATURE_MEANINGS: Readonly<Record<'popularity' | 'model', string>> = {
  popularity: 'Low: only the most clicked item. 1: in proportion to clicks. High: all clicked items equally.',
  model: 'Low: only the best item. 1: scores as learned. High: all items equally.',
}

/** What is resampled together, in one line. */
export const CLUSTER_MEANINGS: Readonly<Record<'user' | 'row' | 'column', string>> = {
  user: 'Rows of one user depend on each other.',
  row: 'Every row counts as independent: intervals are too narrow where users differ.',
  column: 'Rows with the same value in the cluster column depend on each other.',
}
