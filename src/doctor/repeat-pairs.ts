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
  /** The share of a row's item in all other rows; what one more row of it takes away. */
  const shareOf = (row: number): number => (shown[item[row]!]! - 1) / log.rows
  const another = 1 / log.rows
  const items = new Uint32Array(MOST_ROWS)
  forEachGroup(rowsByUser(log), (user, own) => {
    if (own.length < 2) return
    const rows = own.length > MOST_ROWS ? someOf(own, user) : own
    if (isOutOfOrder) rows.sort((a, b) => time![a]! - time![b]! || a - b)
    for (let k = 0; k < rows.length; k++) items[k] = item[rows[k]!]!
    let [clicks, share, shareClicked] = [0, 0, 0]
    for (let k = 0; k < rows.length; k++) {
      const later = rows[k]!
      const ofLater = shareOf(later)
      // All pairs with earlier rows at once, as if their items differed; then those that are otherwise.
      all.add(k, share)
      clicked.add(clicks, shareClicked)
      unclicked.add(k - clicks, share - shareClicked)
      const clickedOrNot = reward[later]! > 0 ? clickedBack : unclickedBack
      allBack.add(k, k * ofLater)
      clickedOrNot.add(k, k * ofLater)
      for (let j = 0; j < k; j++) {
        if (items[j] !== items[k] && !slate) continue
        const earlier = rows[j]!
        const isPage = slate !== undefined && slate[earlier] === slate[later]
        if (items[j] !== items[k] && !isPage) continue
        const ofEarlier = shareOf(earlier)
        const kind = reward[earlier]! > 0 ? clicked : unclicked
        if (isPage) {
          all.add(-1, -ofEarlier)
          kind.add(-1, -ofEarlier)
          allBack.add(-1, -ofLater)
          clickedOrNot.add(-1, -ofLater)
          continue
        }
        const inverse = 1 / Math.max(propensity[earlier]!, propensity[later]!)
        const weight = ofLater - another
        all.addSame(inverse, weight, another)
        kind.addSame(inverse, weight, another)
        allBack.addSame(inverse, weight, another)
        clickedOrNot.addSame(inverse, weight, another)
      }
      share += ofLater
      if (reward[later]! > 0) {
        clicks++
        shareClicked += ofLater
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

  /** Pairs of different items, and the sum of their weights. */
  add(pairs: number, weights: number): void {
    this.#own.pairs += pairs
    this.#own.expected += weights
  }

  /** A pair that was added shows the same item, so that its weight is less than was thought. */
  addSame(inverse: number, weight: number, less: number): void {
    const own = this.#own
    own.expected -= less
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
