import type { TargetChoice } from '../../desk/target-choice.js'

/** What each kind of policy shows, in a line. */
export const TARGET_MEANINGS: Readonly<Record<TargetChoice['kind'], string>> = {
  uniform: 'Shows every item alike.',
  logging: 'The policy that was logged: what it earned, and how sure that is.',
  popularity: 'Shows what other users clicked, in proportion to clicks^(1/T).',
  column: 'Its probabilities stand in a column of the log.',
  model: 'Shows items by softmax(scores / T) of a model trained here.',
}

/** What the temperature of a policy does, in a line. */
export const TEMPERATURE_MEANINGS: Readonly<Record<'popularity' | 'model', string>> = {
  popularity:
    'Small: the most clicked item alone. 1: in proportion to clicks. Large: all that were clicked alike.',
  model: 'Small: the best item alone. 1: scores as they were learnt. Large: all items alike.',
}

/** What is drawn anew together, in a line. */
export const CLUSTER_MEANINGS: Readonly<Record<'user' | 'row' | 'column', string>> = {
  user: 'Rows of one user depend on each other.',
  row: 'Every row stands for itself: intervals are too narrow where users differ.',
  column: 'Rows with the same value in the cluster column depend on each other.',
}
