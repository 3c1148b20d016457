import { advice, set } from '../../advice.js'
import { HindcastError } from '../../error.js'
import { contextColumn } from '../../log/contexts.js'
import type { Log } from '../../log/log.js'
import { uniformPolicy } from '../../policy/probabilities.js'
import type { Policy } from '../../policy/policy.js'
import { type Standing, slotShare, slotShares, sortedMarginals } from '../../policy/sorted-pages.js'
import { exp, expm1, log } from '../../portable-math.js'
import type { CrossFitted, FittedReward } from '../reward/reward-model.js'
import type { WeighedRows } from '../source/sum-terms.js'
import { type Target, importanceWeights, rewardOutside, valuesOfTarget } from '../target.js'
import type { SlatePropensities } from './slate-term.js'
import { type Slates, slatesOf } from './slates.js'

/** Below this, what is left of 1 is added up rather than subtracted, so that no digits are lost. */
export const SMALL_REST = 1e-6

/**
 * w_k of each row of a log of pages: the target's probability of the item in its slot over the logged one, both given
 * the items above or both whatever stands in the other slots, as `propensities` says those of the log are.
 *
 * A target π(a|x) fills a page slot by slot and shows no item twice: given the items above, its probability is
 * π(a)/(1 − Σ_{above} π), and 1/(K − k + 1) for the uniform target; whatever stands above, 1/K for the uniform target, and
 * `slotMarginals` for others. A target that goes by the order of its items shows in each slot the best of those not yet
 * shown, or with probability ε any of them: `slotShare` and `sortedMarginals`. Where the log itself shows items twice on a
 * page, other targets may too, and each slot is drawn by itself. A target that stands in a column of the log is taken to be
 * of the same kind as the propensities.
 */
export function slateWeights(log: Log, target: Target, propensities: SlatePropensities): Float64Array {
  const slates = slatesOf(log)
  const weights = importanceWeights(log, target)
  const isPlain =
    target.kind === 'logging' ||
    target.kind === 'column' ||
    (!isSortedTarget(target) && showsItemsTwice(log, slates)) ||
    (target.kind === 'uniform' && propensities === 'marginal')
  if (isPlain) return weights
  const policy = target.kind === 'policy' ? target.policy : uniformPolicy(log.itemIds.length)
  if (propensities === 'marginal') weighMarginally(weights, log, slates, policy)
  else
    forEachSlot(log, slates, policy, ({ row, k, pi, above, rest, standing }) => {
      const item = log.item[row]!
      const share =
        target.kind === 'uniform'
          ? 1 / (log.itemIds.length - k)
          : standing
            ? slotShare(standing, policy.sorted!.epsilon, item, itemsOf(log, above))
            : pi[item]! / rest
      // Below an item that the target never shows, nothing is left to weigh.
      weights[row] = above.some((j) => weights[j] === 0)
        ? 0
        : filled(share, policy, k) / log.propensity![row]! + 0
    })
  return weights
}

/** Whether a target fills pages from its best item down. */
export const isSortedTarget = (target: Target): boolean =>
  target.kind === 'policy' && target.policy.sorted !== undefined

const itemsOf = (log: Log, rows: Uint32Array): Uint32Array => rows.map((row) => log.item[row]!)

/**
 * The target's expected prediction of each row's slot, E_π[q̂ | the items above]; `prediction` is q̂ of the items shown.
 * Without the items above it is the mean over the items that are left.
 */
function slateValuesOfTarget(
  log: Log,
  target: Exclude<Target, { kind: 'column' }>,
  models: CrossFitted,
  prediction: Float64Array,
): Float64Array {
  const slates = slatesOf(log)
  const whole = valuesOfTarget(log, target, models, prediction)
  if (target.kind === 'logging' || (!isSortedTarget(target) && showsItemsTwice(log, slates))) return whole
  const values = whole.slice()
  const policy = target.kind === 'policy' ? target.policy : uniformPolicy(log.itemIds.length)
  forEachSlot(log, slates, policy, ({ row, pi, outside, above, rest, standing }) => {
    if (above.length === 0) return
    const model = models.modelFor(log.user[row]!)
    if (standing) {
      const shares = slotShares(standing, policy.sorted!.epsilon, itemsOf(log, above))
      values[row] = expectedOf(shares, model, row)
      return
    }
    let sum = whole[row]!
    if (rest > SMALL_REST) for (const j of above) sum -= pi[log.item[j]!]! * model.predict(row, log.item[j]!)
    else {
      const shown = new Set(Array.from(above, (j) => log.item[j]!))
      sum = 0
      for (let item = 0; item < pi.length; item++)
        if (pi[item]! > 0 && !shown.has(item)) sum += pi[item]! * model.predict(row, item)
      if (outside > 0) sum += outside * rewardOutside(model, sum, rest - outside)
    }
    values[row] = rest > 0 ? sum / rest : 0
  })
  return values
}

