import { advice, set } from '../advice.js'
import { HindcastError } from '../error.js'
import { degreeOf, type Graph, graphOf } from '../graph/graph.js'
import type { Log } from '../log/log.js'
import { formatCount } from '../number-text.js'
import { type LossName, LOSSES } from './losses/index.js'

/** What training learns from: rows of the training log, in columns. */
export interface Events {
  readonly count: number
  readonly users: Uint32Array
  readonly items: Uint32Array
  /** 1 for a click, 0 for an impression without one. */
  readonly clicked: Uint8Array
  /** Row of the training log. */
  readonly rows: Uint32Array
  /** Clicks left out because their user clicked every item, so that none can stand for "not clicked". */
  readonly leftOut: number
}

/** The graph of the clicks of a log: rows with a reward above 0. */
export function clickGraph(log: Log): Graph {
  const rows = rowsWhere(log, (row) => log.reward[row]! > 0)
  return graphOf(
    log.userIds.length,
    log.itemIds.length,
    Uint32Array.from(rows, (row) => log.user[row]!),
    Uint32Array.from(rows, (row) => log.item[row]!),
  )
}

/**
 * The events of a training log. Ranking losses learn from the clicks, each against items that were not
 * clicked; `bce` from every impression, and so do objectives and rating losses, whatever the rewards. Without impressions that earned nothing, and for `relmf`, the
 * pointwise losses learn from the clicks, each with a drawn item beside it.
 */
export function eventsOf(log: Log, graph: Graph, loss: LossName): Events {
  const needsClicks = !takesAnyReward(loss)
  if (log.rows === 0 || (needsClicks && graph.edges === 0))
    throw new HindcastError(
      'bad-rows',
      log.rows === 0
        ? 'The training part of the log has no rows.'
        : `The training part of the log has ${formatCount(log.rows)} rows and no click: every reward is 0 or below.`,
      {
        remedy: advice`Training learns from clicks. Check the reward column (${set('columns', 'reward=NAME')}).`,
      },
    )
  if (graph.items < 2)
    throw new HindcastError('bad-rows', 'The log has a single item, so there is nothing to rank.', {
      remedy: advice`Check the item column (${set('columns', 'item=NAME')}), or give the catalogue.`,
    })
  const fromImpressions = learnsFromImpressions(log, loss)
  const needsUnclicked = !fromImpressions
  const hasUnclicked = (row: number): boolean => degreeOf(graph.byUser, log.user[row]!) < graph.items
  const candidates = rowsWhere(log, (row) => fromImpressions || log.reward[row]! > 0)
  const rows = needsUnclicked ? candidates.filter(hasUnclicked) : candidates
  if (rows.length === 0)
    throw new HindcastError(
      'bad-rows',
      'Every user of the log clicked every item: there is nothing to rank.',
      {
        remedy: 'Give a log with items that were not clicked, or the whole catalogue.',
      },
    )
  return {
    count: rows.length,
    users: Uint32Array.from(rows, (row) => log.user[row]!),
    items: Uint32Array.from(rows, (row) => log.item[row]!),
    clicked: Uint8Array.from(rows, (row) => (log.reward[row]! > 0 ? 1 : 0)),
    rows,
    leftOut: candidates.length - rows.length,
  }
}

/** Whether a loss uses impressions without a click as its negatives, and draws none. */
export const learnsFromImpressions = (log: Log, name: LossName): boolean => {
  const { learnsFrom } = LOSSES.named(name)
  return learnsFrom === 'impressions' && (takesAnyReward(name) || log.reward.some((reward) => reward <= 0))
}

/** A policy also learns from costs, what to avoid; and a rating of 0 or below is a rating. */
const takesAnyReward = (name: LossName): boolean => ['policy', 'squared'].includes(LOSSES.named(name).form)

function rowsWhere(log: Log, is: (row: number) => boolean): Uint32Array {
  const rows = new Uint32Array(log.rows)
  let count = 0
  for (let row = 0; row < log.rows; row++) if (is(row)) rows[count++] = row
  return rows.slice(0, count)
}
