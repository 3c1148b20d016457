import { HindcastError } from '../error.js'
import type { Verdict } from '../estimate/evaluation.js'
import type { Split } from '../log/split.js'
import type { Model } from '../model/model.js'
import type { TrainSettings } from './settings.js'

/** What a learnt policy surely earns, from impressions that neither training nor the choice of the epoch used. */
export interface Certificate {
  /** Of each lower bound by itself. */
  readonly confidence: number
  /** Test impressions. */
  readonly rows: number
  /** What the policy may show: all items, or, where the log never shows an item twice to a user, those training did not show. */
  readonly items: 'all' | 'unseen'
  readonly policy: Bounded
  /** What was shown, on the same rows. */
  readonly logging: Bounded
  /** Policy minus logging, paired on the same rows. */
  readonly difference: Bounded
  /** `launch` where the policy earns more than the logging policy beyond doubt; else `keep` what is there. */
  readonly decision: 'launch' | 'keep'
}

/** A number estimated by SNIPS, and its bounds. */
export interface Bounded {
  readonly value: number | null
  /** The one-sided lower bound; null where the verdict refuses. */
  readonly atLeast: number | null
  /** The one-sided upper bound; null where the verdict refuses. */
  readonly atMost: number | null
  readonly verdict: Verdict
}

/** The certificate of a model's policy on the test part, which must have rows. The estimators are loaded when it is asked for. */
export async function certify(
  split: Split,
  model: Model,
  settings: Pick<TrainSettings, 'temperature'>,
): Promise<Certificate> {
  const { makeCertificate } = await import('./make-certificate.js')
  return makeCertificate(split, model, settings)
}

/** The certificate of a model that an objective taught, or why there is none. */
export async function certificateOf(
  split: Split,
  model: Model,
  settings: Pick<TrainSettings, 'temperature'>,
): Promise<Certificate | string> {
  if (split.test.rows === 0) return 'there are no test impressions'
  try {
    return await certify(split, model, settings)
  } catch (error) {
    if (error instanceof HindcastError) return error.message.replace(/\.$/, '')
    throw error
  }
}
