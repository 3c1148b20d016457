import type { IntervalMethod } from '$core/estimate/intervals/auto.js'
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

/** What each estimator does, in a line; w is how many times as often the target shows the item as was logged. */
export const ESTIMATOR_MEANINGS: Readonly<Record<string, string>> = {
  dm: 'what a model of the rewards predicts; right where the model is',
  ips: 'rewards weighted by w; unbiased, varies most',
  snips: 'IPS divided by the mean weight; varies less',
  dr: 'DM, its errors corrected by IPS; right where either is',
  sndr: 'DR with a weighted mean of errors',
  mrdr: 'DR with a model fitted for low variance',
  'clipped-ips': 'IPS, weights cut at λ',
  'clipped-dr': 'DR, weights cut at λ',
  'switch-dr': 'DR up to weight λ, the model above',
  'dr-os': 'DR, large weights fade out',
  'sub-gaussian-ips': 'IPS, weights shrunk towards 1',
  'sub-gaussian-dr': 'DR, weights shrunk towards 1',
  iips: 'slates: each slot by itself',
  rips: 'slates: each slot with those above it',
  pi: 'slates: the reward of the whole page',
  'cascade-dr': 'slates: RIPS with a model',
}

/** Where each interval comes from, in a line. */
export const INTERVAL_MEANINGS: Readonly<Record<IntervalMethod, string>> = {
  auto: 'The one that was measured to hold the truth as often as it says, for what this log has to tell.',
  normal: 'The estimate ± its standard error times the normal quantile; too narrow for few clicks.',
  t: 'The same with Student’s quantile at the effective degrees of freedom.',
  'logit-t': 'Student’s interval on the logit scale, by the jackknife; stays within the range of rewards.',
  bootstrap: 'Percentiles of estimates from the log drawn anew; wants 1,000 resamples or more.',
  bca: 'Percentiles of the bootstrap, corrected for bias and skew; wants 1,000 resamples or more.',
  bernstein: 'Holds in the worst case, from the variance and the largest possible weight.',
  hoeffding: 'Holds in the worst case, from the largest possible weight alone; wide.',
  'cressie-read': 'Holds for all ways in which rows not seen may look, up to the largest possible weight.',
  sequence: 'Holds at every number of rows at once: one may look as often as one likes.',
}

/** What is drawn anew together, in a line. */
export const CLUSTER_MEANINGS: Readonly<Record<'user' | 'row' | 'column', string>> = {
  user: 'Rows of one user depend on each other.',
  row: 'Every row stands for itself: intervals are too narrow where users differ.',
  column: 'Rows with the same value in the cluster column depend on each other.',
}
