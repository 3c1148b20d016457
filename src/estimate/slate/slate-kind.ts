import { contextColumn } from '../../log/contexts.js'
import type { Log } from '../../log/log.js'
import { md5Bucket } from '../../md5.js'
import { formatCount } from '../../number-text.js'
import { log as ln, log1p } from '../../portable-math.js'
import { BUCKETS } from '../source/moments.js'
import type { SlatePropensities } from './slate-term.js'
import { showsItemsTwice } from './slate-weights.js'
import { type Slates, slatesOf } from './slates.js'

/** Which kind of propensities the pages of a log have, and what shows it, as the rest of a sentence: "because …". */
export interface SlateKind {
  /** `both`: the kinds are the same here. `neither`: no kind of slot probabilities can look like these. */
  readonly kind: SlatePropensities | 'both' | 'neither' | 'unknown'
  readonly evidence: string
}

/** What the pages of a log are like, whatever their propensities. */
export interface PageTraits {
  readonly mostSlots: number
  /** A page shows an item more than once. */
  readonly twice: boolean
  /** How often two slots of a page earned something; absent where every page has one. */
  readonly together?: ClicksTogether
}

/** Looks at them. */
export function pageTraitsOf(log: Log, slates: Slates): PageTraits {
  const { mostSlots } = slates
  if (mostSlots < 2) return { mostSlots, twice: false }
  return { mostSlots, twice: showsItemsTwice(log, slates), together: clicksTogetherOf(log, slates) }
}

/** Standard errors within which a mean is as expected, and beyond which it is not. */
const NEAR = 3
const FAR = 6
/** By this many standard errors the two kinds must differ before means are asked. */
const APART = 8

/**
 * Tells from a log alone whether the propensities of its pages are conditional (given the items above) or marginal
 * (whatever stands above).
 *
 * - Where a user, or everybody, is shown the same item in the same slot below different items, conditional propensities
 *   differ and marginal ones do not: `dependenceOf` measures that, with no chance in it.
 * - Otherwise by means: 1/b_k averages the number of items that were possible in slot k, which falls by one from slot
 *   to slot for conditional propensities without repetition, and stays for marginal ones: `inverseGaps`.
 */
export function slateKindOf(log: Log, slates: Slates, pages: PageTraits): SlateKind {
  if (!log.propensity) return NO_PROPENSITIES
  const dependence = (scope: Uint32Array) => (): Dependence => dependenceOf(log, slates, scope)
  const found = kindByPages(
    pages,
    dependence(new Uint32Array(log.rows)),
    dependence(contextColumn(log).index),
  )
  return found ?? kindByMeans(inverseGaps(log))
}

/** The kind of propensities that are not there. */
export const NO_PROPENSITIES: SlateKind = { kind: 'unknown', evidence: 'the log has no propensities' }

/** The kind that pages show by themselves, and how their propensities depend on the items above; undefined where only means can tell. */
export function kindByPages(
  { mostSlots, twice }: Pick<PageTraits, 'mostSlots' | 'twice'>,
  ofEverybody: () => Dependence,
  ofUsers: () => Dependence,
): SlateKind | undefined {
  if (mostSlots < 2) return { kind: 'both', evidence: 'every page has one slot' }
  const found = byDependence(ofEverybody(), 'everybody', twice) ?? byDependence(ofUsers(), 'a user', twice)
  if (found || !twice) return found
  return { kind: 'both', evidence: 'pages show items twice, so slots were drawn independently' }
}

