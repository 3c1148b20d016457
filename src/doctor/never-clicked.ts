import type { Log } from '../log/log.js'
import { countRows } from '../log/row-groups.js'
import { counted, formatCount } from '../number-text.js'
import { log as naturalLog } from '../portable-math.js'
import { fitByGroup, fitByRow, logChanceOfNone, type RatePrior } from './beta-binomial.js'
import type { Check, Finding } from './finding.js'
import { matchingRows } from './matching-rows.js'
import { percent, verb } from './wording.js'

/** Counts items and users without a click, and names those for which chance is an unlikely explanation. */
export const checkNeverClicked: Check = ({ log }) => {
  let clicked = false
  for (let k = 0; k < log.rows; k++) {
    if (!(log.reward[k]! >= 0)) return []
    clicked ||= log.reward[k]! > 0
  }
  return clicked ? [...neverClicked(log, 'item'), ...neverClicked(log, 'user')] : []
}

function neverClicked(log: Log, column: 'item' | 'user'): Finding[] {
  const index = log[column]
  const ids = log[`${column}Ids`]
  const rows = countRows(index, ids.length)
  const clicks = new Float64Array(ids.length)
  for (let k = 0; k < log.rows; k++) if (log.reward[k]! > 0) clicks[index[k]!]!++

  let [never, impressions, seen, withClicks, clicksInAll] = [0, 0, 0, 0, 0]
  for (let g = 0; g < ids.length; g++) {
    if (rows[g] === 0) continue
    seen++
    clicksInAll += clicks[g]!
    if (clicks[g]! > 0) withClicks++
    else {
      never++
      impressions += rows[g]!
    }
  }
  if (never === 0) return []

  const suspects = suspicious(rows, clicks, seen, withClicks)
  const share = impressions / log.rows
  const base = { code: `${column}s-never-clicked`, column } as const
  const numbers = { never, of: seen, impressions, share }
  const without = (number: number): string =>
    column === 'item' ? `${verb(number, 'was', 'were')} never clicked` : 'never clicked'
  const all = `${formatCount(never)} of ${counted(seen, column)} ${without(never)} (${counted(impressions, 'row')}, ${percent(share)})`
  if (suspects.length > 0) {
    const shown = suspects.toSorted((a, b) => rows[b]! - rows[a]!)
    const named = shown.slice(0, 3).map((g) => `${ids[g]} (${counted(rows[g]!, 'row')})`)
    const more = shown.length > named.length ? ` and ${formatCount(shown.length - named.length)} more` : ''
    const suspect = new Set(shown)
    const met = new Set<number>()
    const first = matchingRows(log.rows, (k) => {
      const group = index[k]!
      if (!suspect.has(group) || met.has(group)) return false
      met.add(group)
      return true
    })
    return [
      {
        ...base,
        level: 'problem',
        seen: `${column === 'item' ? 'Item' : 'User'}${shown.length === 1 ? '' : 's'} ${named.join(', ')}${more} ${without(shown.length)}, although ${percent(clicksInAll / log.rows)} of all rows have a click. In all, ${all}.`,
        why: `Given how click-through rates vary across ${column}s, chance produces this in fewer than 1 of 1,000 such logs: clicks were probably lost.`,
        remedy: `Check that all clicks were joined for ${shown.length === 1 ? `this ${column}` : `these ${column}s`}${column === 'user' ? `, and that ${shown.length === 1 ? 'this is a real person' : 'these are real people'}` : ''}; leave out what was not tracked.`,
        numbers: { ...numbers, suspicious: suspects.length, rowsOfFirst: rows[shown[0]!]! },
        rows: first.rows,
      },
    ]
  }
  return [
    {
      ...base,
      level: 'note',
      seen: `${all}.`,
      why:
        column === 'item'
          ? `The log cannot distinguish these items. The most shown has ${counted(mostShown(rows, clicks), 'row')}, few enough for chance to explain.`
          : `The log does not show what these users like. The most active has ${counted(mostShown(rows, clicks), 'row')}, few enough for chance to explain.`,
      remedy:
        'Nothing to do. More rows would help, as would a model that borrows strength across items and users.',
      numbers,
      rows: [],
    },
  ]
}

/** Those without a click for whom the probability of that, corrected for multiple testing, is below 0.001. */
function suspicious(rows: Uint32Array, clicks: Float64Array, seen: number, withClicks: number): number[] {
  // A spread cannot be fitted to one or two rates.
  if (withClicks < 3) return []
  const counts = { rows, clicks }
  const byRow = fitByRow(counts)
  // Rarely shown items are mostly noise and a few often-shown ones outvote the rest, so those shown about as
  // often or more decide; powers of two keep the number of fits small.
  const comparable = new Map<number, RatePrior>()
  const limit = naturalLog(0.001 / seen)
  const found: number[] = []
  for (let g = 0; g < rows.length; g++) {
    if (rows[g] === 0 || clicks[g]! > 0 || logChanceOfNone(byRow, rows[g]!) >= limit) continue
    let atLeast = 1
    while (20 * atLeast <= rows[g]!) atLeast *= 2
    const prior = comparable.get(atLeast) ?? fitByGroup(counts, atLeast)
    comparable.set(atLeast, prior)
    if (logChanceOfNone(prior, rows[g]!) < limit) found.push(g)
  }
  return found
}

function mostShown(rows: Uint32Array, clicks: Float64Array): number {
  let most = 0
  for (let g = 0; g < rows.length; g++) if (clicks[g] === 0 && rows[g]! > most) most = rows[g]!
  return most
}
