import { advice, set } from '../advice.js'
import { rowsByUser } from '../log/row-groups.js'
import { counted, formatCount } from '../number-text.js'
import type { Check } from './finding.js'
import { soundPropensity } from './sound-propensity.js'
import { percent } from './wording.js'

/** Items that a user saw at least this often can show that their propensity goes back and forth. */
const ROWS = 4
const PAIRS = 30

/**
 * Notes that two logging policies are mixed without a mark: a user's rows of one item have exactly two
 * propensities, to and fro, for most users and items that occur together often enough.
 */
export const checkMixedLoggers: Check = ({ log }) => {
  const propensity = soundPropensity(log)
  if (!propensity || log.contexts) return []
  const { start, rows } = rowsByUser(log)
  const items = log.itemIds.length
  const metBy = new Int32Array(items).fill(-1)
  const [one, other, latest] = [new Float64Array(items), new Float64Array(items), new Float64Array(items)]
  const [shown, changes, further] = [new Uint32Array(items), new Uint32Array(items), new Uint8Array(items)]
  let [pairs, mixed] = [0, 0]
  for (let u = 0; u + 1 < start.length; u++) {
    const own = rows.subarray(start[u]!, start[u + 1]!)
    if (own.length < ROWS) continue
    for (const row of own) {
      const [item, b] = [log.item[row]!, propensity[row]!]
      if (metBy[item] !== u) {
        metBy[item] = u
        one[item] = b
        other[item] = latest[item] = b
        shown[item] = changes[item] = further[item] = 0
      }
      shown[item]!++
      if (b === latest[item]) continue
      changes[item]!++
      latest[item] = b
      if (other[item] === one[item]) other[item] = b
      else if (b !== one[item] && b !== other[item]) further[item] = 1
    }
    for (const row of own) {
      const item = log.item[row]!
      if (shown[item]! < ROWS) continue
      pairs++
      if (further[item] === 0 && changes[item]! > 1) mixed++
      shown[item] = 0
    }
  }
  if (pairs < PAIRS || mixed < 0.5 * pairs) return []
  return [
    {
      code: 'two-loggers',
      level: 'note',
      column: 'propensity',
      seen: `Of ${counted(pairs, 'combination')} of a user and an item with ${ROWS} rows or more, ${formatCount(mixed)} (${percent(mixed / pairs)}) have exactly two propensities that alternate.`,
      why: 'Two logging policies seem to be mixed in this log, or the logger knew something that the log does not record. Each row needs the probability under the policy that drew it.',
      remedy: advice`Check that each row has the propensity of its own policy. If a column names that policy, give it with ${set('loggers', 'COLUMN')}. If others hold the probability of the item shown under each, name them too, with ${set('loggers', 'COLUMN:a=P_A,b=P_B')}. Both make estimates more precise.`,
      numbers: { pairs, mixed, share: mixed / pairs },
      rows: [],
    },
  ]
}
