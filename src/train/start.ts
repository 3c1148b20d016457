import { degreeOf, type Graph } from '../graph/graph.js'
import type { KernelState } from '../kernels/kernel.js'
import { featuresOf } from '../log/contexts.js'
import type { Log } from '../log/log.js'
import { featureRow, featureScale, requireContexts } from '../model/feature-scale.js'
import { isLinear } from '../model/trained-models.js'
import { log as naturalLog } from '../portable-math.js'
import { randomStream } from '../random/stream.js'
import { LOSSES } from './losses/index.js'
import { learnsRatings } from './rating-rows.js'
import type { TrainSettings } from './settings.js'

/** Adam's running mean of squared gradients that holds a number where it is: its steps are divided by the root of it. */
const HELD = 1e30

/** Steps after which numbers are held anew: until then, 0.999 to their power leaves more than enough of `HELD`. */
const STEPS_HELD = 20_000

/** Whether numbers are held anew after an epoch; the same in a training that goes on. */
export const isHoldDue = (epoch: number, stepsPerEpoch: number): boolean =>
  epoch % Math.max(1, Math.floor(STEPS_HELD / stepsPerEpoch)) === 0

/**
 * Where a training begins: random embeddings and moments of 0. Matrix factorisation may have a bias for each item: in
 * one column users are 1, so that an item's number there is added to its scores. The column is learnt like all others.
 * A policy always has it, and begins near uniform or near what the log showed; a ranking has it where `biases` asks for
 * it, and begins at popularity. A linear policy has the features of contexts in place of users. Ratings have a bias for each user and one for each item, both 0, in the first two columns.
 */
export function startOf(log: Log, graph: Graph, settings: TrainSettings): KernelState {
  const { dim, seed, layers, biases, start = 'uniform', temperature } = settings
  const policyScores = (): Float64Array =>
    start === 'uniform' ? new Float64Array(graph.items) : fromShares(log, graph, temperature)
  if (isLinear(settings.model)) return featureStart(log, graph, policyScores())
  const state = randomState(graph, dim, seed)
  if (learnsRatings(settings)) return withRatingBiases(state, graph, dim)
  // Layers would blur a column of ones.
  if (LOSSES.named(settings.loss).objective && layers === 0)
    return withBiases(state, graph, { dim, column: 0, scores: policyScores() })
  return biases ? withBiases(state, graph, { dim, column: dim - 1, scores: fromClicks(graph) }) : state
}

/**
 * Embeddings uniform on ±√(6/(rows + dim)), rows being the users or the items (Glorot & Bengio 2010). A row's numbers
 * depend on the seed and its index alone.
 */
function randomState({ users, items }: Graph, dim: number, seed: number): KernelState {
  const size = (users + items) * dim
  const embeddings = new Float32Array(size)
  let at = 0
  for (const [side, rows] of [
    ['user', users],
    ['item', items],
  ] as const) {
    const bound = Math.sqrt(6 / (rows + dim))
    for (let row = 0; row < rows; row++) {
      const random = randomStream(seed, `initial ${side} embedding`, row)
      for (let d = 0; d < dim; d++) embeddings[at++] = (2 * random.uniform() - 1) * bound
    }
  }
  return { embeddings, mean: new Float32Array(size), square: new Float32Array(size), steps: 0 }
}

/** The state with a bias for each item, in a column in which users are 1. */
function withBiases(
  state: KernelState,
  { users, items }: Graph,
  { dim, column, scores }: { dim: number; column: number; scores: Float64Array },
): KernelState {
  const embeddings = Float32Array.from(state.embeddings)
  for (let user = 0; user < users; user++) embeddings[user * dim + column] = 1
  for (let item = 0; item < items; item++) embeddings[(users + item) * dim + column] = scores[item]!
  return { ...state, embeddings }
}

/** log(1 + clicks): items ranked by popularity, for every user alike. */
const fromClicks = ({ items, byItem }: Graph): Float64Array =>
  aroundMean(Float64Array.from({ length: items }, (_, item) => naturalLog(1 + degreeOf(byItem, item))))

/** An item is taken to have been shown this many times more. */
const PRIOR_ROWS = 1

/** T·log of an item's share of the impressions: softmax(scores / T) is what was shown, averaged over users. */
function fromShares(log: Log, { items }: Graph, temperature: number): Float64Array {
  const shown = new Float64Array(items).fill(PRIOR_ROWS)
  for (let row = 0; row < log.rows; row++) shown[log.item[row]!]! += log.weight?.[row] ?? 1
  return aroundMean(shown.map((count) => temperature * naturalLog(count)))
}

/** Scores count from their mean: a constant changes no ranking and no policy. */
function aroundMean(scores: Float64Array): Float64Array {
  const mean = scores.reduce((a, b) => a + b, 0) / scores.length
  return scores.map((score) => score - mean)
}

/**
 * Where a linear policy begins, on a log by context: the row of a context is its features and a 1, which are held; that
 * of an item is 0, but for its number beside the 1.
 */
function featureStart(log: Log, graph: Graph, biases: Float64Array): KernelState {
  const contexts = requireContexts(log)
  const scale = featureScale(log)
  const dim = contexts.names.length + 1
  const size = (graph.users + graph.items) * dim
  const embeddings = new Float32Array(size)
  for (let context = 0; context < graph.users; context++)
    embeddings.set(featureRow(scale, featuresOf(contexts, context)), context * dim)
  biases.forEach((bias, item) => (embeddings[(graph.users + item + 1) * dim - 1] = bias))
  return holdFeatures(
    { embeddings, mean: new Float32Array(size), square: new Float32Array(size), steps: 0 },
    graph,
    dim,
  )
}

/** The state with the rows of contexts held. */
export function holdFeatures(state: KernelState, { users }: Graph, dim: number): KernelState {
  const square = state.square.slice()
  square.fill(HELD, 0, users * dim)
  return { ...state, square }
}

/**
 * A state with biases of 0: the first column is the bias of a user, beside 1 for every item; the second is the other way
 * round. The ones are held. Free, they would only feel the penalty as long as biases are small, and Adam, whatever the
 * size of a gradient, would take them to 0 in a hundred steps, and the biases with them.
 */
export function withRatingBiases(state: KernelState, graph: Graph, dim: number): KernelState {
  const embeddings = Float32Array.from(state.embeddings)
  for (let node = 0; node < graph.users + graph.items; node++)
    embeddings.set(node < graph.users ? [0, 1] : [1, 0], node * dim)
  return holdOnes({ ...state, embeddings }, graph, dim)
}

/** The state with its ones held. */
export function holdOnes(state: KernelState, { users, items }: Graph, dim: number): KernelState {
  const square = state.square.slice()
  for (let node = 0; node < users + items; node++) square[node * dim + (node < users ? 1 : 0)] = HELD
  return { ...state, square }
}
