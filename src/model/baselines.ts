import { degreeOf, type Graph } from '../graph/graph.js'
import { type Named, Registry } from '../registry.js'
import { easeWork } from './ease.js'
import type { WorkOptions } from './long-work.js'
import type { Model } from './model.js'
import { popularityModel } from './popularity.js'
import { TRAINED_MODELS, type TrainedModelName } from './trained-models.js'

/** A model without training, to compare a trained one with. */
export interface Baseline<Name extends string = string> extends Named<Name> {
  readonly family: 'baseline'
  /** The model of the training clicks. */
  make(graph: Graph, options: WorkOptions): Model | Promise<Model>
  /** About how many seconds it takes on so many threads, so that long ones can be left out; default none. */
  seconds?(graph: Graph, threads: number): number
}

/** Multiplications per second of a dense matrix on one thread, steps along clicks, sums of rows: cautious, so that estimates are not too short. */
const DENSE_RATE = 2e9
const CLICK_RATE = 1e8
const ROW_RATE = 1e9

/** A baseline with the words of the model that it is. */
function baseline<Name extends TrainedModelName>(
  name: Name,
  { make, seconds }: Pick<Baseline, 'make' | 'seconds'>,
): Baseline<Name> {
  const { label, meaning, docs } = TRAINED_MODELS.named(name)
  return { name, label, family: 'baseline', meaning, docs, make, ...(seconds && { seconds }) }
}

const popularity = baseline('popularity', { make: (graph) => popularityModel(graph) })

const itemKnn = baseline('item-knn', {
  // Loaded when it is asked for: figures and reports need the names alone.
  make: async (graph, options) => (await import('./item-weights.js')).itemKnnModel(graph, options),
  seconds({ users, items, byUser }) {
    let pairs = items ** 2
    for (let user = 0; user < users; user++) pairs += degreeOf(byUser, user) ** 2
    return pairs / CLICK_RATE
  },
})

const ease = baseline('ease', {
  make: async (graph, options) => (await import('./ease.js')).easeModel(graph, options),
  // Solving it, and adding up a row of weights for each click to rank both held-out parts.
  seconds: (graph, threads) =>
    easeWork(graph).multiplications / DENSE_RATE / threads + (2 * graph.edges * graph.items) / ROW_RATE,
})

const ALL = [popularity, itemKnn, ease] as const

export type BaselineName = (typeof ALL)[number]['name']

/** The baselines that are evaluated beside a trained model, by name. */
export const BASELINES: Registry<Baseline<BaselineName>> = new Registry('baseline', ALL)
