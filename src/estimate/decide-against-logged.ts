import { decide, type Deciding, type Decision } from '../verdict/decision.js'
import type { Verdict } from '../verdict/verdict.js'
import type { Computed } from './estimates.js'
import { beyondRounding, differenceInterval, reachOf } from './intervals/difference.js'
import { liftOf } from './lift.js'
import { pageReward } from './slate/page-weight.js'
import { slates } from './slate/slate-term.js'
import { influencesOf } from './spread.js'
import { one, reward } from './term.js'

/** What the logging policy earned per impression, and per page. */
const LOGGED = {
  plain: { ratios: [{ numerator: reward, denominator: one }] },
  slates: { ratios: [{ numerator: pageReward, denominator: slates }] },
} as const

/** A target whose value is judged, beside what the logging policy earned on the same rows. */
interface AgainstLogged extends Pick<Deciding, 'confidence' | 'log'> {
  readonly target: string
  /** The estimate that answers; undefined where none does. */
  readonly computed: Computed | undefined
  readonly verdict: Verdict
}

/** What to do about a target, with the logging policy as the baseline: by the paired difference, for what moves both alike cancels. */
export function decideAgainstLogged({ target, computed, verdict, confidence, log }: AgainstLogged): Decision {
  const rival = { target, verdict, difference: null, simultaneous: null, lift: null }
  const decideOn = (compared: Deciding['differences'][number]): Decision =>
    decide({ baseline: 'logging', differences: [compared], confidence, log })
  if (!computed?.moments || !computed.influences || computed.estimate.value === null) return decideOn(rival)
  const { moments, influences, estimator } = computed
  const logged = LOGGED[estimator.rows === 'slates' ? 'slates' : 'plain']
  const [{ numerator, denominator }] = logged.ratios
  const before = {
    value: moments.total(numerator) / moments.total(denominator),
    influences: influencesOf(logged, moments),
  }
  const after = { value: computed.estimate.value, influences }
  const difference = beyondRounding(after.value, before.value)
  const { interval, spread } = differenceInterval(influences, before.influences, confidence, difference)
  if (!interval || !spread) return decideOn({ ...rival, difference })
  const reach = reachOf(confidence, spread.freedom)
  return decideOn({
    ...rival,
    difference,
    simultaneous: interval,
    lift: liftOf(after, before, [reach, reach]),
  })
}
