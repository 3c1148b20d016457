import type { Graph } from '../graph/graph.js'
import type { KernelState } from '../kernels/kernel.js'
import type { Log } from '../log/log.js'
import { log as naturalLog } from '../portable-math.js'
import { initialState } from './initial.js'
import { LOSSES } from './losses/index.js'
import { withBiases } from './rating-biases.js'
import { learnsRatings } from './rating-rows.js'
import type { TrainSettings } from './settings.js'

/**
 * Where a training begins. A policy by matrix factorisation has a bias for each item: the first column is 1 for users,
 * so that an item's number there is added to its scores. It is 0, for a policy that begins near uniform, or T·log of
 * the item's share of the impressions, for one that begins near the logging policy, averaged over users. Both columns
 * are learnt like all others. Ratings have a bias for each user and one for each item, both 0, in the first two columns.
 */
export function startOf(log: Log, graph: Graph, settings: TrainSettings): KernelState {
  const { dim, seed, layers } = settings
  if (learnsRatings(settings)) return withBiases(initialState(graph, dim, seed), graph, dim)
  if (!LOSSES.named(settings.loss).objective || layers > 0) return initialState(graph, dim, seed, settings)
  const state = initialState(graph, dim, seed)
  const embeddings = Float32Array.from(state.embeddings)
  const biases = biasesOf(log, graph, settings)
  for (let user = 0; user < graph.users; user++) embeddings[user * dim] = 1
  for (let item = 0; item < graph.items; item++) embeddings[(graph.users + item) * dim] = biases[item]!
  return { ...state, embeddings }
}

/** An item is taken to have been shown this many times more. */
const PRIOR_ROWS = 1

function biasesOf(
  log: Log,
  { items }: Graph,
  { start = 'uniform', temperature }: TrainSettings,
): Float64Array {
  const shown = new Float64Array(items)
  if (start === 'uniform') return shown
  shown.fill(PRIOR_ROWS)
  for (let row = 0; row < log.rows; row++) shown[log.item[row]!]! += log.weight?.[row] ?? 1
  // Scores count from their mean: a constant changes no policy.
  const logs = shown.map((count) => temperature * naturalLog(count))
  const mean = logs.reduce((a, b) => a + b) / items
  return logs.map((one) => one - mean)
}
