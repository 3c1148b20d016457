import type { Log } from '../log/log.js'
import type { Check } from './finding.js'
import { matchingRows } from './matching-rows.js'
import { pageLength } from './page-length.js'
import { countDistinct, rowsByUser } from '../log/row-groups.js'
import { timeOrder } from './time-order.js'
import { effectiveRows, windowSums } from './window-sums.js'
import { soundPropensity } from './sound-propensity.js'
import { counted, formatCount } from '../number-text.js'
import { figure, percent } from './wording.js'

/**
 * Finds a smallest propensity that several items share, and distinguishes a floor applied afterwards (items drawn
 * far more rarely than it implies) from exploration and from ties.
 */
export const checkPropensityFloor: Check = ({ log }) => {
  const propensity = soundPropensity(log)
  if (!propensity) return []
  let floor = Infinity
  for (let k = 0; k < log.rows; k++) if (propensity[k]! < floor) floor = propensity[k]!
  const top = floor * (1 + 1e-9)
  const { count: atFloor, rows } = matchingRows(log.rows, (k) => propensity[k]! <= top)
  if (atFloor === log.rows) return []
  const floorItems = countDistinct(
    log.item.filter((_, k) => propensity[k]! <= top),
    log.itemIds.length,
  )
  if (floorItems < 2) return []

  const share = atFloor / log.rows
  const judged = hasThreeValues(propensity) && !log.weight
  const byContext = judged ? expectedAtFloor(log, propensity, top) : undefined
  const draws =
    byContext && tooFew(byContext)
      ? byContext
      : judged
        ? (floorItemsByWindow(log, propensity, top) ?? byContext)
        : undefined
  const numbers = { floor, atFloor, share, floorItems, ...(draws && { expected: draws.expected }) }
  const shared = `${counted(atFloor, 'row')} (${percent(share)}) of ${counted(floorItems, 'item')} share the smallest propensity, ${figure(floor)}`
  if (draws && tooFew(draws)) {
    return [
      {
        code: 'propensity-floor',
        level: 'problem',
        lowersTo: 'caution',
        column: 'propensity',
        seen: `${shared}; draws with that probability would have given about ${counted(Math.round(draws.expected), 'row')}, not ${formatCount(draws.observed)}.`,
        why: 'The propensities were raised to a floor after the draw. Rarely shown items get weights that are too small, and estimates lean towards what the logger favoured.',
        remedy:
          'Log the probability with which the item was drawn, before any floor. To limit weights, clip them when estimating (clipped-ips), which reports the bias.',
        numbers,
        rows,
      },
    ]
  }
  if (share < 0.05) return []
  return [
    {
      code: 'propensity-floor',
      level: 'note',
      column: 'propensity',
      seen: `${shared}.`,
      why: 'Exploration (ε-greedy) and equally popular items explain this; a floor applied after the draw would make the weights of these rows too small.',
      remedy:
        'Nothing to do if the logger drew with this probability. If values were raised to it afterwards, log the original ones.',
      numbers,
      rows,
    },
  ]
}

/** Whether rows at the floor are fewer than half of those expected, beyond chance. */
const tooFew = ({ observed, expected }: Draws): boolean =>
  observed < 0.5 * expected && expected - observed > 5 * Math.sqrt(expected)

/** An ε-greedy logger has two values, and its smaller one is no floor. */
function hasThreeValues(propensity: Float64Array): boolean {
  const values = new Set<number>()
  for (let k = 0; k < propensity.length && values.size < 3; k++) values.add(propensity[k]!)
  return values.size >= 3
}

interface Draws {
  readonly observed: number
  readonly expected: number
}

/**
 * Rows at the floor, and how many n·b predicts, over the whole log when each item has one propensity, else
 * user by user when each item has one per user; undefined when propensities vary by more than that, since
 * then it is unknown how often an item was at the floor. Items above the floor set the scale, because
 * probabilities of being on a page of L items predict L times the rows there are. Items at the floor by chance
 * raise only `observed`, which errs on the safe side.
 */
function expectedAtFloor(log: Log, propensity: Float64Array, top: number): Draws | undefined {
  const whole = {
    start: Uint32Array.of(0, log.rows),
    rows: Uint32Array.from({ length: log.rows }, (_, k) => k),
  }
  const page = pageLength(log)
  for (const { start, rows } of [whole, rowsByUser(log)]) {
    const metBy = new Int32Array(log.itemIds.length).fill(-1)
    const first = new Float64Array(log.itemIds.length)
    let [observed, expected, observedAbove, expectedAbove] = [0, 0, 0, 0]
    let settled = true
    for (let g = 0; settled && g + 1 < start.length; g++) {
      const shown = start[g + 1]! - start[g]!
      for (let j = start[g]!; j < start[g + 1]!; j++) {
        const row = rows[j]!
        const item = log.item[row]!
        const b = propensity[row]!
        const met = metBy[item] === g
        if (met && Math.abs(b - first[item]!) > 1e-9 * b) {
          settled = false
          break
        }
        metBy[item] = g
        first[item] = b
        if (b <= top) {
          observed++
          if (!met) expected += shown * b
        } else {
          observedAbove++
          if (!met) expectedAbove += shown * b
        }
      }
    }
    if (settled) return { observed, expected: expected * Math.min(1 / page, observedAbove / expectedAbove) }
  }
  return undefined
}

/**
 * Rows of the items that are mostly at the floor, and how many their propensities predict between the first and the
 * last of them, for propensities that vary by user or context. Undefined unless three items that are hardly ever at
 * the floor are in balance, which shows that such a prediction holds in this log.
 */
function floorItemsByWindow(log: Log, propensity: Float64Array, top: number): Draws | undefined {
  if (pageLength(log) > 1) return undefined
  const sums = windowSums(log, propensity, timeOrder(log))
  const atFloor = new Uint32Array(log.itemIds.length)
  for (let k = 0; k < log.rows; k++) if (propensity[k]! <= top) atFloor[log.item[k]!]!++
  let [low, observed, expected, above, inBalance] = [0, 0, 0, 0, 0]
  for (let item = 0; item < atFloor.length; item++) {
    if (sums.shown[item]! < 1) continue
    const share = atFloor[item]! / (sums.shown[item]! + 2)
    const ratio = sums.sum[item]! / sums.rows[item]!
    if (share > 0.5) {
      low++
      observed += sums.shown[item]!
      expected += sums.shown[item]! / ratio
    } else if (share < 0.1 && effectiveRows(sums, item) >= 20) {
      above++
      if (ratio > 0.75 && ratio < 4 / 3) inBalance++
    }
  }
  return low >= 3 && inBalance >= 3 && inBalance >= 0.75 * above ? { observed, expected } : undefined
}
