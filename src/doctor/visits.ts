import type { Log } from '../log/log.js'
import { countRows, forEachGroup, rowsByUser } from '../log/row-groups.js'
import { counted, formatCount, formatShare } from '../number-text.js'
import type { Check, Finding } from './finding.js'
import { type RowUnits, rowUnits } from './row-units.js'

/** With fewer units of several rows nothing is said. */
const FEWEST = 100
/** Of units with a click, those that are an exception to a rule that was kept elsewhere. */
const EXCEPTIONS = 0.01
/** The share of units with just one click from which those without are missed. */
const JUST_ONE = 0.3
/** Pairs of clicks to be expected before their absence means something, and the share of them that may be seen. */
const PAIRS = 20
const PAIRS_SEEN = 0.05

/**
 * Finds outcomes that belong to a page, a session or a user's day as a whole: one outcome copied to all of its rows, those
 * without a click left out, or no click but the first counted. Each of them is a rule of whoever wrote the log, not of
 * chance, so it is reported only where there are hardly any exceptions to it.
 */
export const checkVisits: Check = ({ log }) => {
  if (log.weight || log.reward.some((reward) => !(reward >= 0))) return []
  const units = rowUnits(log)
  const first = (look: (units: RowUnits) => Finding | undefined): Finding[] => {
    for (const one of units) {
      const finding = look(one)
      if (finding) return [finding]
    }
    return []
  }
  const copied = first((one) => copiedRewards(log, one))
  if (copied.length > 0) return copied
  const filtered = first((one) => clickedAlone(log, one))
  // What a page does to its clicks is a question of its slots, which estimators know of.
  return filtered.length > 0
    ? filtered
    : first((one) => (one.what === 'pages' ? undefined : firstClicks(log, one)))
}

/** One reward on all rows of a unit, whatever they show, though not on all units. */
function copiedRewards({ rows, item, reward }: Log, { what, index, count }: RowUnits): Finding | undefined {
  const first = new Int32Array(count).fill(-1)
  const hasItems = new Uint8Array(count)
  const isMixed = new Uint8Array(count)
  for (let row = 0; row < rows; row++) {
    const unit = index[row]!
    if (first[unit] === -1) first[unit] = row
    if (item[row] !== item[first[unit]!]) hasItems[unit] = 1
    if (reward[row] !== reward[first[unit]!]) isMixed[unit] = 1
  }
  let [all, paid, mixed] = [0, 0, 0]
  for (let unit = 0; unit < count; unit++) {
    if (hasItems[unit] === 0) continue
    all++
    if (isMixed[unit] === 1) mixed++
    else if (reward[first[unit]!]! > 0) paid++
  }
  const nothing = all - paid - mixed
  // Where nearly all rows are clicked, or hardly any, rewards agree by themselves.
  if (paid < FEWEST || nothing < 0.05 * all || mixed > EXCEPTIONS * paid) return undefined
  return {
    code: 'rewards-copied',
    level: 'problem',
    column: 'reward',
    lowersTo: 'caution',
    seen: `In ${formatCount(all - mixed)} of ${formatCount(all)} ${what} with several items all rows have the same reward, and in ${formatCount(paid)} of these it is above 0.`,
    why: `The reward of the whole seems to be copied to each row. It then counts once for every item shown, even those that had no part in it, and all items seem to earn the same.`,
    remedy: 'Give each row the reward of its own item, and 0 to the others.',
    numbers: { units: all, paid, mixed },
    rows: [],
  }
}

