/**
 * The rooms of src that compute, with the names of tests that are left out because they take seconds each: they
 * draw many logs to see a law hold on average, and would take most of the time of every mutant they reach.
 */
export const ROOMS = {
  policy: [/of some positions among many items/],
  metrics: [/^held-out clicks that come from popularity/, /^userMean covers/],
  log: [/of many pieces/],
  propensity: [/finds the policy that drew a log/],
  doctor: [/gives no problem on 60 seeds/, /heavy tails/, /is found when it looks at the user/],
  train: [/leaves out one that cannot be made/, /ends at the same bits/],
  estimate: [],
}
