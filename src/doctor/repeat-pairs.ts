import type { Log } from '../log/log.js'
import { countRows, forEachGroup, rowsByUser } from '../log/row-groups.js'
import { randomStream } from '../random/stream.js'
import { timeOrder } from './time-order.js'

/** Of users with more rows, so many drawn at random count, lest a few users decide. */
const MOST_ROWS = 32

/** What pairs of rows of one user add up to. */
export interface PairSums {
  readonly pairs: number
  /** Σ w·1{same item}/b, where w is the share of the first row's item in the rest of the log. */
  readonly seen: number
  /** Σ w: the most that `seen` is in the mean. */
  readonly expected: number
  /** seen − expected in standard errors by user, and the same with w = 1. */
  readonly z: number
  readonly plainZ: number
  /** n²/Σ n_u² of the expected sums: as many users as would have them if all were equally active. */
  readonly users: number
}

/** Pairs of all rows, and those whose first row was clicked or was not. */
export interface RepeatPairs {
  readonly all: PairSums
  readonly clicked: PairSums
  readonly unclicked: PairSums
}

/**
 * How often users were shown an item again, against what the propensities of their rows allow. Whatever came before a
 * row, 1{it shows the item of an earlier row}/b has the mean 1, or 0 where that item is not available. This holds for
 * personal loggers and for those that learn. It fails upwards where rows were copied, and where b is an average over
 * users who are shown different things.
 *
 * Rows come in the order of their times. Without times that order is unknown: each sum is made in both directions, the
 * one with less evidence counts, and a pair is divided by the larger of its two propensities, which can only lower it.
 * Rows of one page are never paired. Pairs of frequent items weigh more, since rare ones bring mostly noise.
 */
export function repeatPairs(log: Log, propensity: Float64Array): RepeatPairs {
  const { item, reward, slate, time } = log
  const shown = countRows(item, log.itemIds.length)
  const isOutOfOrder = timeOrder(log) !== undefined
  const [all, clicked, unclicked] = [new Totals(), new Totals(), new Totals()]
  const [allBack, clickedBack, unclickedBack] = [new Totals(), new Totals(), new Totals()]
  const forth = [all, clicked, unclicked]
  const back = [allBack, clickedBack, unclickedBack]
  forEachGroup(rowsByUser(log), (user, own) => {
    if (own.length < 2) return
    const rows = own.length > MOST_ROWS ? someOf(own, user) : own
    if (isOutOfOrder) rows.sort((a, b) => time![a]! - time![b]! || a - b)
    for (let k = 1; k < rows.length; k++) {
      const later = rows[k]!
      for (let j = 0; j < k; j++) {
        const earlier = rows[j]!
        if (slate && slate[earlier] === slate[later]) continue
        const isSame = item[earlier] === item[later]
        const inverse = isSame ? 1 / Math.max(propensity[earlier]!, propensity[later]!) : 0
        // The share in all other rows: neither row of the pair counts.
        const others = isSame ? 2 : 1
        const weight = (shown[item[earlier]!]! - others) / log.rows
        all.add(inverse, weight)
        if (reward[earlier]! > 0) clicked.add(inverse, weight)
        else unclicked.add(inverse, weight)
        if (time) continue
        const ofLater = (shown[item[later]!]! - others) / log.rows
        allBack.add(inverse, ofLater)
        if (reward[later]! > 0) clickedBack.add(inverse, ofLater)
        else unclickedBack.add(inverse, ofLater)
      }
    }
    for (const totals of forth) totals.endUser()
    for (const totals of back) totals.endUser()
  })
  const [ofAll, ofClicked, ofUnclicked] = forth.map((totals, k) => {
    const [sums, mirrored] = [totals.sums(), back[k]!.sums()]
    return time || sums.z <= mirrored.z ? sums : mirrored
  })
  return { all: ofAll!, clicked: ofClicked!, unclicked: ofUnclicked! }
}

/** Some rows of a user, drawn without looking at them, in their order. */
function someOf(rows: Uint32Array, user: number): Uint32Array {
  const drawn = rows.slice()
  const { uniform } = randomStream(1, 'rows of a user', user)
  for (let k = 0; k < MOST_ROWS; k++) {
    const other = k + Math.floor(uniform() * (drawn.length - k))
    ;[drawn[k], drawn[other]] = [drawn[other]!, drawn[k]!]
  }
  return drawn.slice(0, MOST_ROWS).sort()
}

/** Adds up pairs, user by user. */
class Totals {
  #pairs = 0
  #seen = 0
  #expected = 0
  /** Σ 1{same item}/b. */
  #plain = 0
  /** The same sums of the present user. */
  #own = { pairs: 0, seen: 0, expected: 0, plain: 0 }
  #squares = 0
  #plainSquares = 0
  #squaredExpected = 0

  add(inverse: number, weight: number): void {
    const own = this.#own
    own.pairs++
    own.expected += weight
    own.seen += weight * inverse
    own.plain += inverse
  }

  endUser(): void {
    const { pairs, seen, expected, plain } = this.#own
    if (pairs === 0) return
    this.#pairs += pairs
    this.#seen += seen
    this.#expected += expected
    this.#plain += plain
    this.#squares += (seen - expected) ** 2
    this.#plainSquares += (plain - pairs) ** 2
    this.#squaredExpected += expected ** 2
    this.#own = { pairs: 0, seen: 0, expected: 0, plain: 0 }
  }

  sums(): PairSums {
    const errors = (difference: number, squares: number): number =>
      squares > 0 ? difference / Math.sqrt(squares) : 0
    return {
      pairs: this.#pairs,
      seen: this.#seen,
      expected: this.#expected,
      z: errors(this.#seen - this.#expected, this.#squares),
      plainZ: errors(this.#plain - this.#pairs, this.#plainSquares),
      users: this.#squaredExpected > 0 ? this.#expected ** 2 / this.#squaredExpected : 0,
    }
  }
}
