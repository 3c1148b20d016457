import { type Expression, minus, number, over, plus, row, times } from '../../sql/expression.js'
import { pageColumn, type PageExpression } from '../../sql/page-expression.js'
import { error } from '../term.js'
import { type SlateEstimator, slates, slateTerm, type SlateTerm, type SlateValues } from './slate-term.js'

/** Π_k w_k over the first `slots` slots of a page. */
function productOf({ w }: SlateValues, slots: number): number {
  let product = 1
  for (let k = 0; k < slots; k++) product *= w[k]!
  return product
}

/** Σ_k over the slots of a page. */
function sumOf({ slots }: SlateValues, ofSlot: (k: number) => number): number {
  let sum = 0
  for (let k = 0; k < slots; k++) sum += ofSlot(k)
  return sum
}

const weightsOf = (slate: SlateValues): number => sumOf(slate, (k) => slate.w[k]!)

/** The weight of a page and its square, as terms. On a page of one slot each of these weights is w. */
const judgedBy = (
  name: string,
  weightOf: (slate: SlateValues) => number,
  page: PageExpression,
): { readonly weight: SlateTerm; readonly squared: SlateTerm } => ({
  weight: slateTerm(name, weightOf, page, row.w),
  squared: slateTerm(`(${name})²`, (slate) => weightOf(slate) ** 2, times(page, page), times(row.w, row.w)),
})

/** w_{1:L}: the ratio of the probabilities of the whole page. */
export const wholePage = judgedBy('w_{1:L}', (slate) => productOf(slate, slate.slots), pageColumn('whole'))

/** w_1 of the first slot: there the two kinds of propensities are the same, and nothing is multiplied. */
export const firstSlot: SlateTerm = slateTerm('w_{1:1}', ({ w }) => w[0]!, pageColumn('upto_1'), row.w)

/** The mean of w_k over the slots. */
const meanOfSlots = judgedBy(
  'Σ w_k/L',
  (slate) => weightsOf(slate) / slate.slots,
  over(pageColumn('weights'), pageColumn('slots')),
)

/** 1 − L + Σ_k w_k, which may be negative. */
const pseudoInverse = judgedBy(
  '1 − L + Σ w_k',
  (slate) => 1 - slate.slots + weightsOf(slate),
  plus(minus(1, pageColumn('slots')), pageColumn('weights')),
)

/** Σ_k r_k: what the page earned. */
export const pageReward: SlateTerm = slateTerm(
  'Σ r_k',
  (slate) => sumOf(slate, (k) => slate.r[k]!),
  pageColumn('rewards'),
  row.r,
)

const slotBySlot = slateTerm(
  'Σ w_k r_k',
  (slate) => sumOf(slate, (k) => slate.w[k]! * slate.r[k]!),
  pageColumn('weighted'),
  times(row.w, row.r),
)

/**
 * Independent IPS: V = mean over slates of Σ_k w_k r_k (Li et al. 2018). Unbiased where the reward of a
 * slot depends on its own item alone, with w_k the ratio of the marginal probabilities of the item in slot k.
 */
export const iips: SlateEstimator<'iips'> = {
  name: 'iips',
  label: 'IIPS',
  family: 'weighted',
  meaning: 'Independent IPS for slates: each slot is weighted on its own.',
  docs: 'estimators/iips.md',
  rows: 'slates',
  propensities: 'marginal',
  judged: meanOfSlots,
  ratios: [{ numerator: slotBySlot, denominator: slates }],
}

const cascaded = slateTerm(
  'Σ w_{1:k} r_k',
  ({ slots, w, r }) => {
    let sum = 0
    let above = 1
    for (let k = 0; k < slots; k++) {
      above *= w[k]!
      sum += above * r[k]!
    }
    return sum
  },
  pageColumn('earned'),
  times(row.w, row.r),
)

/**
 * Reward-interaction IPS: V = mean over slates of Σ_k w_{1:k} r_k, w_{1:k} = Π_{j≤k} w_j (McInerney et al.
 * 2020, not self-normalised). Unbiased under the cascade: the reward of a slot depends on its item and those
 * above, with w_k the ratio of the probabilities of the item given those above.
 */
export const rips: SlateEstimator<'rips'> = {
  name: 'rips',
  label: 'RIPS',
  family: 'weighted',
  meaning: 'Reward-interaction IPS for slates: each slot is weighted together with those above it.',
  docs: 'estimators/rips.md',
  rows: 'slates',
  propensities: 'conditional',
  judged: wholePage,
  ratios: [{ numerator: cascaded, denominator: slates }],
}

/** Slots from this one on, counted from 1, share a denominator: sums are kept for a fixed number of them. */
const LAST = 10

const ofOneSlot = (slot: number, expression: Expression): Expression => (slot === 1 ? expression : number(0))

/** w_{1:k} r_k of slot k; for the last, of that slot and all below. */
const earnedIn = (slot: number): SlateTerm =>
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
    numerator: earnedIn(k + 1),
    denominator: weight(k + 1),
  })),
}

const byPseudoInverse = slateTerm(
  '(1 − L + Σ w_k) r',
  ({ slots, w, r }) => {
    let weight = 1 - slots
    let reward = 0
    for (let k = 0; k < slots; k++) {
      weight += w[k]!
      reward += r[k]!
    }
    return weight * reward
  },
  times(pseudoInverse.weight.page, pageColumn('rewards')),
  times(row.w, row.r),
)

/**
 * Pseudo-inverse: V = mean over slates of (1 − L + Σ_k w_k)·r, r the reward of the whole slate (Swaminathan
 * et al. 2017). Unbiased where r is on average a sum of one part for each slot, and the logging policy drew
 * the slots independently of each other.
 */
export const pi: SlateEstimator<'pi'> = {
  name: 'pi',
  label: 'PI',
  family: 'weighted',
  meaning: 'Pseudo-inverse for slates: the reward of the whole slate, weighted by the sum over its slots.',
  docs: 'estimators/pi.md',
  rows: 'slates',
  propensities: 'marginal',
  drawsSlotsApart: true,
  judged: pseudoInverse,
  ratios: [{ numerator: byPseudoInverse, denominator: slates }],
}

const corrected = slateTerm(
  'Σ w_{1:k} e_k + w_{1:k-1} v_k',
  ({ slots, w, r, q, v }) => {
    let sum = 0
    let above = 1
    for (let k = 0; k < slots; k++) {
      sum += above * v[k]!
      above *= w[k]!
      sum += above * (r[k]! - q[k]!)
    }
    return sum
  },
  pageColumn('corrected'),
  plus(row.v, times(row.w, error)),
)

/**
 * Cascade doubly robust: V = mean over slates of Σ_k [w_{1:k}(r_k − Q̂_k) + w_{1:k−1} E_π Q̂_k] (Kiyohara et
 * al. 2022). Unbiased under the cascade whatever the model, and less variable than RIPS where the model is good.
 */
export const cascadeDr: SlateEstimator<'cascade-dr'> = {
  name: 'cascade-dr',
  label: 'Cascade-DR',
  family: 'doubly-robust',
  meaning: 'Cascade DR for slates: RIPS combined with a reward model.',
  docs: 'estimators/cascade-dr.md',
  rows: 'slates',
  propensities: 'conditional',
  judged: wholePage,
  ratios: [{ numerator: corrected, denominator: slates }],
}
