import type { Log } from '../log/log.js'
import { counted, formatCount } from '../number-text.js'
import { log as naturalLog } from '../portable-math.js'
import type { Check, Finding } from './finding.js'
import { matchingRows } from './matching-rows.js'
import { pageLength } from './page-length.js'
import { countSameItemPairs } from './same-item-pairs.js'
import { soundPropensity } from './sound-propensity.js'
import { timeOrder } from './time-order.js'
import { effectiveRows, type WindowSums, windowSums } from './window-sums.js'
import { figure, verb } from './wording.js'
import { countRows } from '../log/row-groups.js'

const ALPHA = 1e-4
/** Only items shown in fewer than half of the rows that their propensities imply are reported. */
const MATERIAL = 1 / 2

interface Deficit {
  readonly item: number
  readonly ratio: number
  readonly evidence: number
}

/**
 * Finds items shown more rarely than their propensities imply, between their first and their last row. An item that
 * was not always available, or not to everyone, is shown too rarely for good reasons. So it is reported only where
 * three quarters of the other items are in balance, and it is a problem only where its rows are spread over users
 * and time as those of an item that was always available.
 */
export const checkItemDeficit: Check = ({ log }) => {
  const propensity = soundPropensity(log)
  if (!propensity || log.weight || log.rows < 100 || pageLength(log) > 1) return []
  const order = timeOrder(log)
  const sums = windowSums(log, propensity, order)
  const { inBalance, judged } = balanced(sums)
  if (inBalance < 3 || inBalance < 0.75 * judged) return []
  const found = deficitsOf(log, sums)
  if (found.length === 0 || withoutReplacement(log, propensity)) return []
  const proven = log.time
    ? found.find(({ item, ratio }) => {
        const placed = rowsInWindow(sums, order, item)
        return isEven(log, placed, item) && isSpread(log, propensity, placed, item, ratio)
      })
    : undefined
  return [
    findingOf(log, sums, proven ?? found[0]!, {
      problem: proven !== undefined,
      inBalance,
      judged,
      others: found.length - 1,
    }),
  ]
}

/** How many items have enough rows to be judged, and how many of those are in balance. */
function balanced(sums: WindowSums): { inBalance: number; judged: number } {
  let [inBalance, judged] = [0, 0]
  for (let item = 0; item < sums.rows.length; item++) {
    if (effectiveRows(sums, item) < 20) continue
    judged++
    const ratio = sums.sum[item]! / sums.rows[item]!
    if (ratio > 0.75 && ratio < 4 / 3) inBalance++
  }
  return { inBalance, judged }
}

/** Items whose rows are too few for chance: n·KL(c/n ‖ b) of a Poisson count is above ln(items/α). */
function deficitsOf(log: Log, sums: WindowSums): Deficit[] {
  const limit = naturalLog(log.itemIds.length / ALPHA)
  const found: Deficit[] = []
  for (let item = 0; item < sums.rows.length; item++) {
    const ratio = sums.sum[item]! / sums.rows[item]!
    if (sums.shown[item]! < 5 || !(ratio < MATERIAL)) continue
    const evidence = effectiveRows(sums, item) * (naturalLog(ratio) - 1 + 1 / ratio)
    if (evidence > limit) found.push({ item, ratio, evidence })
  }
  return found.toSorted((a, b) => b.evidence - a.evidence)
}

/** Whether users hardly ever see an item again, as when it is taken from those that remain. */
function withoutReplacement(log: Log, propensity: Float64Array): boolean {
  const rows = countRows(log.user, log.userIds.length)
  let expected = 0
  for (let k = 0; k < log.rows; k++) expected += (rows[log.user[k]!]! - 1) * propensity[k]!
  return expected >= 20 && countSameItemPairs(log).pairs < 0.5 * expected
}

function rowsInWindow(
  { first, last }: WindowSums,
  order: Uint32Array | undefined,
  item: number,
): Uint32Array {
  const [from, to] = [first[item]! + 1, last[item]!]
  return order?.subarray(from, to) ?? Uint32Array.from({ length: to - from }, (_, k) => from + k)
}

/**
 * Whether the rows of the item are spread over its window as by chance, so that it was never away: χ² over pieces of
 * about five rows each is within three standard deviations of its mean.
 */
function isEven(log: Log, rows: Uint32Array, item: number): boolean {
  let shown = 0
  for (const row of rows) if (log.item[row] === item) shown++
  const pieces = Math.min(200, Math.max(4, Math.floor(shown / 5)))
  const counts = new Uint32Array(pieces)
  for (let place = 0; place < rows.length; place++)
    if (log.item[rows[place]!] === item) counts[Math.floor((pieces * place) / rows.length)]!++
  const mean = shown / pieces
  const chi2 = counts.reduce((sum, count) => sum + (count - mean) ** 2 / mean, 0)
  return chi2 < pieces - 1 + 3 * Math.sqrt(2 * (pieces - 1))
}

/**
 * Whether the item was shown to all users alike, rather than as propensities say to some of them. For an item
 * with propensities too large by 1/ρ, pairs of rows of one user that both show it are ρ² of what propensities
 * imply; for an item available to a share ρ of the users, ρ of it. False where such pairs are too few to tell.
 */
function isSpread(
  log: Log,
  propensity: Float64Array,
  rows: Uint32Array,
  item: number,
  ratio: number,
): boolean {
  const sums = new Float64Array(log.userIds.length)
  const counts = new Uint32Array(log.userIds.length)
  let [own, inverses, shown] = [0, 0, 0]
  for (const row of rows) {
    counts[log.user[row]!]!++
    if (log.item[row] !== item) continue
    const inverse = 1 / propensity[row]!
    sums[log.user[row]!]! += inverse
    own += inverse * inverse
    inverses += inverse
    shown++
  }
  let [pairs, implied] = [-own, 0]
  for (let u = 0; u < sums.length; u++) {
    pairs += sums[u]! ** 2
    implied += counts[u]! * (counts[u]! - 1)
  }
  const pairsIfForSome = (ratio * implied) / (inverses / shown) ** 2
  return pairsIfForSome >= 16 && pairs < ratio * Math.sqrt(ratio) * implied
}

function findingOf(
  log: Log,
  sums: WindowSums,
  { item, ratio, evidence }: Deficit,
  {
    problem,
    inBalance,
    judged,
    others,
  }: { problem: boolean; inBalance: number; judged: number; others: number },
): Finding {
  const shown = sums.shown[item]!
  const rows = sums.rows[item]!
  return {
    code: 'item-deficit',
    level: problem ? 'problem' : 'note',
    column: 'propensity',
    seen: `Between its first and last row, item ${log.itemIds[item]} was shown in ${formatCount(shown)} of ${counted(rows, 'row')}; its propensities imply about ${figure(shown / ratio)}.${others > 0 ? ` ${counted(others, 'other item')} ${verb(others, 'was', 'were')} shown too rarely as well.` : ''}`,
    why: `${formatCount(inBalance)} of ${counted(judged, 'item')} are shown as often as their propensities imply. ${problem ? 'This one is shown to all users and at all times, so its propensities are too large.' : 'The propensities of this one may be too large, unless it was available only at times or to some users.'}`,
    remedy: problem
      ? 'Log the probability with which the item was drawn. Look for a floor, a boost or a filter that was applied after the probability was computed.'
      : 'Nothing to do if the item was not always available. Otherwise check how its propensity is computed.',
    numbers: { shown, expected: shown / ratio, rows, ratio, evidence, inBalance, judged },
    rows: matchingRows(log.rows, (k) => log.item[k] === item).rows,
    ...(problem && { lowersTo: 'caution' as const }),
  }
}