/** The kind that the dependence of propensities on the items above shows; undefined where it shows nothing. */
function byDependence(dependence: Dependence, scope: string, twice: boolean): SlateKind | undefined {
  const { comparisons, steady, firstSlotSum, predicted, ofItem, ofSlot, spread } = dependence
  // Only where a scope determines the propensity of the first slot can it say anything about the others.
  if (!steady) return undefined
  if (firstSlotSum > 1.05)
    return {
      kind: 'neither',
      evidence: `the propensities of the items that ${scope} was shown in the first slot sum to ${Number(firstSlotSum.toPrecision(3))}, and in one slot they cannot exceed 1: they may be probabilities of being anywhere on the page`,
    }
  if (comparisons < 20 || predicted === 0) return undefined
  const times = `${formatCount(comparisons)} times ${scope} was shown an item in the same slot below other items`
  if (ofSlot > 0.3 * predicted)
    return { kind: 'conditional', evidence: `${times}, and its propensity changed with them` }
  if (ofSlot > 0.1 * predicted) return undefined
  if (twice) return { kind: 'both', evidence: `${times}, and its propensity stayed the same` }
  // The probabilities of an uneven policy cannot be the same in every slot of a page that repeats nothing.
  if (ofItem < 0.1 * predicted && spread > 10 * ofItem)
    return {
      kind: 'neither',
      evidence: `an item has the same propensity in every slot, although no page shows an item twice: they may be the policy’s probabilities of a single draw`,
    }
  return { kind: 'marginal', evidence: `${times}, and its propensity stayed the same` }
}

/** The kind that means of inverse propensities show. */
export function kindByMeans({ mean, error, conditional }: InverseGaps): SlateKind {
  const isFlat = error < 1e-9 * Math.max(1, Math.abs(mean))
  const unit = isFlat ? 1e-3 * conditional : error
  if (!(conditional > APART * unit)) return unknown
  const [fromConditional, fromMarginal] = [Math.abs(mean - conditional) / unit, Math.abs(mean) / unit]
  const evidence = `from the first slot to the others, the mean of 1/propensity falls by ${Number(mean.toPrecision(3))}; ${Number(conditional.toPrecision(3))} is expected if they are given the items above, 0 if not`
  if (fromConditional < NEAR && fromMarginal > FAR) return { kind: 'conditional', evidence }
  if (fromMarginal < NEAR && fromConditional > FAR) return { kind: 'marginal', evidence }
  return unknown
}

const unknown: SlateKind = {
  kind: 'unknown',
  evidence: 'no item was shown often enough in the same slot below different items',
}

/** Pairs of slots of one page that both earned something. */
export interface ClicksTogether {
  readonly pairs: number
  /** How many there would be if each slot earned as often as its position does, whatever the others earn. */
  readonly expected: number
}

/** Fewer pairs than this can be missing by chance. */
const FEWEST_EXPECTED = 20
/** Items that are drawn without repetition, and differ, make pairs rarer by themselves, though not by as much as this. */
const LARGEST_SHARE = 0.7
/** Standard errors of a Poisson count. */
const FAR_FROM_EXPECTED = 4

/** Counts them: Σ over pages of Σ_{j<k} 1[r_j > 0] 1[r_k > 0], beside Σ_{j<k} p_j p_k, p the share of rows of a position that earned something. */
export function clicksTogetherOf({ reward, position }: Log, { count, order, start }: Slates): ClicksTogether {
  const byPosition = new Map<number, { rows: number; clicks: number }>()
  order.forEach((row) => {
    const of = byPosition.get(position![row]!) ?? { rows: 0, clicks: 0 }
    of.rows++
    if (reward[row]! > 0) of.clicks++
    byPosition.set(position![row]!, of)
  })
  let [pairs, expected] = [0, 0]
  for (let s = 0; s < count; s++) {
    let [clicks, rate, squares] = [0, 0, 0]
    for (const row of order.subarray(start[s], start[s + 1])) {
      const { rows, clicks: own } = byPosition.get(position![row]!)!
      if (reward[row]! > 0) clicks++
      rate += own / rows
      squares += (own / rows) ** 2
    }
    pairs += (clicks * (clicks - 1)) / 2
    expected += (rate * rate - squares) / 2
  }
  return { pairs, expected }
}

/**
 * Whether a click keeps others on its page away, as it does where users stop at the first. Users who click more than
 * others make pairs more frequent, so that more of them than expected say nothing.
 */
export const keepApart = ({ pairs, expected }: ClicksTogether): boolean =>
  expected >= FEWEST_EXPECTED &&
  pairs < LARGEST_SHARE * expected &&
  expected - pairs > FAR_FROM_EXPECTED * Math.sqrt(expected)

