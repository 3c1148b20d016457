import { intervalFor } from '../estimate/intervals/index.js'
import { DIAGNOSTIC_TERMS } from '../estimate/diagnostics.js'
import { valueOf } from '../estimate/estimator.js'
import { snips } from '../estimate/estimators/snips.js'
import { momentsOf } from '../estimate/source/moments-of.js'
import { one, weight, weightSquared } from '../estimate/term.js'
import type { UnseenRows } from '../estimate/unseen.js'
import { neighboursOf } from '../graph/graph.js'
import type { Numbers } from '../kernels/kernel.js'
import { rowsByUser } from '../log/row-groups.js'
import { exp, log as naturalLog } from '../portable-math.js'
import type { PolicyValue } from './training.js'

/** Scores of all items for some users, row after row; the array is fresh, to be written into. */
export type ScoreTable = (users: Uint32Array) => Promise<Numbers>

/** Users scored at a time. */
const TILE = 256

/** SNIPS of the policy softmax(scores / temperature) over the items each user was not shown in training, with its interval by user. */
export async function policyValue(
  { log, shown }: UnseenRows,
  scores: ScoreTable,
  temperature: number,
): Promise<PolicyValue> {
  const { start, rows } = rowsByUser(log)
  const users = Uint32Array.from(log.userIds.keys()).filter((user) => start[user + 1]! > start[user]!)
  const weights = new Float64Array(log.rows)
  for (let first = 0; first < users.length; first += TILE) {
    const tile = users.subarray(first, first + TILE)
    const table = await scores(tile)
    tile.forEach((user, place) => {
      const logits = table.subarray(place * shown.items, (place + 1) * shown.items)
      for (const item of neighboursOf(shown.byUser, user)) logits[item] = -Infinity
      const total = logSum(logits, temperature)
      for (const row of rows.subarray(start[user], start[user + 1]))
        weights[row] = exp(logits[log.item[row]!]! / temperature - total) / log.propensity![row]!
    })
  }
  const moments = momentsOf({ log, weight: weights }, DIAGNOSTIC_TERMS, 'user')
  const squares = moments.total(weightSquared)
  const ess = squares > 0 ? moments.total(weight) ** 2 / squares : null
  const { interval, reason } = log.rows > 0 ? intervalFor(snips, moments) : { interval: null }
  return {
    value: valueOf(snips, moments) ?? null,
    interval,
    ess,
    essRatio: ess === null ? null : ess / moments.total(one),
    ...(reason !== undefined && { doubt: reason }),
  }
}

/** log Σ exp(logit / T), kept within range by the largest. */
export function logSum(logits: Numbers, temperature: number): number {
  let most = -Infinity
  for (let item = 0; item < logits.length; item++) most = Math.max(most, logits[item]!)
  let sum = 0
  for (let item = 0; item < logits.length; item++) sum += exp((logits[item]! - most) / temperature)
  return most / temperature + naturalLog(sum)
}
