/**
 * The rooms of src that compute, each with the tests beyond its own that reach it; the names of tests that are left
 * out because they take seconds each, and would take most of the time of every mutant they reach; and the files that
 * only a browser runs.
 */
export const ROOMS = {
  policy: { slow: [/of some positions among many items/] },
  metrics: { slow: [/^held-out clicks that come from popularity/, /^userMean covers/] },
  log: { reached: ['src/read/*.test.ts'], slow: [/of many pieces/] },
  propensity: { slow: [/finds the policy that drew a log/] },
  doctor: { slow: [/^honest logs of many kinds/] },
  train: {
    slow: [/leaves out one that cannot be made/, /ends at the same bits/],
    elsewhere: ['src/train/start-web-sampler.ts'],
  },
  estimate: {},
}
