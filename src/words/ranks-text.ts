import { counted, formatCount } from '../number-text.js'

/** A part in words, to begin a sentence with: "Ranks 101 to 200 of 1,682 items". */
export const ranksText = (
  { from, to }: { readonly from: number; readonly to: number },
  count: number,
  one: string,
): string =>
  (from === to ? `Rank ${formatCount(from)}` : `Ranks ${formatCount(from)} to ${formatCount(to)}`) +
  ` of ${counted(count, one)}`
