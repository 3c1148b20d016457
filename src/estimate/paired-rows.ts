import { groupRows } from '../log/row-groups.js'
import type { Log } from '../log/log.js'
import { log as ln } from '../portable-math.js'
import { idBucket } from '../sql/id-bucket.js'
import { FEWEST_OF_USER, FLOOR_SHARE, MOST_PAIRED_ROWS, type PairSum, type UserPairs } from './user-pairs.js'

const BUCKETS = 65_536

/** Users are looked at whose id lies in a bucket below this, so that there are about as many rows as are needed; undefined where all are. */
export const bucketsLookedAt = (rows: number): number | undefined =>
  rows <= MOST_PAIRED_ROWS ? undefined : Math.ceil((BUCKETS * MOST_PAIRED_ROWS) / rows)

/** Rows of whole users, those of a user side by side and among them those of an item, and what no target changes about them. */
export interface PairedRows {
  readonly rows: Uint32Array
  /** Where the rows of each user begin, and the last end. */
  readonly users: Uint32Array
  readonly item: Uint32Array
  readonly items: number
  /** How many of these rows show each item. */
  readonly shown: Float64Array
  readonly propensity: Float64Array
  /** Rewards less the mean of their item. */
  readonly rest: Float64Array
  readonly unaided: PairSum
  readonly feedback: number | null
  /** Room for the logarithms of a target, used again by the next. */
  readonly room: Float64Array
}

/** What is asked of rows beyond what is said of all of them. */
type Asked = Omit<PairedRows, 'unaided' | 'feedback'>

/** The rows of a log, or of some of its users where it has many, as they are paired. */
export function pairedRows(
  log: Pick<Log, 'rows' | 'user' | 'item' | 'userIds' | 'itemIds' | 'reward'>,
  propensity: Float64Array,
): PairedRows {
  const buckets = bucketsLookedAt(log.rows)
  const isSeen = log.userIds.map((id) => buckets === undefined || idBucket(id) < buckets)
  const byItem = groupRows(log.item, log.itemIds.length).rows.filter((row) => isSeen[log.user[row]!])
  const { start, rows: order } = groupRows(
    byItem.map((row) => log.user[row]!),
    log.userIds.length,
  )
  const rows = order.map((k) => byItem[k]!)
  const item = rows.map((row) => log.item[row]!)
  const reward = Float64Array.from(rows, (row) => log.reward[row]!)
  const shown = new Float64Array(log.itemIds.length)
  for (const code of item) shown[code]!++
  const paired = {
    rows,
    users: start.filter((at, user) => user === 0 || at > start[user - 1]!),
    item,
    items: shown.length,
    shown,
    propensity: Float64Array.from(rows, (row) => propensity[row]!),
    rest: lessItemMeans(reward, item, shown),
    room: new Float64Array(rows.length),
  }
  return { ...paired, unaided: pairsOf(paired, paired.room, 0).repeats, feedback: feedbackIn(paired) }
}

/** Less the mean of their item, in place. */
function lessItemMeans(values: Float64Array, item: Uint32Array, shown: Float64Array): Float64Array {
  const sums = new Float64Array(shown.length)
  for (let k = 0; k < item.length; k++) sums[item[k]!]! += values[k]!
  for (let k = 0; k < item.length; k++) values[k]! -= sums[item[k]!]! / shown[item[k]!]!
  return values
}

/**
 * Whether items are shown again for what they earned: Σ (e − ē)(c − 1 − (N − 1) b)/√b over the rows of a user, c of N those of the
 * same item. Whatever users like, that is 0 on average where what was shown does not depend on rewards.
 */
function feedbackIn({ users, item, rest, propensity }: Asked): number | null {
  let [sum, squares] = [0, 0]
  forEachUser(users, (from, to) => {
    const rows = to - from
    let mean = 0
    for (let k = from; k < to; k++) mean += rest[k]! / rows
    let own = 0
    forEachItem(item, from, to, (first, end) => {
      for (let k = first; k < end; k++) {
        const root = Math.sqrt(propensity[k]!)
        own += (rest[k]! - mean) * ((end - first - 1) / root - (rows - 1) * root)
      }
    })
    sum += own
    squares += own * own
  })
  return squares > 0 ? sum / Math.sqrt(squares) : null
}

/** Visits the rows of each user who has enough of them. */
function forEachUser(users: Uint32Array, visit: (from: number, to: number) => void): void {
  for (let user = 0; user + 1 < users.length; user++)
    if (users[user + 1]! - users[user]! >= FEWEST_OF_USER) visit(users[user]!, users[user + 1]!)
}

/** Visits the rows of each item among those of a user. */
function forEachItem(
  item: Uint32Array,
  from: number,
  to: number,
  visit: (first: number, end: number) => void,
): void {
  for (let first = from, k = from + 1; k <= to; k++)
    if (k === to || item[k] !== item[first]) {
      visit(first, k)
      first = k
    }
}

/** Sums a `UserPairs` from paired rows and the importance weights of the target; null where it does not set the rows of a user apart. */
export function userPairsOf(paired: PairedRows, weights: Float64Array): UserPairs | null {
  const { users, rest, unaided, feedback } = paired
  const p = writeLogarithms(paired, weights)
  if (!p) return null
  const slope = slopeWithin(users, p, rest)
  return slope === null ? null : { ...pairsOf(paired, p, slope), unaided, feedback }
}

