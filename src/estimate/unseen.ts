import { advice, doctor } from '../advice.js'
import { HindcastError } from '../error.js'
import { edgeOf, type Graph, graphOf, isLinked } from '../graph/graph.js'
import { type Log, takeRows } from '../log/log.js'

/** The part of a held-out log on which a trained policy can be evaluated fairly. */
export interface UnseenRows {
  /** Rows of pairs that training did not show, with the propensity given that the item is one of those. */
  readonly log: Log
  /** The items training showed to each user: the policy must not be asked about them. */
  readonly shown: Graph
}

/**
 * The rows of a held-out log whose pair of user and item was not shown in training. Such a row is a draw from
 * the logging policy restricted to the items not shown, so that its propensity is b(a|u)/(1 − Σ b(s|u)), the
 * sum over the items s shown to the user in training. A policy over the same items can then be evaluated on them,
 * and nothing it remembers of its training counts. An error for a log with propensities and contexts: what was shown
 * in one context had another propensity in the next.
 */
export function unseenRows(training: Log, heldOut: Log): UnseenRows {
  const shown = graphOf(training.userIds.length, training.itemIds.length, training.user, training.item)
  const rows: number[] = []
  for (let row = 0; row < heldOut.rows; row++)
    if (!isLinked(shown.byUser, heldOut.user[row]!, heldOut.item[row]!)) rows.push(row)
  const log = takeRows(heldOut, Uint32Array.from(rows))
  if (!log.propensity) return { log, shown }
  if (!training.propensity)
    throw new HindcastError(
      'missing-propensity',
      'The held-out log has propensities, but the training log has none. Propensities among the items not shown in training cannot be computed.',
      { remedy: 'Give two parts of one log.' },
    )
  if (log.contexts)
    throw new HindcastError(
      'bad-option',
      'The propensities of the held-out log depend on contexts. Propensities among the items not shown in training cannot be computed.',
      { remedy: 'If the logging policy ignored the contexts, leave them out of both logs.' },
    )
  const left = massLeft(training, shown)
  const propensity = log.propensity.map((b, row) => b / left[log.user[row]!]!)
  const bad = propensity.findIndex((b) => !(b > 0 && b <= 1 + 1e-9))
  if (bad >= 0)
    throw new HindcastError(
      'bad-rows',
      `The propensities of the items shown to user ${JSON.stringify(log.userIds[log.user[bad]!])} add up to more than 1.`,
      { remedy: advice`Propensities must be the probabilities of single draws: ${doctor} says more.` },
    )
  return { log: { ...log, propensity: propensity.map((b) => Math.min(b, 1)) }, shown }
}

/** 1 − Σ b over the distinct items shown to each user. */
function massLeft({ user, item, propensity, rows }: Log, shown: Graph): Float64Array {
  const left = new Float64Array(shown.users).fill(1)
  const counted = new Uint8Array(shown.edges)
  for (let row = 0; row < rows; row++) {
    const edge = edgeOf(shown.byUser, user[row]!, item[row]!)
    if (counted[edge] === 1) continue
    counted[edge] = 1
    left[user[row]!]! -= propensity![row]!
  }
  return left
}
