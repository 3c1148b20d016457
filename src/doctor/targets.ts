import { advice, set } from '../advice.js'
import type { Log } from '../log/log.js'
import { countDistinct, countRows, rowsByUser } from '../log/row-groups.js'
import { counted, formatShare, verb } from '../number-text.js'
import { pow } from '../portable-math.js'
import { type Check, figure, type Finding, matchingRows } from './finding.js'
import { soundPropensity } from './propensities.js'

const whySum =
  'The target probabilities π(a|u) of all items sum to 1 for each user. Where they do not, every estimate of the policy is wrong by about the same factor.'

/** Finds target probabilities that lie outside [0, 1] or cannot sum to one. */
export const checkTarget: Check = ({ log, mapping }) => {
  const { target } = log
  if (!target) return []
  const outside = matchingRows(log.rows, (k) => !(target[k]! >= 0 && target[k]! <= 1))
  if (outside.count > 0) {
    const negative = target.some((p) => p < 0)
    return [
      {
        code: 'target-outside-range',
        level: 'problem',
        column: 'target',
        seen: `${counted(outside.count, 'target probability', 'target probabilities')} (${formatShare(outside.count / log.rows)}) ${verb(outside.count, 'is missing or lies', 'are missing or lie')} outside [0, 1].`,
        why: 'A policy shows an item with a probability between 0 and 1; scores, logarithms and percentages are not probabilities.',
        remedy: advice`Write the probability of the item shown (softmax of the scores, ${negative ? 'exp of the logarithms' : 'percentages divided by 100'}), or choose a column other than ${mapping['target'] ?? 'target'} with ${set('columns', 'target=…')}.`,
        numbers: { outside: outside.count, rows: log.rows },
        rows: outside.rows,
      },
    ]
  }
  const finding = sumOverItems(log, target) ?? sumOfUsers(log, target) ?? meanWeight(log, target)
  return finding ? [finding] : []
}

const remedySum =
  'Normalise the target over all items a user can be shown (softmax, or divide by the sum), and write the value of the item shown.'

/**
 * The smallest target that is informative when it repeats: the small values of a nearly greedy policy agree
 * anyway.
 */
function tellingTarget(target: Float64Array): number {
  let largest = 0
  for (let k = 0; k < target.length; k++) if (target[k]! > largest) largest = target[k]!
  return largest / 2
}

/** If the target depends on the item only: its sum over the items seen. */
function sumOverItems(log: Log, target: Float64Array): Finding | undefined {
  const first = new Float64Array(log.itemIds.length).fill(NaN)
  const examples: number[] = []
  const firstUser = new Uint32Array(log.itemIds.length)
  const telling = tellingTarget(target)
  let [sum, items, repeats] = [0, 0, 0]
  for (let k = 0; k < log.rows; k++) {
    const item = log.item[k]!
    if (Number.isNaN(first[item])) {
      firstUser[item] = log.user[k]!
      first[item] = target[k]!
      sum += target[k]!
      items++
      if (examples.length < 5 && target[k]! > 0) examples.push(k)
    } else if (Math.abs(target[k]! - first[item]!) > 1e-9) return undefined
    else if (target[k]! >= telling && log.user[k] !== firstUser[item]) repeats++
  }
  const page = pageLength(log)
  // Ten users who agree with the first one show that the target depends on the item only.
  if (repeats < 10 || !(sum > page + 1e-6 + roundingOfSum(target, items, sum))) return undefined
  return {
    code: 'target-sum',
    level: 'problem',
    column: 'target',
    seen: `The target probabilities of the ${counted(items, 'item')} sum to ${figure(sum)}${page > 1 ? ` on a page of ${page}` : ''}; each item has the same one in all its rows.`,
    why: whySum,
    remedy: remedySum,
    numbers: { sum, items, pageLength: page },
    rows: examples,
  }
}

