import type { Expression } from '../expression.js'
import { minus, over as divided, times } from '../sql/expression.js'

/**
 * A number made from the columns of a row: reward `r`, importance weight `w`, propensity `b`, the impressions `n` that a row
 * stands for, time `t`, position `k`, the bucket `u` of what rows are clustered by and `i` of the item (0 … 65,535, the same in
 * every source), and every window by its name.
 */
export type RowNumber = Expression<string>

/** The column of that name. */
export const col = (column: string): RowNumber => ({ kind: 'column', column })

/** A whole number of each row, 0 … size − 1. A row whose number lies outside is in no cell. */
export interface Label {
  readonly of: RowNumber
  readonly size: number
}

/**
 * Which rows a window looks at: all of the log, those of the same user, of the same item, of both; or those of a user with the
 * same numbers, which must stand side by side in time.
 */
export type Partition = 'log' | 'user' | 'item' | 'pair' | readonly RowNumber[]

/**
 * A number that each row takes from the rows of its partition. `before` and `after`: from the row next to it in time, or
 * `otherwise` where there is none, or its number is missing; `running`: the sum over the rows up to it. Rows at the same time are ordered by i, r, b, k, n, u and w, so that
 * the order of the rows in the log never matters.
 */
export type Window = {
  readonly name: string
  readonly of: RowNumber
  readonly over: Partition
} & (
  | { readonly take: 'total' | 'least' | 'most' | 'running' }
  | { readonly take: 'before' | 'after'; readonly otherwise: number }
)

/** Sums over the rows, by cells of labels; the first label moves slowest. */
export interface SumsQuery {
  readonly by: readonly Label[]
  readonly sums: Readonly<Record<string, RowNumber>>
  /** The least and the largest of numbers, by names of their own; infinite where a cell has no rows. */
  readonly least?: Readonly<Record<string, RowNumber>>
  readonly most?: Readonly<Record<string, RowNumber>>
}

/** What is taken of a number over the rows of a cell. */
export interface Taken {
  readonly name: string
  readonly take: 'total' | 'least' | 'most'
  readonly of: RowNumber
}

/** All that a query takes, in the order of its answers. */
export const takenBy = ({ sums, least = {}, most = {} }: SumsQuery): Taken[] =>
  Object.entries({ total: sums, least, most }).flatMap(([take, numbers]) =>
    Object.entries(numbers).map(([name, of]) => ({ name, take: take as Taken['take'], of })),
  )

/** What a cell without rows has. */
export const OF_NO_ROWS: Readonly<Record<Taken['take'], number>> = {
  total: 0,
  least: Infinity,
  most: -Infinity,
}

/** The largest of a number over the rows: as many as `count` says, which is the same in all rows, and at most `MOST_LARGEST`. */
export interface LargestQuery {
  readonly of: RowNumber
  readonly count: RowNumber
}

/** So many of the largest numbers come back at most. */
export const MOST_LARGEST = 65_536

/**
 * A repair by groups of rows. `measure` averages 1 over the rows of a group (and, by item, is summed over those that show the
 * item): 1/b for the items of a logger, w for a policy. Where it averages r̃ instead, weights are divided by r̃, which is drawn
 * towards 1 where few rows show the item.
 */
export interface FactorQuery {
  readonly measure: RowNumber
  readonly of: 'item' | 'all'
  readonly by: Label
  /** Parts of time: an item counts only between the parts in which it was first and last shown, since it may not have been there before and after. */
  readonly time?: Label
}

/** What is asked of a log, as plain data. */
export interface Batch {
  /** In an order in which each names only columns and windows before it. */
  readonly windows: readonly Window[]
  readonly sums: Readonly<Record<string, SumsQuery>>
  readonly factors: Readonly<Record<string, FactorQuery>>
  readonly largest?: Readonly<Record<string, LargestQuery>>
}

/** What a query takes, by name; an array has one number for each cell. */
export type Sums = Readonly<Record<string, Float64Array>>

/** One cell of a repair by groups. */
export interface FactorCell {
  /** The id of the item; null for a repair that is not by item. */
  readonly item: string | null
  readonly group: number
  /** What `measure` averages there. */
  readonly ratio: number
  /** By how much it alone moves the answer. */
  readonly shift: number
}

/** What a repair by groups does to Σ w and Σ w r. */
export interface FactorAnswer {
  readonly weight: number
  readonly reward: number
  /** The influence on the shift of the ratio, by bucket of users. */
  readonly users: Float64Array
  /** Mean of `measure` over cells, each as often as it has rows: below 1 where items were not there for every row. */
  readonly level: number
  /** Cells whose ratio lies more than four standard errors below 1, and above it. */
  readonly below: number
  readonly above: number
  /** The cells that move the answer most. */
  readonly largest: readonly FactorCell[]
}

/** The answers to a batch, by the names of the queries. */
export interface Answers {
  readonly sums: Readonly<Record<string, Sums>>
  readonly factors: Readonly<Record<string, FactorAnswer>>
  /** The largest numbers, ascending. */
  readonly largest: Readonly<Record<string, Float64Array>>
}

/** Users are dealt into so many buckets: their sums are as large as these, however many users there are. */
export const USER_BUCKETS = 4096

/** The bucket of the user of a row. */
export const userBucket: Label = {
  of: remainder(col('u'), USER_BUCKETS),
  size: USER_BUCKETS,
}

/** What is left of a number when whole multiples are taken away. */
export function remainder(of: RowNumber, by: RowNumber | number): RowNumber {
  return minus(of, times(floor(divided(of, by)), by))
}

export function floor(of: RowNumber): RowNumber {
  return { kind: 'function', name: 'floor', of }
}

/** How strongly few rows draw a ratio towards 1: as if so many more had shown the item as often as they should. */
export const PRIOR_SHOWINGS = 10

/** Cells that a repair names. */
export const LARGEST_CELLS = 3

/** What a batch or a part of it asks, as a text; equal texts have equal answers. */
export const textOfQuery = (asked: unknown): string =>
  // JSON has no infinity.
  JSON.stringify(asked, (_, value: unknown) => (typeof value === 'number' ? String(value) : value))

/** Whether the answers to a batch are among those to another. */
export function isPartOf(part: Batch, whole: Batch): boolean {
  const isSame = (one: unknown, other: unknown): boolean => textOfQuery(one) === textOfQuery(other)
  const areIn = <Value>(some: Record<string, Value>, all: Record<string, Value> = {}): boolean =>
    Object.entries(some).every(([name, value]) => isSame(value, all[name]))
  return (
    part.windows.every((window) => whole.windows.some((other) => isSame(window, other))) &&
    Object.entries(part.sums).every(([name, query]) => {
      const other = whole.sums[name]
      return other !== undefined && isSame(query.by, other.by) && areIn(numbersOf(query), numbersOf(other))
    }) &&
    areIn(part.factors, whole.factors) &&
    areIn(part.largest ?? {}, whole.largest)
  )
}

const numbersOf = (query: SumsQuery): Record<string, Taken> =>
  Object.fromEntries(takenBy(query).map((own) => [own.name, own]))
