import type { Advice } from '../advice.js'
import { advice, set } from '../advice.js'
import type { Log } from '../log/log.js'
import { counted, formatCount } from '../number-text.js'
import { probabilityShift } from './column-shift.js'
import type { Check, Finding } from './finding.js'
import { type Excess, excessOf } from './item-excess.js'
import { matchingRows } from './matching-rows.js'
import { orderedByOutcome } from './ordered-by-outcome.js'
import { hoursOf, positionsOf, type RowParts, tenthsOf, weekdaysOf, wholeOf } from './row-parts.js'
import { isSorted } from './sorted-rows.js'
import { soundPropensity } from './sound-propensity.js'
import { checkTinyPropensity } from './tiny-propensity.js'
import { usersAgree } from './user-agreement.js'
import { weightedExcess } from './weighted-excess.js'
import { figure, verb } from './wording.js'

/** Smaller excesses, such as those of rounded propensities, are left to pass. */
const MATERIAL = 1.05
const MATERIAL_IN_PART = 1.1
/** With fewer rows nothing can be said. */
const ROWS = 100

/**
 * Finds items that were shown more often than their propensities allow: in the whole log, in a tenth of its time,
 * at an hour or on a day of the week, or at a position. Sees propensities that were shuffled, shifted by a row, averaged
 * over time or taken from another logger, and items with a propensity that is too small.
 */
export const checkBalance: Check = (examination) => {
  const { log } = examination
  const propensity = soundPropensity(log)
  if (!propensity || log.rows < ROWS) return []
  // One propensity that cannot be outweighs any number of right ones.
  if (checkTinyPropensity(examination).length > 0) return []
  if (log.weight) return byWeight(log, propensity, log.weight)
  const finding =
    inAll(log, propensity) ??
    byTime(log, propensity) ??
    byClock(log, propensity) ??
    byPosition(log, propensity)
  return finding ? [finding] : []
}

/** Of a thinned log, where rows stand for several: no bet on single rows, but users who agree. */
function byWeight(log: Log, propensity: Float64Array, weight: Float64Array): Finding[] {
  const parts = wholeOf(log)
  const [first, ...others] = weightedExcess(log, propensity, weight).filter(
    ({ sum, rows }) => sum > MATERIAL * rows,
  )
  if (!first) return []
  return [findingOf(log, propensity, parts, [first, ...others], { code: 'item-balance', where: '' })]
}

function inAll(log: Log, propensity: Float64Array): Finding | undefined {
  const parts = wholeOf(log)
  const found = confirmed(log, propensity, parts, excessOf(log, propensity, parts, { ratio: MATERIAL }))
  if (!found) return undefined
  return findingOf(log, propensity, parts, found, { code: 'item-balance', where: '' })
}

function byTime(log: Log, propensity: Float64Array): Finding | undefined {
  const parts = tenthsOf(log)
  const strong = excessOf(log, propensity, parts, { ratio: MATERIAL_IN_PART })
  if (strong.length === 0) return undefined
  if (!log.time && (orderedByOutcome(log) || isSorted(log))) return undefined
  const found = confirmed(
    log,
    propensity,
    parts,
    // The order of a file may be that of its items: only items that occur throughout can be judged by it.
    log.time ? strong : strong.filter(({ item }) => occursThroughout(log, parts, item)),
  )
  if (!found) return undefined
  const tenth = `In the ${ordinal(found[0].part)} tenth of the ${log.time ? 'time' : 'file'}, `
  return findingOf(log, propensity, parts, found, { code: 'balance-by-time', where: tenth })
}

/** A logger may explore at night alone, or on Sundays: tenths of the time average over that, as propensities may do. */
function byClock(log: Log, propensity: Float64Array): Finding | undefined {
  const clocks = [
    { parts: hoursOf(log), where: (part: number) => `From ${3 * part}:00 to ${3 * part + 3}:00 UTC, ` },
    { parts: weekdaysOf(log), where: (part: number) => `On ${WEEKDAYS[part]!}s, ` },
  ]
  for (const { parts, where } of clocks) {
    const found =
      parts &&
      confirmed(log, propensity, parts, excessOf(log, propensity, parts, { ratio: MATERIAL_IN_PART }))
    if (found)
      return findingOf(log, propensity, parts, found, {
        code: 'balance-by-time',
        where: where(found[0].part),
      })
  }
  return undefined
}

