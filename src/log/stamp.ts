import type { Origin } from '../policy/policy.js'
import { hashText } from '../random/stream.js'
import { unitsPerDay } from './days.js'
import type { Log } from './log.js'

/**
 * What the rows of a log are recognised by, whatever file holds them, in whatever order, under whatever names of columns:
 * who was shown what, and when. What was made from a log keeps its stamp.
 */
export interface LogStamp {
  /** A hash of all rows that does not depend on their order: 16 hexadecimal digits. */
  readonly from: string
  readonly rows: number
  /** Whether rows were recognised by their times too; without them, a pair of user and item may well come again. */
  readonly timed: boolean
  /** The least hashes of rows, 12 hexadecimal digits each, ascending: by them a part of the log is recognised too. */
  readonly sample: string
}

/** What something says of the rows it was made from: their hash at least. */
export type Made = Pick<LogStamp, 'from'> & Partial<LogStamp>

/** What is known of a log that is one of the parts of another. */
export interface PartOf {
  /** The hashes of this part and of the others. */
  readonly from: string
  readonly others: readonly { readonly from: string }[]
}

const DIGITS = 12
const SAMPLE = 1024
const WHOLE = 86_400_000

/** The stamp of a log. */
export function stampOf(log: Log): LogStamp {
  const { rows } = log
  const timed = log.time !== undefined
  const least = new Least()
  let [low, high] = [0, 0]
  forEachRow(log, timed, (first, second) => {
    low = (low + first) >>> 0
    high = (high + second) >>> 0
    least.add(keyOf(first, second))
  })
  const sample = least.keys.map((key) => key.toString(16).padStart(DIGITS, '0')).join('')
  return { from: `${hex(high)}${hex(low)}`, rows, timed, sample }
}

/** From so many rows of a log among which a sample would have any, their share in it is taken for known. */
const FEWEST_COMPARED = 20
/** A log that shares less of its rows than this was made elsewhere: two rows may be alike by chance. */
const LEAST_SHARE = 0.01

/** Where something that was made from the rows of a stamp comes from, as seen from a log; `part` says of which parts the log is one. */
export function originOn(log: Log, made: Made, part?: PartOf): Origin {
  const own = stampOf(log)
  if (made.from === own.from) return { made: 'this-log', share: 1 }
  if (part?.from === own.from && part.others.some(({ from }) => from === made.from))
    return { made: 'held-out' }
  const { sample, timed } = made
  // Whoever wrote nothing but a hash says that it was that log, and no other.
  if (sample === undefined || timed === undefined) return { made: 'elsewhere', share: 0 }
  // Times that only one of them has would make all rows differ.
  if (timed && !own.timed) return {}
  const share = shareIn(log, sample, timed)
  if (share === undefined) return {}
  if (share < LEAST_SHARE) return { made: 'elsewhere', share }
  return timed ? { made: 'this-log', share } : { share }
}

/** The share of a log's rows that are among those of a sample, by the hashes that the sample would have; undefined where too few can be compared. */
function shareIn(log: Log, sample: string, timed: boolean): number | undefined {
  const keys = new Set<number>()
  for (let at = 0; at < sample.length; at += DIGITS)
    keys.add(Number.parseInt(sample.slice(at, at + DIGITS), 16))
  // Fewer than it has room for are all there were.
  const largest = keys.size < SAMPLE ? Infinity : Math.max(...keys)
  let [compared, found] = [0, 0]
  forEachRow(log, timed, (first, second) => {
    const key = keyOf(first, second)
    if (key > largest) return
    compared++
    if (keys.has(key)) found++
  })
  return compared < Math.min(FEWEST_COMPARED, log.rows) ? undefined : found / compared
}

/** The hash of each row, in two words. */
function forEachRow(
  { rows, user, item, userIds, itemIds, time }: Log,
  timed: boolean,
  each: (first: number, second: number) => void,
): void {
  const [users, items] = [userIds, itemIds].map((ids) => Uint32Array.from(ids, hashText)) as [
    Uint32Array,
    Uint32Array,
  ]
  const latest = timed ? time!.reduce((last, at) => Math.max(last, at), -Infinity) : 0
  // Seconds in one file may be milliseconds or dates in another.
  const perDay = unitsPerDay(latest) ?? WHOLE
  for (let row = 0; row < rows; row++) {
    const [u, i] = [users[user[row]!]!, items[item[row]!]!]
    const at = timed ? Math.round(time![row]! * (WHOLE / perDay)) : 0
    const [early, late] = [at >>> 0, Math.floor(at / 2 ** 32) >>> 0]
    each(mixed(0x85ebca6b, u, i, early, late), mixed(0xc2b2ae35, i, late, u, early))
  }
}

/** Four words mixed into one, as MurmurHash3 does. */
function mixed(seed: number, first: number, second: number, third: number, fourth: number): number {
  let hash = withWord(withWord(withWord(withWord(seed, first), second), third), fourth)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

function withWord(hash: number, word: number): number {
  const turned = Math.imul(word, 0xcc9e2d51)
  const mixedIn = hash ^ Math.imul((turned << 15) | (turned >>> 17), 0x1b873593)
  return (Math.imul((mixedIn << 13) | (mixedIn >>> 19), 5) + 0xe6546b64) | 0
}

const hex = (word: number): string => word.toString(16).padStart(8, '0')

/** 48 bits of the hash of a row, as a number. */
const keyOf = (first: number, second: number): number => (second & 0xffff) * 2 ** 32 + first

/** The least of many numbers, each once. */
class Least {
  #kept: number[] = []
  #largest = Infinity

  add(key: number): void {
    if (key >= this.#largest) return
    this.#kept.push(key)
    if (this.#kept.length >= 4 * SAMPLE) this.#cut()
  }

  #cut(): void {
    const kept = [...new Set(this.#kept)].toSorted((a, b) => a - b).slice(0, SAMPLE)
    this.#kept = kept
    this.#largest = kept.length < SAMPLE ? Infinity : kept.at(-1)! + 1
  }

  get keys(): readonly number[] {
    this.#cut()
    return this.#kept
  }
}

export const PART_SCHEMA = 'hindcast.part/1'

/** The ending of the file beside a log or a policy that says what it was made from. */
export const SIDECAR = '.hindcast.json'

/** A log by its file and the hash of its rows. */
interface NamedRows {
  readonly file: string
  readonly from: string
  readonly rows: number
}

/** What stands beside a part of a log. Copied beside a policy, it says that this was made from the part. */
export interface LogPart {
  readonly schema: typeof PART_SCHEMA
  readonly file: string
  readonly by: 'user' | 'time'
  /** Of the hash of users. */
  readonly seed: number
  /** From 1. */
  readonly part: number
  readonly parts: number
  /** The stamp of this part. */
  readonly made: LogStamp
  /** The log that was cut. */
  readonly of: NamedRows
  /** The other parts. */
  readonly others: readonly NamedRows[]
}
