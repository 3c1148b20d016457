import { EVALUATE_DEFAULTS } from '$core/estimate/defaults.js'
import { linked } from '../../linked.svelte.js'

/**
 * What is asked, as links keep it. Policies are named `uniform`, `logging`, `popularity`, `column`, `model:ID` or `own:ID`, and
 * nothing is asked until one is chosen, with a rule as it is typed where it follows scores; an empty `with` compares with nothing, an empty λ, largest weight or end of the range of rewards is unknown; empty `estimators`
 * and `by` are those that are usual for the log. `more` lists further policies that are compared, `own` is the record of
 * policies from files, as JSON. `facts` are those that the user said, such as `complete,people=no`.
 */
export const asked = linked('evaluate', {
  target: '',
  rule: '',
  with: '',
  withRule: '',
  more: '',
  own: '',
  missingUser: 'error',
  by: '',
  estimators: '',
  confidence: EVALUATE_DEFAULTS.confidence as number,
  interval: EVALUATE_DEFAULTS.interval as string,
  cluster: EVALUATE_DEFAULTS.cluster as string,
  lambda: '',
  maxWeight: '',
  rewardLeast: '',
  rewardMost: '',
  policyMade: '',
  facts: '',
  knownRows: '',
  knownReward: '',
  tuning: EVALUATE_DEFAULTS.tuning as string,
  bootstrap: EVALUATE_DEFAULTS.bootstrap as number,
  seed: EVALUATE_DEFAULTS.seed as number,
})
export type Asked = typeof asked
