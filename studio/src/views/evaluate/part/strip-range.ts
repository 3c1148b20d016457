import type { Condition } from '../../../desk/part.js'
import type { Strip, StripBin } from '../../../desk/strips.js'

/** Places of the first and the last bin that are chosen. */
export interface Places {
  readonly first: number
  readonly last: number
}

/** The bins that a condition covers; all where there is none. */
export function placesOf({ bins }: Strip, condition: Condition | undefined): Places {
  if (!condition) return { first: 0, last: bins.length - 1 }
  const first = bins.findIndex(({ to }) => to >= condition.from)
  const last = bins.findLastIndex(({ from }) => from <= condition.to)
  return first === -1 || last < first ? { first: 0, last: bins.length - 1 } : { first, last }
}

/** The condition of some bins, in either order; none for all of them. */
export function conditionOf({ by, bins }: Strip, one: number, other: number): Condition | undefined {
  const [first, last] = one <= other ? [one, other] : [other, one]
  return first <= 0 && last >= bins.length - 1
    ? undefined
    : { by, from: bins[Math.max(0, first)]!.from, to: bins[Math.min(bins.length - 1, last)]!.to }
}

/** The bin at a share of the width of a strip. */
export const placeAt = ({ bins }: Strip, share: number): number =>
  Math.max(0, Math.min(bins.length - 1, Math.floor(share * bins.length)))

/** How high a bin stands, from 0 to 1: its rows beside the most of any bin. */
export const heightOf = (bins: readonly StripBin[], rows: number): number =>
  rows / Math.max(1, ...bins.map((bin) => bin.rows))