/** No unit is without a click, though most have just one: those without were left out. */
function clickedAlone(log: Log, { what, index, count }: RowUnits): Finding | undefined {
  const sizes = countRows(index, count)
  const clicks = clicksOf(log, index, count)
  const seen = [0, 0, 0]
  for (let unit = 0; unit < count; unit++) if (sizes[unit]! > 1) seen[Math.min(2, clicks[unit]!)]!++
  const [none, one, more] = seen as [number, number, number]
  const all = none + one + more
  // Clicks by chance that leave 1 % of units without give at most 18 % just one: 2√.01(1 − √.01), for units of two rows.
  if (one < FEWEST || one < JUST_ONE * all || none > EXCEPTIONS * all) return undefined
  return {
    code: 'visits-filtered',
    level: 'problem',
    column: 'user',
    lowersTo: 'caution',
    seen: `${none === 0 ? 'None' : `Only ${formatCount(none)}`} of ${formatCount(all)} ${what} with several rows ${none > 1 ? 'are' : 'is'} without a click, and ${formatShare(one / all)} of them have just one.`,
    why: 'They seem to have been kept because they have a click. Every click-through rate is then too high, and by more for what is rarely clicked.',
    remedy: `Export all impressions, clicks or not. If ${what} must end in a click, read results as values among those.`,
    numbers: { units: all, none, one },
    rows: [],
  }
}

/** Hardly any unit has two clicks, though users who click do so in other units too: clicks after the first are lost, or never made. */
function firstClicks(log: Log, { what, index, count }: RowUnits): Finding | undefined {
  const inUnits = pairsWithin(log, index, count)
  // Users may stop at a click on a page, which estimators of pages know: only pairs of rows on different pages count.
  const onPages = log.slate && log.slateIds ? pairsWithin(log, log.slate, log.slateIds.length) : undefined
  let [expected, seen] = [0, 0]
  forEachGroup(rowsByUser(log), (_, rows) => {
    let [own, together, clicked] = [0, 0, 0]
    for (const row of rows) {
      if (log.reward[row]! > 0) own++
      together += inUnits.rows[row]! - (onPages?.rows[row] ?? 0)
      clicked += inUnits.clicks[row]! - (onPages?.clicks[row] ?? 0)
    }
    if (own < 2 || together === 0) return
    expected += (pairs(own) * together) / pairs(rows.length)
    seen += clicked
  })
  if (expected < PAIRS || seen > PAIRS_SEEN * expected) return undefined
  return {
    code: 'one-click-per-visit',
    level: 'problem',
    column: 'reward',
    lowersTo: 'caution',
    seen: `${seen === 0 ? 'None' : `Only ${formatCount(seen)}`} of the ${counted(Math.round(expected), 'pair')} of clicks that users’ other clicks imply in the same ${what} ${seen > 1 ? 'are' : 'is'} there: after a click, no other follows.`,
    why: 'Clicks after the first seem not to be counted, and then rates are too low. Or users leave after a click, and then what a row earns depends on the rows before it, which a policy that shows other items would change.',
    remedy:
      'Count every click, or keep no row after the first. If users leave after a click, take the whole visit as one decision, with its outcome as the reward.',
    numbers: { expected, seen },
    rows: [],
  }
}

const pairs = (of: number): number => (of * (of - 1)) / 2

/** The pairs of rows of each unit, and those of its clicks, on its first row; 0 on the others. */
function pairsWithin(
  log: Log,
  index: Uint32Array,
  count: number,
): { readonly rows: Float64Array; readonly clicks: Float64Array } {
  const sizes = countRows(index, count)
  const clicked = clicksOf(log, index, count)
  const [rows, clicks] = [new Float64Array(log.rows), new Float64Array(log.rows)]
  const isCounted = new Uint8Array(count)
  for (let row = 0; row < log.rows; row++) {
    const unit = index[row]!
    if (isCounted[unit] === 1) continue
    isCounted[unit] = 1
    rows[row] = pairs(sizes[unit]!)
    clicks[row] = pairs(clicked[unit]!)
  }
  return { rows, clicks }
}

function clicksOf({ rows, reward }: Log, index: Uint32Array, count: number): Uint32Array {
  const clicks = new Uint32Array(count)
  for (let row = 0; row < rows; row++) if (reward[row]! > 0) clicks[index[row]!]!++
  return clicks
}