/** By how much 1/propensity falls from the first slot of a page to the others, on average over pages. */
export interface InverseGaps {
  readonly mean: number
  /** Standard error of the mean, users as units. */
  readonly error: number
  /** The mean to expect of conditional propensities of pages that show nothing twice; of marginal ones it is 0. */
  readonly conditional: number
}

/**
 * 1/b averages the number of items that were possible: Σ_a b(a)·1/b(a). Given the items above, there is one item fewer
 * in each slot, so 1/b_1 − 1/b_k averages k − 1.
 */
function inverseGaps(log: Log): InverseGaps {
  const { count, order, start } = slatesOf(log)
  const propensity = log.propensity!
  const users = log.userIds.length
  const [gaps, expected, pages] = [new Float64Array(users), new Float64Array(users), new Float64Array(users)]
  for (let s = 0; s < count; s++) {
    const slots = start[s + 1]! - start[s]!
    if (slots < 2) continue
    const first = 1 / propensity[order[start[s]!]!]!
    const user = log.user[order[start[s]!]!]!
    for (let k = 1; k < slots; k++) {
      gaps[user]! += (first - 1 / propensity[order[start[s]! + k]!]!) / (slots - 1)
      expected[user]! += k / (slots - 1)
    }
    pages[user]! += 1
  }
  const total = (values: Float64Array): number => values.reduce((sum, x) => sum + x, 0)
  const all = total(pages)
  const [mean, conditional] = [total(gaps) / all, total(expected) / all]
  let squares = 0
  for (let user = 0; user < users; user++) squares += (gaps[user]! - mean * pages[user]!) ** 2
  const clusters = pages.reduce((active, own) => active + Number(own > 0), 0)
  return { mean, error: gapError(squares, clusters, all), conditional }
}

/** The standard error of the mean, from the squared distances of the gaps of users to what their pages would have on average. */
export const gapError = (squares: number, users: number, pages: number): number =>
  users > 1 ? Math.sqrt((squares * users) / (users - 1)) / pages : Infinity

/** In a log of more rows than this, about so many are looked at: enough to see what holds for all. */
export const MOST_ROWS = 200_000

/**
 * How the propensity of an item depends on its slot and on the items above, among the pages of one scope (everybody, or
 * each user). Spreads are standard deviations of logarithms.
 */
export interface Dependence {
  /** Rows below the first slot, beyond the first of each scope, item and slot. */
  readonly comparisons: number
  /** In the first slot the scope and the item determine the propensity. */
  readonly steady: boolean
  /** Largest sum, over the items a scope was shown in the first slot, of their propensities there. */
  readonly firstSlotSum: number
  /**
   * How much conditional propensities would differ for one item in one slot by what the items above take away: the
   * spread of Π_{j<k}(1 − b_j), which is 1 − Σ_{above} p where b_k = p(a)/(1 − Σ_{above} p).
   */
  readonly predicted: number
  /** How much the propensities of an item differ over all slots, and within one slot. */
  readonly ofItem: number
  readonly ofSlot: number
  /** How much the propensities in the first slot differ over items. */
  readonly spread: number
}

/** Measures it, for the scope of each row. */
function dependenceOf(log: Log, slates: Slates, scope: Uint32Array): Dependence {
  const { order, start, mostSlots } = slates
  const propensity = log.propensity!
  const [first, all] = [new Spread(), new Spread()]
  const [byItem, bySlot, taken] = [new Spread(), new Spread(), new Spread()]
  const sums = new Map<number, number>()
  for (const s of somePages(log, slates)) {
    let open = 0
    for (let k = 0; k < start[s + 1]! - start[s]!; k++) {
      const row = order[start[s]! + k]!
      const [own, item] = [scope[row]!, log.item[row]!]
      const ofItem = own * log.itemIds.length + item
      const b = ln(propensity[row]!)
      byItem.add(ofItem, b)
      if (k === 0) {
        if (!first.has(ofItem)) sums.set(own, (sums.get(own) ?? 0) + propensity[row]!)
        first.add(ofItem, b)
        all.add(0, b)
      } else {
        bySlot.add(ofItem * mostSlots + k, b)
        taken.add(ofItem * mostSlots + k, open)
      }
      // Below an item that was certain to be shown, nothing can be said.
      if (propensity[row]! > 1 - 1e-9) break
      open += log1p(-propensity[row]!)
    }
  }
  const firstSlotSum = [...sums.values()].reduce((most, sum) => Math.max(most, sum), 0)
  return dependenceFrom({ first, all, byItem, bySlot, taken, firstSlotSum })
}

