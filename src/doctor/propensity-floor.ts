import type { Log } from '../log/log.js'
import type { Check } from './finding.js'
import { matchingRows } from './matching-rows.js'
import { pageLength } from './page-length.js'
import { countDistinct, rowsByUser } from '../log/row-groups.js'
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
  const draws = hasFiveValues(propensity) && !log.weight ? expectedAtFloor(log, propensity, top) : undefined
  const numbers = { floor, atFloor, share, floorItems, ...(draws && { expected: draws.expected }) }
  const shared = `${counted(atFloor, 'row')} (${percent(share)}) of ${counted(floorItems, 'item')} share the smallest propensity, ${figure(floor)}`
  if (
    draws &&
    draws.observed < 0.5 * draws.expected &&
    draws.expected - draws.observed > 5 * Math.sqrt(draws.expected)
  ) {
    return [
      {
        code: 'propensity-floor',
        level: 'problem',
        lowersTo: 'caution',
        column: 'propensity',
        seen: `${shared}; draws with that probability would have given about ${counted(draws.expected, 'row')}, not ${formatCount(draws.observed)}.`,
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

function hasFiveValues(propensity: Float64Array): boolean {
  const values = new Set<number>()
  for (let k = 0; k < propensity.length && values.size < 5; k++) values.add(propensity[k]!)
  return values.size >= 5
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