/** If the target depends on the user and the item only: its sum over the items each user saw. */
function sumOfUsers(log: Log, target: Float64Array): Finding | undefined {
  const { start, rows } = rowsByUser(log)
  const metBy = new Int32Array(log.itemIds.length).fill(-1)
  const first = new Float64Array(log.itemIds.length)
  const page = pageLength(log)
  const telling = tellingTarget(target)
  let [repeats, users, worst, worstUser] = [0, 0, 0, -1]
  for (let u = 0; u + 1 < start.length; u++) {
    let [sum, items] = [0, 0]
    for (let j = start[u]!; j < start[u + 1]!; j++) {
      const row = rows[j]!
      const item = log.item[row]!
      if (metBy[item] === u) {
        if (Math.abs(target[row]! - first[item]!) > 1e-9) return undefined
        if (target[row]! >= telling) repeats++
      } else {
        metBy[item] = u
        first[item] = target[row]!
        sum += target[row]!
        items++
      }
    }
    if (sum > page + 1e-6 && sum > page + 1e-6 + roundingOfSum(target, items, sum)) {
      users++
      if (sum > worst) [worst, worstUser] = [sum, u]
    }
  }
  // Without repeats the target may depend on the time too, and then values from different times need not sum
  // to one.
  const sure = repeats >= 10
  if (users === 0 || (!sure && soundPropensity(log))) return undefined
  const share = users / countDistinct(log.user, log.userIds.length)
  return {
    code: 'target-sum',
    level: sure ? 'problem' : 'note',
    column: 'target',
    seen: `For ${counted(users, 'user')} (${formatShare(share)}), the target probabilities of the items they saw sum to more than ${page}, up to ${figure(worst)} for user ${log.userIds[worstUser]}.`,
    why: sure ? whySum : `${whySum} A target that changes over time may legitimately give such sums.`,
    remedy: remedySum,
    numbers: { users, share, largestSum: worst, pageLength: page },
    rows: Array.from(
      rows.subarray(start[worstUser]!, Math.min(start[worstUser]! + 5, start[worstUser + 1]!)),
    ),
  }
}

/** mean(π/b), which is 1 for any target that sums to one over items the logger shows. */
function meanWeight(log: Log, target: Float64Array): Finding | undefined {
  const propensity = soundPropensity(log)
  if (!propensity) return undefined
  const cluster = log.cluster ?? log.user
  const clusters = log.cluster ? (log.clusterIds?.length ?? 0) : log.userIds.length
  const stands = (k: number): number => (log.weight ? log.weight[k]! : 1)
  const itemRows = countRows(log.item, log.itemIds.length)
  let [impressions, sum, squares, largest, once] = [0, 0, 0, 0, 0]
  let [inverses, smallestPropensity, largestTarget] = [0, 1, 0]
  for (let k = 0; k < log.rows; k++) {
    const w = (stands(k) * target[k]!) / propensity[k]!
    impressions += stands(k)
    sum += w
    squares += w * w
    largest = Math.max(largest, w)
    if (itemRows[log.item[k]!] === 1) once += w
    inverses += 1 / propensity[k]!
    smallestPropensity = Math.min(smallestPropensity, propensity[k]!)
    largestTarget = Math.max(largestTarget, target[k]!)
  }
  const typicalPropensity = log.rows / inverses
  const mean = sum / impressions
  const influence = new Float64Array(Math.max(clusters, 1))
  let rowSquares = 0
  for (let k = 0; k < log.rows; k++) {
    const influenceOfRow = stands(k) * (target[k]! / propensity[k]! - mean)
    influence[cluster[k]!]! += influenceOfRow
    rowSquares += influenceOfRow ** 2
  }
  const clusterSquares = influence.reduce((total, value) => total + value * value, 0)
  const seen = countDistinct(cluster, influence.length)
  const correction = seen > 1 ? seen / (seen - 1) : 1
  // With a handful of users their spread says little, so the error of independent rows is a lower bound.
  const standardError = Math.sqrt(Math.max(correction * clusterSquares, rowSquares)) / impressions
  const effective = (sum * sum) / squares
  const difference = Math.abs(mean - 1)
  if (!(difference > 0.05 && difference > 5 * standardError)) {
    return undefined
  }
  if (!(effective >= 100) || largest > 0.05 * sum) return undefined
  const tails = {
    missing: difference,
    once: once / impressions,
    typicalPropensity,
    smallestPropensity,
    largestTarget,
  }
  if (mean < 1 && (effective < 0.1 * log.rows || mayBeUnseen(log, target, propensity, tails)))
    return undefined
  const otherwise =
    mean < 1
      ? ` Or the target puts about ${formatShare(1 - mean)} of its probability on items this log never shows, about which nothing can be said.`
      : ''
  return {
    code: 'target-sum',
    level: 'problem',
    column: 'target',
    seen: `The mean of target / propensity is ${figure(mean)} (standard error ${figure(standardError)}); it should be 1.`,
    why: whySum + otherwise,
    remedy: `${remedySum} Check that target and propensity are the same kind of probability (of one draw, or of being on the page).`,
    numbers: { meanWeight: mean, standardError, effectiveSampleSize: effective },
    rows: matchingRows(log.rows, (k) =>
      mean > 1 ? target[k]! > propensity[k]! : target[k]! < propensity[k]!,
    ).rows,
  }
}

