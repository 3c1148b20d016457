import { badOption } from '../error.js'

/**
 * Probability that an item is among `draws` independent draws, with replacement, from a policy that shows
 * it with probability p: 1 − (1 − p)^draws. No digits are lost if p is tiny.
 *
 * @param p from 0 to 1
 * @param draws a whole number of at least 0
 */
export function everShown(p: number, draws: number): number {
  if (!(p >= 0 && p <= 1)) throw badOption(`${p} is not a probability.`, 'Use a number from 0 to 1.')
  if (!Number.isSafeInteger(draws) || draws < 0)
    throw badOption(`${draws} draws are not possible.`, 'Use a whole number of draws, 0 or more.')
  // By doubling: being shown in either of two blocks has probability a + b·(1 − a), all terms positive, so that
  // small numbers keep their digits.
  let shown = 0
  let block = p
  for (let left = draws; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) shown += block * (1 - shown)
    block *= 2 - block
  }
  return shown
}
