import { HindcastError } from '../error.js'
import { distributionOf, policyOf } from './distribution.js'
import { perContext } from './per-context.js'
import type { Policy } from './policy.js'

/** A list that is the same for every user, or a function of the user. What it gives a user must not change. */
type ForUser = ArrayLike<number> | ((user: number) => ArrayLike<number>)

/**
 * What a policy ranks items by: one score for each item, the same for every user or a function of the user, or of the
 * context in a log that has contexts. Any finite number; −Infinity takes the item out of the candidates.
 */
export type Scores = ForUser

/** Which items the scores are for, and which of them may be shown. */
export interface ScoreOptions {
  /** Number of items. Needed where the scores are a function of the user. */
  items?: number
  /** Items that may be shown, for every user or as a function of the user; the others have probability 0. Default all. */
  candidates?: ForUser
}

/** Something made from each user's scores. */
interface FromScores<Value> {
  readonly items: number
  of(user: number): Value
}

/**
 * Makes a value from the scores of each user; items that are no candidates come with a score of −Infinity,
 * and at least one score is finite. What does not depend on the user is made once, at once.
 */
export function fromScores<Value>(
  name: string,
  scores: Scores,
  options: ScoreOptions,
  make: (scores: Float64Array, whose: string) => Value,
): FromScores<Value> {
  const { candidates } = options
  const items = options.items ?? (typeof scores === 'function' ? undefined : scores.length)
  if (items === undefined || !Number.isInteger(items) || items < 1)
    throw new HindcastError('bad-option', `Policy ${name}: the number of items is ${items}.`, {
      remedy:
        'Score at least one item, and give `items`, a whole number, where scores are a function of the user.',
    })
  const makeFor = (whose: string, user: number): Value => {
    const row = typeof scores === 'function' ? scores(user) : scores
    if (row.length !== items)
      throw new HindcastError('bad-option', `${whose}: ${row.length} scores came for ${items} items.`, {
        remedy: 'Give one score for each item.',
      })
    return make(eligible(whose, row, typeof candidates === 'function' ? candidates(user) : candidates), whose)
  }
  if (typeof scores === 'function' || typeof candidates === 'function')
    return { items, of: perContext((user) => makeFor(`Policy ${name}, user ${user}`, user)) }
  const value = makeFor(`Policy ${name}`, 0)
  return { items, of: () => value }
}

/** The policy whose probabilities follow from each user's scores. */
export function scoredPolicy(
  name: string,
  scores: Scores,
  options: ScoreOptions,
  probabilitiesOf: (scores: Float64Array, whose: string) => Float64Array,
): Policy {
  const { items, of } = fromScores(name, scores, options, (row, whose) =>
    distributionOf(probabilitiesOf(row, whose)),
  )
  return policyOf(name, items, of)
}

/** The scores of the candidates, and −Infinity for all other items. */
function eligible(
  whose: string,
  scores: ArrayLike<number>,
  candidates: ArrayLike<number> | undefined,
): Float64Array {
  const chosen = new Float64Array(scores.length).fill(-Infinity)
  let best = -Infinity
  let worst = Infinity
  for (let k = 0; k < (candidates ?? scores).length; k++) {
    const item = candidates ? candidates[k]! : k
    const score = scores[item]
    if (!Number.isInteger(item) || score === undefined)
      throw new HindcastError('bad-option', `${whose}: there is no item ${item} to be a candidate.`, {
        remedy: `Candidates are whole numbers from 0 to ${scores.length - 1}.`,
      })
    if (!(score < Infinity))
      throw new HindcastError('bad-option', `${whose}: the score of item ${item} is ${score}.`, {
        remedy: 'Give finite scores, or -Infinity for an item that is never to be shown.',
      })
    chosen[item] = score
    best = Math.max(best, score)
    if (score > -Infinity) worst = Math.min(worst, score)
  }
  if (best === -Infinity)
    throw new HindcastError('bad-option', `${whose}: no item can be shown.`, {
      remedy: 'Give at least one candidate with a finite score.',
    })
  if (best - worst === Infinity)
    throw new HindcastError('bad-option', `${whose}: scores from ${worst} to ${best} are too far apart.`, {
      remedy: 'Make them smaller, or -Infinity for items that are never to be shown.',
    })
  return chosen
}
