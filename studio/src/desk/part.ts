import { tallyItems } from '$core/describe/describe.js'
import { HindcastError } from '$core/error.js'
import { rewardsOf } from '$core/estimate/segments/memory-segments.js'
import { rankTally } from '$core/figures/ranks.js'
import { daysOf } from '$core/log/days.js'
import { type Log, takeRows } from '$core/log/log.js'

/** What rows can be chosen by: their day since 1970 in UTC, their position, the rank of their item by impressions. */
export type PartBy = 'day' | 'position' | 'rank'

/** A condition on rows: both ends belong to it. */
export interface Condition {
  readonly by: PartBy
  readonly from: number
  readonly to: number
}

/** Rows that meet all conditions; none are conditions of the whole log. */
export type Part = readonly Condition[]

const NO_PART: Part = []

/** The number of each row that a condition is about; undefined where the log does not tell. */
function numbersBy(log: Log, by: PartBy): ArrayLike<number> | undefined {
  if (by === 'position') return log.position
  return by === 'day' ? dayNumbers(log) : rankNumbers(log)
}

function dayNumbers(log: Log): Float64Array | undefined {
  const days = daysOf(log)
  if (!days) return undefined
  const numbers = days.ids.map(Number)
  return Float64Array.from(days.index, (place) => numbers[place]!)
}

/** The rank of the item of each row: 1 for the item with the most impressions. */
function rankNumbers(log: Log): Float64Array {
  const rankOf = new Float64Array(log.itemIds.length)
  rankTally(tallyItems(log)).forEach((item, place) => (rankOf[item] = place + 1))
  return Float64Array.from(log.item, (item) => rankOf[item]!)
}

const numbersKnown = new WeakMap<Log, Map<PartBy, ArrayLike<number> | undefined>>()

/** The same, remembered for the open log: brushing asks again and again. */
export function knownNumbers(log: Log, by: PartBy): ArrayLike<number> | undefined {
  const known = numbersKnown.get(log) ?? new Map<PartBy, ArrayLike<number> | undefined>()
  numbersKnown.set(log, known)
  if (!known.has(by)) known.set(by, numbersBy(log, by))
  return known.get(by)
}

/** At most this many parts of a log are kept. */
const MOST_PARTS = 3
const parts = new WeakMap<Log, Map<string, Log>>()

/**
 * The rows of a log that belong to a part of the open log, which ranks its items. Policies choose items, so rows of some
 * items are no sample of what a policy shows: such a part keeps all rows, and counts the rewards of those items alone.
 */
export function rowsInPart(rows: Log, part: Part = NO_PART, whole: Log = rows): Log {
  if (part.length === 0) return rows
  const known = parts.get(rows) ?? new Map<string, Log>()
  parts.set(rows, known)
  const key = JSON.stringify(part)
  const taken = known.get(key) ?? takePart(rows, part, whole)
  known.delete(key)
  known.set(key, taken)
  for (const oldest of known.keys()) if (known.size > MOST_PARTS) known.delete(oldest)
  return taken
}

function takePart(rows: Log, part: Part, whole: Log): Log {
  const shown = part.filter(({ by }) => by !== 'rank')
  const kept = shown.length === 0 ? rows : takeRows(rows, matching(rows, shown, rows))
  if (kept.rows === 0) throw emptyPart()
  const { slate: _, slateIds: _ids, ...loose } = kept
  const log = part.some((one) => cutsPages(one, rows)) ? loose : kept
  const ranks = part.filter(({ by }) => by === 'rank')
  return ranks.length === 0 ? log : rewardsOf(log, matching(log, ranks, whole))
}

/** The first places of a page are a page; others are none, since what is shown there depends on what stands above. */
const cutsPages = ({ by, from }: Condition, { position }: Log): boolean =>
  by === 'position' && position !== undefined && position.some((place) => place < from)

const emptyPart = (): HindcastError =>
  new HindcastError('bad-option', 'No row of the log belongs to this part.', {
    remedy: 'Remove one of its conditions.',
  })

/** The rows that meet all conditions, in their order. */
function matching(log: Log, part: Part, whole: Log): Uint32Array {
  const conditions = part.map(({ by, from, to }) => ({ numbers: numbersIn(log, by, whole), from, to }))
  const rows = new Uint32Array(log.rows)
  let found = 0
  for (let row = 0; row < log.rows; row++) {
    const isIn = conditions.every(({ numbers, from, to }) => numbers[row]! >= from && numbers[row]! <= to)
    if (isIn) rows[found++] = row
  }
  return rows.slice(0, found)
}

/** Items keep the ranks they have in the whole log. */
function numbersIn(log: Log, by: PartBy, whole: Log): ArrayLike<number> {
  const own = log === whole || by !== 'rank' ? knownNumbers(log, by) : ranksFrom(whole, log)
  if (own) return own
  throw new HindcastError(
    'missing-column',
    by === 'day' ? 'The rows of this log have no days.' : 'The rows of this log have no positions.',
    { remedy: 'Remove this condition.' },
  )
}

function ranksFrom(whole: Log, { item }: Log): Float64Array {
  const rankOf = new Float64Array(whole.itemIds.length)
  const ranks = knownNumbers(whole, 'rank')!
  whole.item.forEach((shown, row) => (rankOf[shown] = ranks[row]!))
  return Float64Array.from(item, (shown) => rankOf[shown]!)
}
