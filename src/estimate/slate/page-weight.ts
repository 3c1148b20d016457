import { minus, over, plus, row, times } from '../../sql/expression.js'
import { pageColumn, type PageExpression } from '../../sql/page-expression.js'
import { slateTerm, type SlateTerm, type SlateValues } from './slate-term.js'

/** Π_k w_k over the first `slots` slots of a page. */
export function productOf({ w }: SlateValues, slots: number): number {
  let product = 1
  for (let k = 0; k < slots; k++) product *= w[k]!
  return product
}

function sumOf({ slots, w }: SlateValues): number {
  let sum = 0
  for (let k = 0; k < slots; k++) sum += w[k]!
  return sum
}

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
export const meanOfSlots = judgedBy(
  'Σ w_k/L',
  (slate) => sumOf(slate) / slate.slots,
  over(pageColumn('weights'), pageColumn('slots')),
)

/** 1 − L + Σ_k w_k, which may be negative. */
export const pseudoInverse = judgedBy(
  '1 − L + Σ w_k',
  (slate) => 1 - slate.slots + sumOf(slate),
  plus(minus(1, pageColumn('slots')), pageColumn('weights')),
)

/** Σ_k r_k: what the page earned. */
export const pageReward: SlateTerm = slateTerm(
  'Σ r_k',
  ({ slots, r }) => {
    let sum = 0
    for (let k = 0; k < slots; k++) sum += r[k]!
    return sum
  },
  pageColumn('rewards'),
  row.r,
)