function byPosition(log: Log, propensity: Float64Array): Finding | undefined {
  const parts = positionsOf(log)
  if (!parts) return undefined
  const found = confirmed(
    log,
    propensity,
    parts,
    excessOf(log, propensity, parts, { ratio: MATERIAL_IN_PART }),
  )
  if (!found) return undefined
  const row = parts.index.indexOf(found[0].part)
  const position = `At position ${log.position![row]}, `
  return findingOf(log, propensity, parts, found, { code: 'balance-by-position', where: position })
}

/** The excesses on which users agree, or undefined if there are none. */
function confirmed(
  log: Log,
  propensity: Float64Array,
  parts: RowParts,
  found: readonly Excess[],
): readonly [Excess, ...Excess[]] | undefined {
  // The first few speak for the rest.
  const agreed = found.slice(0, 5).find((excess) => usersAgree(log, propensity, parts, excess))
  return agreed ? [agreed, ...found.filter((excess) => excess !== agreed)] : undefined
}

function findingOf(
  log: Log,
  propensity: Float64Array,
  parts: RowParts,
  found: readonly [Excess, ...Excess[]],
  { code, where }: { code: string; where: string },
): Finding {
  const { item, part } = found[0]
  return excessFinding(found[0], {
    code,
    where,
    item: log.itemIds[item]!,
    others: new Set(found.map((excess) => excess.item)).size - 1,
    shift: probabilityShift(log, propensity),
    examples: matchingRows(log.rows, (k) => log.item[k] === item && parts.index[k] === part).rows,
  })
}

/** The finding of an item that was shown too often, and of so many others. */
export function excessFinding(
  { rows, shown, sum, evidence }: Pick<Excess, 'rows' | 'shown' | 'sum' | 'evidence'>,
  {
    code,
    where,
    item,
    others,
    shift,
    examples,
  }: {
    readonly code: string
    readonly where: string
    readonly item: string
    readonly others: number
    readonly shift: -1 | 0 | 1
    readonly examples: readonly number[]
  },
): Finding {
  const expected = (shown * rows) / sum
  const first = where === '' ? 'Item' : 'item'
  return {
    code,
    level: 'problem',
    column: 'propensity',
    seen: `${where}${first} ${item} was shown in ${formatCount(shown)} of ${counted(rows, 'row')}; its propensities imply about ${figure(expected)}.${others > 0 ? ` ${counted(others, 'other item')} ${verb(others, 'stands', 'stand')} out in the same way.` : ''}`,
    why: `With the right propensities, 1/propensity summed over the rows of an item is at most the number of rows, apart from chance. Here it is ${figure(sum / rows)} times that, so importance weights are wrong.`,
    remedy: remedyFor(shift, code),
    numbers: { shown, expected, rows, ratio: sum / rows, evidence, items: others + 1, shift },
    rows: examples,
    lowersTo: 'refuse',
  }
}

function remedyFor(shift: -1 | 0 | 1, code: string): string | Advice {
  if (shift !== 0)
    return `The propensities fit the item of the row ${shift < 0 ? 'above' : 'below'} better than the item of their own row: look for a column that slipped by one row.`
  if (code === 'balance-by-time')
    return 'Log the probability at the time of each draw, not its average. Check that the logging policy did not change without its propensities.'
  if (code === 'balance-by-position')
    return 'Log the probability of the item at its own position, given what stands above it. A single value for all positions does not fit.'
  return advice`Check that the propensities belong to these rows and to the policy that drew them, and that no rows were left out because of their outcome. If another column holds the probabilities, choose it with ${set('columns', 'propensity=…')}.`
}

/** Whether the item occurs in at least five tenths, and in none of them with more than half of its rows. */
function occursThroughout(log: Log, parts: RowParts, item: number): boolean {
  const shown = new Uint32Array(parts.sizes.length)
  let total = 0
  for (let k = 0; k < log.rows; k++) {
    if (log.item[k] !== item) continue
    shown[parts.index[k]!]!++
    total++
  }
  return shown.filter((rows) => rows > 0).length >= 5 && shown.every((rows) => rows <= total / 2)
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

const ordinal = (part: number): string =>
  ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'last'][part]!