interface Tails {
  /** By how much the mean weight is below 1. */
  readonly missing: number
  /** How much items with a single row contribute to the mean, which is about what items without rows would. */
  readonly once: number
  /** 1 / mean(1/b). */
  readonly typicalPropensity: number
  readonly smallestPropensity: number
  readonly largestTarget: number
}

/**
 * Whether large weights that have not been drawn yet may explain a mean below 1, as they do in sound logs with
 * heavy tails.
 */
function mayBeUnseen(log: Log, target: Float64Array, propensity: Float64Array, tails: Tails): boolean {
  const { missing, once, typicalPropensity, smallestPropensity, largestTarget } = tails
  if (missing < 0.05 + 3 * once || log.rows * missing * typicalPropensity < 10) return true
  const met = (log.rows * missing) / 20
  if (met * smallestPropensity < largestTarget) return true
  // All other items of a row together have probability 1 − b, and 1 − π under the target.
  let rarely = 0
  for (let k = 0; k < log.rows; k++) if (1 - target[k]! > met * (1 - propensity[k]!)) rarely += 1 - target[k]!
  return rarely > (log.rows * missing) / 2
}

/**
 * The largest number of items L on one page of the log: the largest slate, or the number of distinct positions;
 * 1 without either column. Probabilities of *being on the page* sum to L over the items, those of a single draw
 * to 1.
 */
export function pageLength(log: Log): number {
  let longest = 1
  if (log.slate) {
    const counts = countRows(log.slate, log.slateIds?.length ?? 1 + largest(log.slate))
    for (let s = 0; s < counts.length; s++) longest = Math.max(longest, counts[s]!)
  }
  if (log.position) {
    const positions = new Set<number>()
    for (let k = 0; k < log.rows; k++) if (Number.isFinite(log.position[k])) positions.add(log.position[k]!)
    longest = Math.max(longest, positions.size)
  }
  return longest
}

function largest(index: Uint32Array): number {
  let max = 0
  for (let k = 0; k < index.length; k++) if (index[k]! > max) max = index[k]!
  return max
}

/**
 * By how much a sum of rounded probabilities may differ from the true sum: half a unit of the last decimal of each
 * addend, or half a unit of the last significant digit of the sum, whichever is more. Values are assumed
 * to keep at least three decimals and four digits, so that plain numbers such as 0.5 count as exact to that
 * degree.
 */
export function roundingOfSum(values: Float64Array, addends: number, sum: number): number {
  let decimals = 3
  let digits = 4
  for (let k = 0; k < Math.min(values.length, 1000); k++) {
    if (!Number.isFinite(values[k])) continue
    const [mantissa = '', exponent = '0'] = String(values[k]).split('e')
    const fraction = mantissa.split('.')[1]?.length ?? 0
    decimals = Math.max(decimals, fraction - Number(exponent))
    digits = Math.max(digits, mantissa.replace(/^-?0?\.?0*/, '').replace('.', '').length)
  }
  return Math.max(addends * 0.5 * pow(10, -decimals), sum * 0.5 * pow(10, 1 - digits))
}