/** Σ_a p(a) q̂(a), where what is missing from 1 is shown of items that the log does not have. */
function expectedOf(shares: Float64Array, model: FittedReward, row: number): number {
  let [sum, known] = [0, 0]
  for (let item = 0; item < shares.length; item++) {
    const share = shares[item]!
    if (!(share > 0)) continue
    sum += share * model.predict(row, item)
    known += share
  }
  const outside = 1 - known
  return known > 0 && outside > SMALL_REST ? sum + outside * rewardOutside(model, sum, known) : sum
}

/** What slate estimators sum over: the log with its weights, and predictions where there are any. */
export function slateRows(
  log: Log,
  target: Target,
  propensities: SlatePropensities,
  fitted?: { readonly models: CrossFitted; readonly prediction: Float64Array },
): WeighedRows {
  const rows = { log, weight: slateWeights(log, target, propensities) }
  if (log.q && log.v) return { ...rows, prediction: log.q, value: log.v }
  if (!fitted || target.kind === 'column') return rows
  const { models, prediction } = fitted
  return { ...rows, prediction, value: slateValuesOfTarget(log, target, models, prediction) }
}

/** Whether a page of the log shows an item more than once. */
export function showsItemsTwice({ item, itemIds }: Log, { count, order, start }: Slates): boolean {
  // The page that showed each item last, counted from 1.
  const shownOn = new Uint32Array(itemIds.length)
  for (let s = 0; s < count; s++)
    for (let place = start[s]!; place < start[s + 1]!; place++) {
      const shown = item[order[place]!]!
      if (shownOn[shown] === s + 1) return true
      shownOn[shown] = s + 1
    }
  return false
}

/** A slot of a page as a target meets it. */
interface Slot {
  readonly row: number
  /** Its place on the page, from 0. */
  readonly k: number
  /** The target's probabilities of all items. */
  readonly pi: Float64Array
  /** Its probability of items that the log does not have. */
  readonly outside: number
  /** The rows above it on the page. */
  readonly above: Uint32Array
  /** 1 − Σ_{above} π: the probability of all items that are left. */
  readonly rest: number
  /** Where items stand, for a target that goes by their order. */
  readonly standing: Standing | undefined
}

/**
 * Visits each slot, pages from the top; pages of one context after another, so that each is asked for once. Pages on which
 * the target shows what the logging policy shows are left out.
 */
function forEachSlot(
  log: Log,
  { count, order, start }: Slates,
  policy: Policy,
  visit: (slot: Slot) => void,
): void {
  const { index } = contextColumn(log)
  const contextOf = (s: number): number => index[order[start[s]!]!]!
  const pages = Uint32Array.from({ length: count }, (_, s) => s).sort((a, b) => contextOf(a) - contextOf(b))
  let known = -1
  let pi = new Float64Array(0)
  let outside = 0
  let standing: Standing | undefined
  for (const s of pages) {
    if (policy.followsLogging?.(contextOf(s))) continue
    for (let place = start[s]!; place < start[s + 1]!; place++) {
      const row = order[place]!
      if (index[row] !== known) {
        known = index[row]!
        pi = policy.probabilities(known) as Float64Array<ArrayBuffer>
        outside = policy.outside?.(known) ?? 0
        standing = policy.sorted?.standing(known)
      }
      const above = order.subarray(start[s], place)
      const rest = standing ? 1 : restOf(pi, outside, above, log.item)
      visit({ row, k: place - start[s]!, pi, outside, above, rest, standing })
    }
  }
}

function restOf(pi: Float64Array, outside: number, above: Uint32Array, item: Uint32Array): number {
  let rest = 1
  for (const row of above) rest -= pi[item[row]!]!
  if (rest > SMALL_REST) return rest
  const shown = new Set(Array.from(above, (row) => item[row]!))
  return pi.reduce((sum, p, a) => (shown.has(a) ? sum : sum + p), outside)
}

/** A target's probability in slot k, which exists unless the target has run out of items. */
function filled(share: number, { name }: Policy, k: number): number {
  if (!Number.isNaN(share)) return share
  throw new HindcastError(
    'bad-option',
    `The policy ${name} shows too few items to fill slot ${k + 1} of a page.`,
    {
      remedy: 'Give a target that shows at least as many items as a page has slots.',
    },
  )
}

