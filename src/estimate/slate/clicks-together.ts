import type { Log } from '../../log/log.js'
import type { Slates } from './slates.js'

/** Pairs of slots of one page that both earned something. */
export interface ClicksTogether {
  readonly pairs: number
  /** How many there would be if each slot earned as often as its position does, whatever the others earn. */
  readonly expected: number
}

/** Fewer pairs than this can be missing by chance. */
const FEWEST_EXPECTED = 20
/** Items that are drawn without repetition, and differ, make pairs rarer by themselves, though not by as much as this. */
const LARGEST_SHARE = 0.7
/** Standard errors of a Poisson count. */
const FAR = 4

/** Counts them: Σ over pages of Σ_{j<k} 1[r_j > 0] 1[r_k > 0], beside Σ_{j<k} p_j p_k, p the share of rows of a position that earned something. */
export function clicksTogetherOf({ reward, position }: Log, { count, order, start }: Slates): ClicksTogether {
  const byPosition = new Map<number, { rows: number; clicks: number }>()
  order.forEach((row) => {
    const of = byPosition.get(position![row]!) ?? { rows: 0, clicks: 0 }
    of.rows++
    if (reward[row]! > 0) of.clicks++
    byPosition.set(position![row]!, of)
  })
  let [pairs, expected] = [0, 0]
  for (let s = 0; s < count; s++) {
    let [clicks, rate, squares] = [0, 0, 0]
    for (const row of order.subarray(start[s], start[s + 1])) {
      const { rows, clicks: own } = byPosition.get(position![row]!)!
      if (reward[row]! > 0) clicks++
      rate += own / rows
      squares += (own / rows) ** 2
    }
    pairs += (clicks * (clicks - 1)) / 2
    expected += (rate * rate - squares) / 2
  }
  return { pairs, expected }
}

/**
 * Whether a click keeps others on its page away, as it does where users stop at the first. Users who click more than
 * others make pairs more frequent, so that more of them than expected say nothing.
 */
export const keepApart = ({ pairs, expected }: ClicksTogether): boolean =>
  expected >= FEWEST_EXPECTED &&
  pairs < LARGEST_SHARE * expected &&
  expected - pairs > FAR * Math.sqrt(expected)
