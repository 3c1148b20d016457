import { contextColumn } from '../log/contexts.js'
import type { Log } from '../log/log.js'
import { countRows } from '../log/row-groups.js'
import type { Policy } from '../policy/policy.js'
import { log as naturalLog } from '../portable-math.js'

/** −Σ p log p of one distribution, in nats; what lies outside the items counts as one further item. */
function entropyOf(probabilities: Float64Array, outside = 0): number {
  let entropy = outside > 0 ? -outside * naturalLog(outside) : 0
  for (let item = 0; item < probabilities.length; item++) {
    const p = probabilities[item]!
    if (p > 0) entropy -= p * naturalLog(p)
  }
  return entropy
}

/**
 * The mean entropy of a policy over the impressions of a log, in nats, from every k-th context that has rows, `most` of them
 * at the most. Contexts in which it does what the logging policy does are left out; 0 where there are no others.
 */
export function meanEntropy(log: Log, policy: Policy, most: number): number {
  const { index, count } = contextColumn(log)
  const rows = countRows(index, count)
  const seen = Uint32Array.from(rows.keys()).filter(
    (context) => rows[context]! > 0 && !policy.followsLogging?.(context),
  )
  const step = Math.max(1, Math.ceil(seen.length / most))
  let [total, weight] = [0, 0]
  for (let k = 0; k < seen.length; k += step) {
    const context = seen[k]!
    total += rows[context]! * entropyOf(policy.probabilities(context), policy.outside?.(context))
    weight += rows[context]!
  }
  return weight === 0 ? 0 : total / weight
}
