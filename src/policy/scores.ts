import { badOption } from '../error.js'
import { distributionOf, perContext, policyOf } from './distribution.js'
import type { Policy } from './policy.js'

/** A list that is the same for every user, or a function of the user. Its values must not change. */
type ForUser = ArrayLike<number> | ((user: number) => ArrayLike<number>)

/**
 * What a policy ranks items by: one score per item, the same for every user or a function of the user, or of the
 * context in a log that has contexts. Any finite number; −Infinity excludes the item.
 */
export type Scores = ForUser

/** Which items the scores are for, and which of them may be shown. */
export interface ScoreOptions {
  /** Number of items. Required if the scores are a function of the user. */
  items?: number
  /** Items that may be shown, for every user or as a function of the user; the others have probability 0. Default all. */
  candidates?: ForUser
}

/** Something computed from each user's scores. */
interface FromScores<Value> {
  readonly items: number
  of(user: number): Value
}

/**
 * Computes a value from the scores of each user; items that are not candidates have score −Infinity,
 * and at least one score is finite. What does not depend on the user is computed once, immediately.
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
    throw badOption(
      `Policy ${name}: the number of items is ${items}.`,
      'Score at least one item; if scores are a function of the user, set `items` to a whole number.',
    )
  const makeFor = (whose: string, user: number): Value => {
    const row = typeof scores === 'function' ? scores(user) : scores
    if (row.length !== items)
      throw badOption(`${whose}: ${row.length} scores for ${items} items.`, 'Give one score per item.')
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
      throw badOption(
        `${whose}: candidate ${item} is not an item.`,
        `Candidates are whole numbers from 0 to ${scores.length - 1}.`,
      )
    if (!(score < Infinity))
      throw badOption(
        `${whose}: the score of item ${item} is ${score}.`,
        'Give finite scores, or -Infinity for an item that must never be shown.',
      )
    chosen[item] = score
    best = Math.max(best, score)
    if (score > -Infinity) worst = Math.min(worst, score)
  }
  if (best === -Infinity)
    throw badOption(`${whose}: no item can be shown.`, 'Give at least one candidate with a finite score.')
  if (best - worst === Infinity)
    throw badOption(
      `${whose}: scores from ${worst} to ${best} are too far apart.`,
      'Make them smaller, or -Infinity for items that must never be shown.',
    )
  return chosen
}
