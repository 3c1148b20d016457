import type { Evaluated } from '../evaluate-source.js'
import { differenceInterval } from '../intervals/difference.js'
import type { Known } from '../source/source.js'
import { differenceOf } from '../spread.js'
import type { Plan } from './plan-record.js'
import { type Variance, varianceOf } from './variance.js'

/** What today's log says about the target and the difference, and how both vary. */
export interface KnownToday {
  readonly value: Plan['value']
  readonly difference: Omit<Plan['difference'], 'detectable'>
  readonly variance: { readonly value: Variance; readonly difference: Variance }
}

/** What two evaluations of today's log say, the target's and that of the policy it is compared with; lacking where there is no difference to plan for. */
export function knownToday(target: Evaluated, against: Evaluated): Known<KnownToday> {
  const { cluster, confidence, estimates } = target.evaluation
  const [after, before] = [estimates[0]!, against.evaluation.estimates[0]!]
  const [to, from] = [target, against].map(({ evidence }) => [...evidence.influences.values()][0])
  if (after.value === null || before.value === null || after.se === null || !to || !from)
    return { lacking: after.reason ?? before.reason ?? UNKNOWN_SPREAD }
  const difference = after.value - before.value
  const { interval, se, reason } = differenceInterval(to, from, confidence, difference)
  const paired = differenceOf(to, from)
  const variance = { value: varianceOf(to, cluster), difference: paired && varianceOf(paired, cluster) }
  if (!interval || se === null || !variance.value || !variance.difference)
    return { lacking: reason ?? UNKNOWN_SPREAD }
  const { users, days } = variance.difference
  return {
    value: { estimate: after.value, se: after.se, interval: after.interval },
    difference: {
      estimate: difference,
      se,
      interval,
      isDecided: interval[0] > 0 || interval[1] < 0,
      dayShare: days / (users + days),
    },
    variance: { value: variance.value, difference: variance.difference },
  }
}

const UNKNOWN_SPREAD = 'the spread between clusters is unknown'
