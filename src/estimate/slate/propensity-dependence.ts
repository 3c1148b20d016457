import type { Log } from '../../log/log.js'
import { md5Bucket } from '../../md5.js'
import { log as ln, log1p } from '../../portable-math.js'
import { BUCKETS } from '../source/moments.js'
import type { Slates } from './slates.js'

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
export function dependenceOf(log: Log, slates: Slates, scope: Uint32Array): Dependence {
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
