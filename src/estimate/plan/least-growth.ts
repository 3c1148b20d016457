/** A log this many times as large is beyond any plan. */
const MOST_GROWTH = 1e9

/** Steps of bisection: the answer is exact to a billionth of itself. */
const STEPS = 64

/**
 * The smallest growth from 1 on at which something holds that holds for every larger one; undefined where it does not
 * hold at a billion times as much.
 */
export function leastGrowth(holds: (growth: number) => boolean): number | undefined {
  if (holds(1)) return 1
  if (!holds(MOST_GROWTH)) return undefined
  let [low, high] = [1, 2]
  while (!holds(high)) [low, high] = [high, high * 2]
  for (let step = 0; step < STEPS && high / low > 1 + 1e-12; step++) {
    const middle = (low + high) / 2
    if (holds(middle)) high = middle
    else low = middle
  }
  return high
}
