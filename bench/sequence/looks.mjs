// One growing log looked at 1,000 times: at which looks is the truth outside?
import { sequenceBounds, sequenceReach } from '../../dist/estimate/intervals/confidence-sequence.js'

export const ALPHA = 0.05
const LEAST_DEGREES_OF_FREEDOM = 30

/** So many looks from the first to the last number of rows, in equal ratios where that is a step of one or more. */
export function looksBetween(first, last, count) {
  const looks = []
  for (let k = 0; k < count; k++)
    looks.push(
      Math.max((looks.at(-1) ?? first - 1) + 1, Math.round(first * (last / first) ** (k / (count - 1)))),
    )
  return looks
}

/** Running Σ yⁱxʲ over clusters, i + j ≤ 4: enough for SNIPS, its error, skewness and degrees of freedom. */
export class RunningPowers {
  clusters = 0
  sums = new Float64Array(25)

  add(y, x) {
    this.clusters++
    const { sums } = this
    // Most rows have no click: their powers of y are 0.
    const most = y === 0 ? 0 : 4
    let above = 1
    for (let i = 0; i <= most; i++, above *= y)
      for (let j = 0, product = above; i + j <= 4; j++, product *= x) sums[5 * i + j] += product
  }

  evidence() {
    const [s0, s1, s2, s3, s4] = [0, 5, 10, 15, 20].map((from) => this.sums.subarray(from, from + 5))
    const value = s1[0] / s0[1]
    const t = value
    const squares = s2[0] - 2 * t * s1[1] + t * t * s0[2]
    const cubes = s3[0] - 3 * t * s2[1] + 3 * t * t * s1[2] - t ** 3 * s0[3]
    const fourths = s4[0] - 4 * t * s3[1] + 6 * t * t * s2[2] - 4 * t ** 3 * s1[3] + t ** 4 * s0[4]
    return evidenceOf(value, squares, cubes, fourths, this.clusters, s0[1])
  }
}

/** What a sequence is computed from; undefined where there is no spread. */
export function evidenceOf(value, squares, cubes, fourths, clusters, total) {
  if (!(squares > 1e-12 * total)) return undefined
  const excess = fourths / (squares * squares) - 1 / clusters
  return {
    value,
    standardError: Math.sqrt((clusters / (clusters - 1)) * squares) / total,
    skewness: cubes / squares ** 1.5,
    degreesOfFreedom: excess > 0 ? Math.min(clusters - 1, Math.max(1, 2 / excess)) : clusters - 1,
  }
}

/** Kept, since every log is looked at after the same rows. */
const reaches = new Map()
function reachAt(rows, tightestAt) {
  const key = `${rows} ${tightestAt}`
  let reach = reaches.get(key)
  if (reach === undefined) reaches.set(key, (reach = sequenceReach(rows, tightestAt, 1 - ALPHA)))
  return reach
}

/** Which sequences exclude the truth at a look. */
export function excludedBy(evidence, truth, { rows, clusters, tightestAts }) {
  const before = evidence
    ? Math.abs(evidence.value - truth) > reachAt(clusters, 1000) * evidence.standardError
    : false
  const started = evidence !== undefined && evidence.degreesOfFreedom >= LEAST_DEGREES_OF_FREEDOM
  const straight = started
    ? straightened((evidence.value - truth) / evidence.standardError, evidence.skewness)
    : 0
  const mended = tightestAts.map((tightestAt) => {
    if (!started) return false
    const reach = reachAt(rows, tightestAt)
    // Student's quantile is never below the normal one, and costly: first a look without it.
    if (Math.abs(straight) <= reach) return false
    return !contains(sequenceBounds(evidence, reach), truth)
  })
  return { before, mended, started }
}

/** Whether repeated 95 % intervals, a fresh z of 1.96 each time, would exclude it: what looking often does without a sequence. */
export const naively = (evidence, truth) =>
  evidence !== undefined && Math.abs(evidence.value - truth) > 1.959964 * evidence.standardError

/** Hall's cubic of a ratio T. */
const straightened = (t, skewness) =>
  t + (skewness * t * t) / 3 + (skewness * skewness * t ** 3) / 27 + skewness / 6

const contains = ([low, high], truth) => low <= truth && truth <= high

const BETS = {
  up: Array.from({ length: 33 }, (_, k) => 2 ** (0.5 * k - 11)),
  down: Array.from({ length: 23 }, (_, k) => 2 ** (0.5 * k - 11)),
}

/** The bettors against the truth: those who say that the value is above it, and those below. A second writing of src's. */
export class Bettors {
  constructor(truth, maxWeight) {
    this.truth = truth
    this.maxWeight = maxWeight
    this.logs = new Float64Array(BETS.up.length + BETS.down.length)
  }

  /** What a cluster does to ln of each capital. */
  factors(gain, stake, size) {
    const net = gain - this.truth * stake
    const risk = (furthest, bet) => Math.min(bet / this.maxWeight, 0.9 / (this.maxWeight * furthest * size))
    return Float64Array.of(
      ...BETS.up.map((bet) => Math.log1p(risk(this.truth, bet) * net)),
      ...BETS.down.map((bet) => Math.log1p(-risk(1 - this.truth, bet) * net)),
    )
  }

  add(factors) {
    const { logs } = this
    for (let k = 0; k < logs.length; k++) logs[k] += factors[k]
  }

  /** Whether either side has won at a level of α/2. */
  haveWon() {
    const mean = (logs) => logs.reduce((sum, log) => sum + Math.exp(log), 0) / logs.length
    const ups = BETS.up.length
    return Math.max(mean(this.logs.subarray(0, ups)), mean(this.logs.subarray(ups))) >= 2 / ALPHA
  }
}