/** What the dependence is made of: spreads of ln b in the first slot by item, there over all items, by item over all slots, below the first by item and slot; and of Σ_{above} ln(1 − b) there. */
interface Spreads extends Readonly<
  Record<'first' | 'all' | 'byItem' | 'bySlot' | 'taken', Pick<Spread, 'comparisons' | 'deviation'>>
> {
  readonly firstSlotSum: number
}

/** A spread of equal logarithms is that of their rounding, which each source has in its own way. */
const ROUNDING = 1e-9

/** The dependence that spreads show: the same in every source, which each compute them. */
export function dependenceFrom({ first, all, byItem, bySlot, taken, firstSlotSum }: Spreads): Dependence {
  const spreadOf = ({ deviation }: Spreads['first']): number => (deviation > ROUNDING ? deviation : 0)
  const predicted = spreadOf(taken)
  return {
    comparisons: taken.comparisons,
    // Digits lost in writing propensities must not hide what is looked for.
    steady: first.comparisons >= 20 && first.deviation <= Math.max(1e-6, 0.03 * predicted),
    firstSlotSum,
    predicted,
    ofItem: spreadOf(byItem),
    ofSlot: spreadOf(bySlot),
    spread: spreadOf(all),
  }
}

/** Standard deviation within groups, from the squared distances to their means and the numbers beyond the first of each. */
export const deviationOf = (squares: number, comparisons: number): number =>
  comparisons > 0 ? Math.sqrt(squares / comparisons) : 0

/** The spread of numbers around the means of their groups. */
class Spread {
  /** Count, mean and sum of squared deviations of each group. */
  readonly #groups = new Map<number, [number, number, number]>()

  has(group: number): boolean {
    return this.#groups.has(group)
  }

  add(group: number, value: number): void {
    const known = this.#groups.get(group)
    if (!known) {
      this.#groups.set(group, [1, value, 0])
      return
    }
    const step = value - known[1]
    known[0]++
    known[1] += step / known[0]
    known[2] += step * (value - known[1])
  }

  /** Numbers beyond the first of each group. */
  get comparisons(): number {
    let count = 0
    for (const [own] of this.#groups.values()) count += own - 1
    return count
  }

  /** Standard deviation within groups. */
  get deviation(): number {
    let squares = 0
    for (const [, , own] of this.#groups.values()) squares += own
    return deviationOf(squares, this.comparisons)
  }
}

/** Pages of the users of the lowest buckets that make up enough rows: the same in every source. */
function somePages(log: Log, { count, order, start }: Slates): Uint32Array {
  const all = Uint32Array.from({ length: count }, (_, s) => s)
  if (log.rows <= MOST_ROWS) return all
  const bucketOf = Uint16Array.from(log.userIds, md5Bucket)
  const rows = new Float64Array(BUCKETS)
  for (let row = 0; row < log.rows; row++) rows[bucketOf[log.user[row]!]!]! += 1
  const last = lastBucket(Array.from(rows, (own, bucket) => [bucket, own]))
  return all.filter((s) => bucketOf[log.user[order[start[s]!]!]!]! <= last)
}

/** The last of the lowest buckets of users that have enough rows together, from the rows of each. */
export function lastBucket(rowsByBucket: readonly (readonly [bucket: number, rows: number])[]): number {
  let rows = 0
  return rowsByBucket.find(([, own]) => (rows += own) >= MOST_ROWS)![0]
}
