import { HindcastError } from '../error.js'
import type { Adjacency, Graph } from '../graph/graph.js'
import { NO_ITEM, type Rankings } from '../kernels/kernel.js'

/** Throws if rankings, held-out clicks and training graph do not belong together, or an option is invalid. */
export function checkRankings(
  rankings: Rankings,
  relevant: Adjacency,
  options: { training: Graph; k: number; confidence: number; propensity: Float64Array | undefined },
): void {
  const { training, k, confidence, propensity } = options
  const refuse = (message: string, remedy: string): never => {
    throw new HindcastError('bad-option', message, { remedy })
  }
  if (!(Number.isInteger(k) && k >= 1 && k <= rankings.k))
    refuse(
      `Metrics at k = ${k} cannot be computed from rankings of ${rankings.k} items.`,
      `Use a whole number from 1 to ${rankings.k}, or rank more items.`,
    )
  if (!(confidence > 0 && confidence < 1))
    refuse(`${confidence} is not a confidence level.`, 'Use a number between 0 and 1, such as 0.95.')
  if (relevant.offsets.length !== training.users + 1)
    refuse(
      `The held-out clicks cover ${relevant.offsets.length - 1} users, but the training graph ${training.users}.`,
      'Make both from parts of one log.',
    )
  const seen = new Uint8Array(training.users)
  for (const user of rankings.users) {
    if (user >= training.users)
      refuse(`User ${user} is ranked, but there are ${training.users} users.`, 'Count users from 0.')
    if (seen[user]) refuse(`User ${user} is ranked twice.`, 'Rank each user once.')
    seen[user] = 1
  }
  const lastRow = new Uint32Array(training.items)
  for (let place = 0; place < rankings.items.length; place++) {
    const item = rankings.items[place]!
    if (item === NO_ITEM) continue
    const row = Math.floor(place / rankings.k)
    if (item >= training.items)
      refuse(`Item ${item} is ranked, but there are ${training.items} items.`, 'Count items from 0.')
    if (lastRow[item] === row + 1)
      refuse(
        `Item ${item} appears twice in the ranking of user ${rankings.users[row]}.`,
        'Rank each item at most once per user.',
      )
    lastRow[item] = row + 1
  }
  for (const item of relevant.neighbours)
    if (item >= training.items)
      refuse(`Item ${item} was clicked, but there are ${training.items} items.`, 'Count items from 0.')
  if (!propensity) return
  if (propensity.length !== relevant.neighbours.length)
    refuse(
      `There are ${propensity.length} propensities for ${relevant.neighbours.length} held-out clicks.`,
      'Give one per click, in the order of the clicks.',
    )
  for (let place = 0; place < propensity.length; place++)
    if (!(propensity[place]! > 0 && propensity[place]! < Infinity))
      refuse(
        `Held-out click ${place} has propensity ${propensity[place]}.`,
        'Give the probability, above 0, with which its item was shown.',
      )
}
