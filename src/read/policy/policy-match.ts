import { type PolicyFile, whoseRow } from './policy-file.js'
import { roundingGap, sumsToOne, UNNOTED } from './rounding.js'

/** What users of the log that a policy does not have are shown: what the logging policy shows, any item alike, or an error. */
export type MissingUser = 'logging' | 'uniform' | 'error'

/** The users of a log beside those of a file. */
export interface MatchedUsers {
  /** Users of the log, how many of them the file does not have, and the first of those. */
  readonly logUsers: number
  readonly missing: number
  readonly firstMissing: readonly string[]
  /** The rows of the file that users of the log have; the one row where all users have the same. */
  readonly rows: readonly number[]
}

/** How a policy in a file fits a log, whoever compared them. Ids are those of the user. */
export interface PolicyMatch extends Omit<MatchedUsers, 'rows'> {
  /** Users and items of the file that the log does not have. */
  readonly usersBeyond: number
  readonly itemsBeyond: number
  /** Items of the log for which some, or every, user has no value in the file. */
  readonly itemsWithout: { readonly some: number; readonly every: number }
  /** Users of the log whose sum was off by rounding, and the largest gap. */
  readonly rounded: { readonly users: number; readonly largest: number }
  /** Users of the log whose sum is off by more, and the first of them. */
  readonly wrong: {
    readonly users: number
    /** `most`: the gap that rounding would explain. */
    readonly first?: { readonly whose: string; readonly sum: number; readonly most: number }
  }
}

/** What a file and a log have in common. */
export interface Compared extends MatchedUsers {
  /** The sums of probabilities of each row of the file; undefined where they follow from scores. */
  readonly sums: Float64Array | undefined
  /** The place of each item of the file among those of the log; −1 if it is not there. */
  readonly placeOf: Int32Array
  /** How many items the log has. */
  readonly items: number
}

/** How a policy in a file fits a log. */
export function matchOf(file: PolicyFile, { rows, sums, placeOf, items, ...users }: Compared): PolicyMatch {
  const gaps = sums ? rows.map((row) => ({ row, gap: Math.abs(sums[row]! - 1) })) : []
  const isRounded = (row: number): boolean => sumsToOne(sums![row]!, file.values(row))
  const wrong = gaps.filter(({ row }) => !isRounded(row))
  const rounded = gaps.filter(({ row, gap }) => gap > UNNOTED && isRounded(row))
  const [first] = wrong
  return {
    ...users,
    usersBeyond: file.userIds ? file.userIds.length - rows.length : 0,
    itemsBeyond: placeOf.filter((place) => place < 0).length,
    itemsWithout: itemsWithout(file, rows, placeOf, items),
    rounded: { users: rounded.length, largest: rounded.reduce((most, { gap }) => Math.max(most, gap), 0) },
    wrong: {
      users: wrong.length,
      ...(first && {
        first: {
          whose: whoseRow(file, first.row),
          sum: sums![first.row]!,
          most: roundingGap(file.values(first.row)),
        },
      }),
    },
  }
}

/** For how many items of the log some row, and every row, has no score. */
function itemsWithout(
  file: PolicyFile,
  rows: readonly number[],
  placeOf: Int32Array,
  items: number,
): PolicyMatch['itemsWithout'] {
  if (file.kind !== 'score') return { some: 0, every: 0 }
  const having = new Uint32Array(items)
  const count = (item: number, times: number): void => {
    const place = placeOf[item]!
    if (place >= 0) having[place]! += times
  }
  let whole = 0
  for (const row of rows) {
    const listed = file.items(row)
    if (listed) for (const item of listed) count(item, 1)
    else whole++
  }
  if (whole > 0) file.itemIds.forEach((_, item) => count(item, whole))
  return {
    some: having.filter((rowsOfItem) => rowsOfItem < rows.length).length,
    every: having.filter((rowsOfItem) => rowsOfItem === 0).length,
  }
}
