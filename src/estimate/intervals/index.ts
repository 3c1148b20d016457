import { HindcastError } from '../../error.js'
import { Registry } from '../../registry.js'
import type { Estimator } from '../estimator.js'
import type { Moments } from '../source/moments.js'
import { auto } from './auto.js'
import { bernstein, hoeffding } from './bernstein.js'
import { betting } from './betting.js'
import { sequence } from './confidence-sequence.js'
import { cressieRead } from './empirical-likelihood.js'
import { type Interval, type IntervalResult, type IntervalSettings, resultOf, widened } from './interval.js'
import { logitT, normal, t } from './large-sample.js'
import { bca, bootstrap } from './bootstrap.js'

const KNOWN = [
  auto,
  normal,
  t,
  logitT,
  bootstrap,
  bca,
  bernstein,
  hoeffding,
  cressieRead,
  sequence,
  betting,
] as const

/** The names of the intervals. */
export type IntervalMethod = (typeof KNOWN)[number]['name']

/** Every interval that can be chosen. */
export const INTERVALS = new Registry<Interval>('interval', KNOWN)

export interface IntervalOptions extends IntervalSettings {
  /** `auto` picks the one that covers, and reports which. */
  readonly method?: IntervalMethod | (string & {})
}

/**
 * The interval of an estimate, from the sums of its clusters (`INTERVAL_TERMS` among them), with the method taken and,
 * where there is none or it is unreliable, the reason.
 */
export function intervalFor(
  estimator: Estimator,
  moments: Moments,
  { confidence = 0.95, method = 'auto', ...settings }: IntervalOptions = {},
): IntervalResult {
  if (!(confidence > 0 && confidence < 1))
    throw new HindcastError('bad-option', `The confidence must be between 0 and 1, not ${confidence}.`, {
      remedy: 'Give 0.95 for 95 %.',
    })
  const { name, of, isOneWay } = INTERVALS.named(method)
  const result = resultOf(name, of(estimator, moments, confidence, settings))
  return isOneWay ? widened(result, estimator, moments) : result
}
