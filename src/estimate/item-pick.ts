import { counted } from '../number-text.js'
import { log } from '../portable-math.js'
import type { PickCuts, PickScore, PickSide } from '../sql/item-pick-query.js'
import type { Complaint } from './verdict.js'

/** Sums over the items on one side of a pick, each with a score x and the variance e of its noise: how many, Σx, Σx², Σe, the least and the largest x. */
export interface SideSums {
  readonly items: number
  readonly x: number
  readonly xx: number
  readonly noise: number
  readonly least: number
  readonly most: number
}

/** How sharply a pick parts the items by one of their scores. */
export interface Parting {
  /** Items on the wrong side of the line. */
  readonly crossed: number
  /** How many chance would put there if the true scores were those seen. */
  readonly asSeen: number
  /** The same if items of one side were as alike, and so as far from the other side, as the log allows. */
  readonly apart: number
}

/** Scores by which items may have been picked: the mean reward, what IPS gives for each item, and what SNIPS gives. */
export const PICK_SCORES = ['mean', 'ips', 'snips'] as const satisfies readonly PickScore[]

/** Parts in which the way from the mean of one side to that of the other is cut. */
const PARTS = 8
/** A pick that would be parted so sharply in 1 of 200 logs at most. */
const RARE = log(1 / 200)

/** What the second pass over the items asks; null where the first shows no pick of better items. */
export function cutsOf(shown: SideSums, others: SideSums): PickCuts | null {
  if (shown.items < 2 || others.items < 2) return null
  const [above, below] = [sideOf(shown), sideOf(others)]
  if (!(above.mean > below.mean)) return null
  const between = Array.from(
    { length: PARTS - 1 },
    (_, k) => below.mean + ((above.mean - below.mean) * (k + 1)) / PARTS,
  )
  return { shown: above, others: below, middle: (shown.least + others.most) / 2, between }
}

function sideOf({ items, x, xx, noise }: SideSums): PickSide {
  const mean = x / items
  return { mean, spread: Math.max(0, (xx - items * mean ** 2) / (items - 1) - noise / items) }
}

/**
 * What speaks against a target that shows the items which happened to earn the most in this log, and hardly any other.
 *
 * Whoever does not know this log errs near the line, where items differ by less than chance moves them: however well they know
 * the true means, chance puts some items on the wrong side. That is least where items of one side are alike and far from the
 * other side, so a pick must be parted too sharply for true means like those as well as for true means as seen.
 */
export function pickedFromLog(target: string, partings: readonly Parting[]): Complaint[] {
  const [sharpest] = partings.toSorted((a, b) => chanceOf(a) - chanceOf(b))
  if (!sharpest || chanceOf(sharpest) > RARE) return []
  const { crossed, asSeen, apart } = sharpest
  const expected = Math.min(asSeen, apart)
  return [
    {
      level: 'caution',
      code: 'fitted-to-log',
      message: `${target} shows the items that earned the most in this log, with ${counted(crossed, 'exception')} where chance alone would make about ${expected.toFixed(0)}: they seem to have been picked by these rewards. If so, the estimate is too high. Evaluate it on rows it has not seen, such as later days.`,
      value: expected,
    },
  ]
}

/** The logarithm of a bound on the chance of a parting, for the true means under which it is the largest. */
export const chanceOf = ({ crossed, asSeen, apart }: Parting): number =>
  Math.max(fewerBound(crossed, asSeen), fewerBound(crossed, apart))

/** Chernoff's bound on the logarithm of the chance of so few of independent events, of which so many are expected. */
function fewerBound(seen: number, expected: number): number {
  if (seen >= expected) return 0
  return seen - expected - (seen > 0 ? seen * log(seen / expected) : 0)
}