/** Replaces weights by those of marginal probabilities, computed once for each group of contexts and slots. */
function weighMarginally(weights: Float64Array, log: Log, slates: Slates, policy: Policy): void {
  const { index } = contextColumn(log)
  const { order, start, count } = slates
  const slotOf = new Uint32Array(log.rows)
  for (let s = 0; s < count; s++)
    for (let place = start[s]!; place < start[s + 1]!; place++) slotOf[order[place]!] = place - start[s]!
  const groups = new Map<number, number[]>()
  for (let row = 0; row < log.rows; row++) {
    const group = policy.groupOf ? policy.groupOf(index[row]!) : index[row]!
    const rows = groups.get(group)
    if (rows) rows.push(row)
    else groups.set(group, [row])
  }
  for (const rows of groups.values()) {
    const context = index[rows[0]!]!
    if (policy.followsLogging?.(context)) continue
    const standing = policy.sorted?.standing(context)
    if (!standing && policy.outside?.(context)) throw outsideOnPages(policy)
    const items = [...new Set(rows.map((row) => log.item[row]!))]
    const placeOf = new Map(items.map((item, place) => [item, place]))
    const slots = rows.reduce((most, row) => Math.max(most, slotOf[row]! + 1), 1)
    const marginals = standing
      ? sortedMarginals(standing, policy.sorted!.epsilon, items, slots)
      : slotMarginals(policy.probabilities(context), items, slots)
    for (const row of rows)
      weights[row] = marginals[slotOf[row]!]![placeOf.get(log.item[row]!)!]! / log.propensity![row]! + 0
  }
}

/** How often items that the log does not have fill the slots above cannot be said without the probability of each. */
const outsideOnPages = ({ name }: Policy): HindcastError =>
  new HindcastError(
    'bad-option',
    `The policy ${name} shows items that the log does not have. Its marginal probabilities on pages cannot be computed.`,
    { remedy: advice`List all items with ${set('catalogue')}.` },
  )

/**
 * Step of the integral over log t. Down to slot k the integrand is about as wide as 1/√k, and a sum over steps is off by
 * e^(−2π²/(k·step²)) of it: below rounding.
 */
const stepFor = (slots: number): number => Math.min(0.2, 0.6 / Math.sqrt(slots))

/** Where a probability no longer shows beside 1. */
const NEGLIGIBLE = 1e-16

/**
 * P(item in slot k) of pages drawn slot by slot without repetition, each item in proportion to `probability` among those
 * left (Plackett–Luce), for the items asked for: `[slot][place among the items]`, slots counted from 0.
 *
 * Items that arrive after independent exponential times with rates p arrive in the order of such a page, so
 * P(a in slot k) = ∫ p_a e^(−p_a t) P(k others have arrived by t) dt: a sum over t of coefficients of
 * Π_{i≠a} (e^(−p_i t) + (1 − e^(−p_i t)) z), O(items · slots) for each of some hundred t.
 */
export function slotMarginals(
  probability: Float64Array,
  items: ArrayLike<number>,
  slots: number,
): Float64Array[] {
  const rates = probability.filter((p) => p > 0)
  if (rates.length < slots) throw cannotFill(rates.length, slots)
  const marginals = Array.from({ length: slots }, () => new Float64Array(items.length))
  for (let place = 0; place < items.length; place++) marginals[0]![place] = probability[items[place]!]!
  if (slots === 1) return marginals
  const step = stepFor(slots)
  const here = new Float64Array(rates.length)
  const arrived = new Float64Array(slots)
  const others = new Float64Array(slots)
  // Below the first slot the integrand falls as t², so that it can start where t² vanishes.
  for (let s = log(NEGLIGIBLE) / 2; ; s += step) {
    const t = exp(s)
    for (let i = 0; i < rates.length; i++) here[i] = arrivedBy(rates[i]! * t)
    countArrivals(arrived, here)
    if (s > 0 && arrived.reduce((sum, p) => sum + p, 0) < NEGLIGIBLE) return marginals
    for (let place = 0; place < items.length; place++) {
      const rate = probability[items[place]!]!
      if (rate === 0) continue
      const own = arrivedBy(rate * t)
      if (own < 0.5) withoutOne(others, arrived, own)
      else countArrivals(others, here, rates.indexOf(rate))
      const density = step * t * rate * exp(-rate * t)
      for (let k = 1; k < slots; k++) marginals[k]![place]! += density * others[k]!
    }
  }
}

/** 1 − e^(−x), without loss of digits where x is small. */
const arrivedBy = (x: number): number => (x < 0.5 ? -expm1(-x) : 1 - exp(-x))

/** P(j items have arrived), j from 0, where each is `here` with its probability; of all but the one at `except`. */
function countArrivals(counts: Float64Array, here: Float64Array, except = -1): void {
  counts.fill(0)
  counts[0] = 1
  for (let i = 0; i < here.length; i++) {
    if (i === except) continue
    const own = here[i]!
    for (let j = counts.length - 1; j > 0; j--) counts[j] = (1 - own) * counts[j]! + own * counts[j - 1]!
    counts[0]! *= 1 - own
  }
}

/** The same without one item, divided out of the polynomial: stable while it is rather not here than here. */
function withoutOne(counts: Float64Array, all: Float64Array, own: number): void {
  counts[0] = all[0]! / (1 - own)
  for (let j = 1; j < counts.length; j++)
    counts[j] = Math.max(0, (all[j]! - own * counts[j - 1]!) / (1 - own))
}

const cannotFill = (items: number, slots: number): HindcastError =>
  new HindcastError('bad-option', `The target shows ${items} items, too few for pages of ${slots} slots.`, {
    remedy: 'Give a target that shows at least as many items as a page has slots.',
  })
