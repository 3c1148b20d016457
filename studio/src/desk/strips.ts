import type { Log } from '$core/log/log.js'
import { held } from './held.js'
import { type Condition, knownNumbers, type Part, type PartBy } from './part.js'

/** Rows that stand together in a strip. */
export interface StripBin {
  /** The least and the greatest number among them. */
  readonly from: number
  readonly to: number
  /** In the whole log. */
  readonly rows: number
  /** Those that meet the conditions of the other strips, and what they earned in all. */
  readonly kept: number
  readonly reward: number
}

/** How the rows of the open log lie along one number. */
export interface Strip {
  readonly by: PartBy
  readonly bins: readonly StripBin[]
}

/** More bins than this could not be told apart. */
const MOST_BINS = 60

const STRIPS: readonly PartBy[] = ['day', 'position', 'rank']

/** The strips of the open log, each under the conditions of the others; none where all rows have one number. */
export function stripsOf(part: Part): Strip[] {
  const { log } = held()
  return STRIPS.flatMap((by) => {
    const binned = binnedBy(log, by)
    if (!binned || binned.ends.length < 2) return []
    return [{ by, bins: countBins(log, binned, otherConditions(log, part, by)) }]
  })
}

/** A condition with the numbers that it is about. */
type Tested = Condition & { readonly numbers: ArrayLike<number> }

/** The conditions of other strips. */
const otherConditions = (log: Log, part: Part, by: PartBy): Tested[] =>
  part.flatMap((condition) => {
    const numbers = condition.by === by ? undefined : knownNumbers(log, condition.by)
    return numbers ? [{ ...condition, numbers }] : []
  })

/** Which bin each row is in, and the ends of each bin. */
interface Binned {
  readonly index: Uint32Array
  readonly ends: readonly Pick<StripBin, 'from' | 'to'>[]
}

const binnedLogs = new WeakMap<Log, Map<PartBy, Binned | undefined>>()

function binnedBy(log: Log, by: PartBy): Binned | undefined {
  const known = binnedLogs.get(log) ?? new Map<PartBy, Binned | undefined>()
  binnedLogs.set(log, known)
  const numbers = known.has(by) ? undefined : knownNumbers(log, by)
  if (numbers) known.set(by, intoBins(numbers, by))
  return known.get(by)
}

function intoBins(numbers: ArrayLike<number>, by: PartBy): Binned {
  const distinct = [...new Set(Array.from(numbers))].sort((a, b) => a - b)
  const groups = by === 'rank' ? widening(distinct.length) : even(distinct.length)
  const binOf = new Map<number, number>()
  groups.forEach(([from, to], bin) => distinct.slice(from, to).forEach((number) => binOf.set(number, bin)))
  return {
    index: Uint32Array.from(numbers, (number) => binOf.get(number)!),
    ends: groups.map(([from, to]) => ({ from: distinct[from]!, to: distinct[to - 1]! })),
  }
}

function countBins(log: Log, { index, ends }: Binned, others: readonly Tested[]): StripBin[] {
  const bins = ends.map((end) => ({ ...end, rows: 0, kept: 0, reward: 0 }))
  for (let row = 0; row < log.rows; row++) {
    const bin = bins[index[row]!]!
    bin.rows++
    if (!others.every((one) => one.numbers[row]! >= one.from && one.numbers[row]! <= one.to)) continue
    bin.kept++
    bin.reward += log.reward[row]!
  }
  return bins
}

/** Places from 0 to `count` in runs of one length. */
function even(count: number): [number, number][] {
  const length = Math.ceil(count / MOST_BINS)
  return Array.from({ length: Math.ceil(count / length) }, (_, k) => [
    k * length,
    Math.min(count, (k + 1) * length),
  ])
}

/** The same in runs that widen by a quarter: most rows are of the first ranks. */
function widening(count: number): [number, number][] {
  const runs: [number, number][] = []
  for (let from = 0; from < count;) {
    const to = Math.min(count, from + Math.max(1, Math.ceil(from / 4)))
    runs.push([from, to])
    from = to
  }
  return runs
}
