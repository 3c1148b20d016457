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
    const numbers = knownNumbers(log, by)
    if (!numbers) return []
    const bins = countBins(log, numbers, otherConditions(log, part, by), by)
    return bins.length > 1 ? [{ by, bins }] : []
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

function countBins(log: Log, numbers: ArrayLike<number>, others: Tested[], by: PartBy): StripBin[] {
  const distinct = [...new Set(Array.from(numbers))].sort((a, b) => a - b)
  const groups = by === 'rank' ? widening(distinct.length) : even(distinct.length)
  const binOf = new Map<number, number>()
  groups.forEach(([from, to], bin) => distinct.slice(from, to).forEach((number) => binOf.set(number, bin)))
  const [rows, kept, reward] = [0, 1, 2].map(() => new Float64Array(groups.length)) as Sums
  for (let row = 0; row < log.rows; row++) {
    const bin = binOf.get(numbers[row]!)!
    rows[bin]!++
    if (!others.every((one) => one.numbers[row]! >= one.from && one.numbers[row]! <= one.to)) continue
    kept[bin]!++
    reward[bin]! += log.reward[row]!
  }
  return groups.map(([from, to], bin) => ({
    from: distinct[from]!,
    to: distinct[to - 1]!,
    rows: rows[bin]!,
    kept: kept[bin]!,
    reward: reward[bin]!,
  }))
}

type Sums = [Float64Array, Float64Array, Float64Array]

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