/** Sums over users, p and e of each row: e is what is left of its reward less so much of p. */
function pairsOf(
  { users, item, rest }: Asked,
  p: Float64Array,
  slope: number,
): Pick<UserPairs, 'slopes' | 'repeats'> {
  const [slopes, repeats] = [new Sum(), new Sum()]
  forEachUser(users, (from, to) => {
    const own = new OwnSums(to - from)
    for (let k = from; k < to; k++) own.add(p[k]!, rest[k]! - slope * p[k]!)
    forEachItem(item, from, to, (first, end) => {
      if (end - first < 2) return
      let [e, ee] = [0, 0]
      for (let k = first; k < end; k++) {
        const left = rest[k]! - slope * p[k]!
        e += left
        ee += left * left
      }
      own.repeat(end - first, e, ee)
    })
    slopes.add(own.squaredCovariance, own.noiseOfCovariance)
    repeats.add(own.repeated, own.noiseOfRepeated)
  })
  return { slopes, repeats }
}

class Sum implements PairSum {
  sum = 0
  variance = 0

  add(value: number, variance: number): void {
    this.sum += value
    this.variance += variance
  }
}

/** Writes the logarithms of the target's probabilities, less the means of their items; null where it shows nothing of what was logged. */
function writeLogarithms(
  { rows, item, shown, propensity, room }: PairedRows,
  weights: Float64Array,
): Float64Array | null {
  let sum = 0
  for (let k = 0; k < rows.length; k++) sum += room[k] = weights[rows[k]!]! * propensity[k]!
  if (!(sum > 0)) return null
  const floor = (FLOOR_SHARE * sum) / rows.length
  for (let k = 0; k < rows.length; k++) room[k] = ln(room[k]! + floor)
  return lessItemMeans(room, item, shown)
}

/** The slope of what is left of rewards on p within users; null where p hardly differs there. */
function slopeWithin(users: Uint32Array, p: Float64Array, rest: Float64Array): number | null {
  let [pe, pp] = [0, 0]
  for (let user = 0; user + 1 < users.length; user++) {
    const [from, to] = [users[user]!, users[user + 1]!]
    let [sumP, sumE, own, ownP] = [0, 0, 0, 0]
    for (let k = from; k < to; k++) {
      sumP += p[k]!
      sumE += rest[k]!
      own += p[k]! * rest[k]!
      ownP += p[k]! * p[k]!
    }
    pe += own - (sumP * sumE) / (to - from)
    pp += ownP - (sumP * sumP) / (to - from)
  }
  return differs(pp, p.length) ? pe / pp : null
}

/** Whether p differs within users by more than rounding: its sum of squares there, over so many rows. */
export const differs = (squares: number, rows: number): boolean => squares > 1e-9 * rows

/** Sums over the rows of one user, of p and of what is left e. */
class OwnSums {
  readonly #n: number
  #p = 0
  #e = 0
  #pe = 0
  #pp = 0
  #ee = 0
  #ppe = 0
  #pee = 0
  #ppee = 0
  /** Over its rows of items that it saw more than once, c of each: Σ (Σ Σ e e′)/(c − 1) over pairs, Σe, Σe², Σc, Σ c/(c − 1). */
  #pairs = 0
  #again = 0
  #againSquared = 0
  #count = 0
  #parts = 0

  constructor(n: number) {
    this.#n = n
  }

  add(p: number, e: number): void {
    this.#p += p
    this.#e += e
    this.#pe += p * e
    this.#pp += p * p
    this.#ee += e * e
    this.#ppe += p * p * e
    this.#pee += p * e * e
    this.#ppee += p * p * e * e
  }

  /** Takes in an item that was shown so often, with the sum of e there and that of e². */
  repeat(c: number, e: number, ee: number): void {
    this.#pairs += (e * e - ee) / (c - 1)
    this.#again += e
    this.#againSquared += ee
    this.#count += c
    this.#parts += c / (c - 1)
  }

  /** (N − 1) times the squared covariance of p and e, from rows that are all different: without bias. */
  get squaredCovariance(): number {
    const [n, p, e, pe] = [this.#n, this.#p, this.#e, this.#pe]
    const two = pe * pe - this.#ppee
    const three = pe * p * e - this.#ppe * e - this.#pee * p - pe * pe + 2 * this.#ppee
    const four = (p * p - this.#pp) * (e * e - this.#ee) - 4 * three - 2 * two
    return (two - (2 * three) / (n - 2) + four / ((n - 2) * (n - 3))) / n
  }

  get noiseOfCovariance(): number {
    const n = this.#n
    const [p, e] = [this.#p / n, this.#e / n]
    const spread =
      this.#ppee -
      2 * p * this.#pee -
      2 * e * this.#ppe +
      p * p * this.#ee +
      e * e * this.#pp +
      4 * p * e * this.#pe -
      3 * n * p * p * e * e
    return (2 * (spread / n) ** 2 * (n - 1)) / n
  }

  /** Σ (e − e″)(e′ − e‴) over pairs e, e′ of rows of one item, e″ and e‴ two others, all different: without bias; rows count alike. */
  get repeated(): number {
    const [n, e, ee, again] = [this.#n, this.#e, this.#ee, this.#again]
    const other = 2 * e * again - 2 * this.#againSquared - 2 * this.#pairs
    const others = this.#count * (e * e - ee) - 4 * e * again + 4 * this.#againSquared + 2 * this.#pairs
    return this.#pairs - other / (n - 2) + others / ((n - 2) * (n - 3))
  }

  get noiseOfRepeated(): number {
    const variance = (this.#ee - this.#e ** 2 / this.#n) / (this.#n - 1)
    return 2 * variance ** 2 * this.#parts
  }
}
