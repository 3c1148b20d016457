import { type Expression, number, row, times } from '../../sql/expression.js'
import { pageColumn } from '../../sql/page-expression.js'
import { firstSlot, productOf, wholePage } from './page-weight.js'
import type { SlateEstimator } from './slate-estimator.js'
import { slateTerm, type SlateTerm } from './slate-term.js'

/** Slots from this one on, counted from 1, share a denominator: sums are kept for a fixed number of them. */
const LAST = 10

const ofOneSlot = (slot: number, expression: Expression): Expression => (slot === 1 ? expression : number(0))

/** w_{1:k} r_k of slot k; for the last, of that slot and all below. */
const weighted = (slot: number): SlateTerm =>
  slateTerm(
    slot < LAST ? `w_{1:${slot}} r_${slot}` : `Σ_{k≥${LAST}} w_{1:k} r_k`,
    (slate) => {
      let sum = 0
      let above = productOf(slate, Math.min(slot - 1, slate.slots))
      for (let k = slot - 1; k < (slot < LAST ? Math.min(slot, slate.slots) : slate.slots); k++) {
        above *= slate.w[k]!
        sum += above * slate.r[k]!
      }
      return sum
    },
    pageColumn(slot < LAST ? `earned_${slot}` : `earned_from_${LAST}`),
    ofOneSlot(slot, times(row.w, row.r)),
  )

/**
 * w_{1:k} of slot k; for the last, of the whole page. A shorter page counts with all its slots: it earns nothing in
 * slot k, and belongs to the mean that says so.
 */
const weight = (slot: number): SlateTerm =>
  slot === LAST
    ? wholePage.weight
    : slot === 1
      ? firstSlot
      : slateTerm(
          `w_{1:${slot}}`,
          (slate) => productOf(slate, Math.min(slot, slate.slots)),
          pageColumn(`upto_${slot}`),
          row.w,
        )

/**
 * Self-normalised RIPS: V = Σ_k S[w_{1:k} r_k]/S[w_{1:k}], S sums over slates (McInerney et al. 2020). Consistent
 * under the cascade, as RIPS is unbiased; the weights of a slot are divided by their own mean, which takes out much of
 * their noise. A slate of fewer than k slots has w_{1:k} = w_{1:L} and r_k = 0. Slots from the tenth on are divided
 * together, by the mean weight of whole slates.
 */
export const snrips: SlateEstimator<'snrips'> = {
  name: 'snrips',
  label: 'SN-RIPS',
  family: 'self-normalised',
  meaning: 'Self-normalised RIPS: each slot is divided by its mean weight. Less variance than RIPS.',
  docs: 'estimators/snrips.md',
  rows: 'slates',
  propensities: 'conditional',
  judged: wholePage,
  ratios: Array.from({ length: LAST }, (_, k) => ({
    numerator: weighted(k + 1),
    denominator: weight(k + 1),
  })),
}
