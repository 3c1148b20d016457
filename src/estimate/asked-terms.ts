import { type Estimator, termsOf } from './estimator.js'
import { INTERVAL_TERMS } from './intervals/interval.js'
import { type Chosen, unchangedOf } from './requests.js'
import { firstSlot, pageReward } from './slate/page-weight.js'
import { slates } from './slate/slate-term.js'
import type { RowKind } from './source/source.js'
import { distinctTerms, reward, type Term } from './term.js'

/** The sums that some estimators over one kind of rows are made of. */
export interface AskedTerms {
  readonly terms: readonly Term[]
  /** Those that estimates and their spread are made of. */
  readonly inCells: readonly Term[]
}

/** The sums that an evaluation asks a source for: those of the estimators, their intervals and their verdicts. */
export function askedTerms(
  asked: readonly Pick<Chosen, 'estimator' | 'tuned'>[],
  rows: RowKind,
  diagnosed: readonly Term[],
): AskedTerms {
  const always = rows === 'slates' ? [pageReward, slates, firstSlot] : [...INTERVAL_TERMS, reward]
  const spread = distinctTerms([...asked.flatMap((one) => termsOf(familyOf(one))), ...always])
  return {
    inCells: spread,
    terms: distinctTerms([...spread, ...asked.flatMap(ownWeightTerms), ...diagnosed]),
  }
}

/** An estimator, and what it would be with weights as they are. */
function familyOf({ estimator, tuned }: Pick<Chosen, 'estimator' | 'tuned'>): Estimator[] {
  const unchanged = tuned ? unchangedOf(tuned) : estimator.unbiased
  return unchanged ? [estimator, unchanged] : [estimator]
}

/** The terms of an estimator's own weights. */
const ownWeightTerms = (chosen: Pick<Chosen, 'estimator' | 'tuned'>): Term[] =>
  familyOf(chosen).flatMap(({ judged }) => (judged ? [judged.weight, judged.squared] : []))
