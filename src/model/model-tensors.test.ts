import { describe, expect, it } from 'vitest'
import type { Graph } from '../graph/graph.js'
import { easeModel } from './ease.js'
import { embeddingModel } from './embedding-model.js'
import { randomEmbeddings, randomGraph } from './example-graph.js'
import { ialsModel } from './ials.js'
import { itemKnnModel, slimModel } from './item-weights.js'
import type { ClickModel } from './model.js'
import { MODEL_STORES, modelFromTensors, modelTensors } from './model-files.js'
import { popularityModel } from './popularity.js'
import { decodeSafetensors, encodeSafetensors, type Safetensors } from './safetensors.js'
import { TRAINED_MODELS, type TrainedModelName } from './trained-models.js'

const embedded = (kind: 'lightgcn' | 'mf', graph: Graph): ClickModel => {
  const numbers = (seed: number): Float32Array => randomEmbeddings(graph.users + graph.items, 4, seed)
  return embeddingModel({
    kind,
    layers: kind === 'mf' ? 0 : 2,
    dim: 4,
    graph,
    initial: numbers(1),
    final: numbers(2),
  })
}

const MAKE: Readonly<
  Record<Exclude<TrainedModelName, 'linear'>, (graph: Graph) => ClickModel | Promise<ClickModel>>
> = {
  lightgcn: (graph) => embedded('lightgcn', graph),
  mf: (graph) => embedded('mf', graph),
  ials: (graph) => ialsModel(graph, { dim: 5, sweeps: 2 }),
  ease: (graph) => easeModel(graph, { lambda: 5 }),
  slim: (graph) => slimModel(graph, { neighbours: 4 }),
  'item-knn': (graph) => itemKnnModel(graph),
  popularity: popularityModel,
}

/** The shape that model.json has, and the tensors after a trip through a file. */
function saved(model: ClickModel): [Parameters<typeof modelFromTensors>[0], Safetensors['tensors']] {
  const { kind, users, items } = model
  const shape = { kind, users, items, ...MODEL_STORES[kind].shape(model) }
  return [shape, decodeSafetensors(encodeSafetensors(modelTensors(model))).tensors]
}

/** A linear policy knows no users: linear-store.test.ts has it. */
const KINDS = TRAINED_MODELS.names.filter((name) => name !== 'linear')

describe.each(KINDS)('a saved %s', (kind) => {
  it('scores known and new users to the same bits as the one that was trained', async () => {
    const model = await MAKE[kind](randomGraph(30, 20, 3))
    const again = modelFromTensors(...saved(model), 'the file')
    expect([again.kind, again.users, again.items]).toEqual([kind, 30, 20])
    expect(again.graph).toEqual(model.graph)
    for (const user of [0, 13, 29]) expect(again.scores(user)).toEqual(model.scores(user))
    for (const clicks of [[0], [3, 4, 19]])
      expect(again.foldIn(Uint32Array.from(clicks))).toEqual(model.foldIn(Uint32Array.from(clicks)))
    expect(modelTensors(again)).toEqual(modelTensors(model))
  })

  it('is refused where a tensor is missing, or another number of items is asked for', async () => {
    const [shape, tensors] = saved(await MAKE[kind](randomGraph(30, 20, 3)))
    for (const name of Object.keys(tensors)) {
      const { [name]: _, ...others } = tensors
      expect(() => modelFromTensors(shape, others, 'the file')).toThrow(`it has no tensor ${name}`)
    }
    if (kind !== 'ease')
      expect(() => modelFromTensors({ ...shape, items: 21 }, tensors, 'the file')).toThrow(
        'the file does not hold the model that model.json describes',
      )
  })
})

describe('a damaged model', () => {
  it.each<[(typeof KINDS)[number], string, (data: never) => unknown, string]>([
    [
      'ease',
      'item_weights',
      (data: Float32Array) => data.fill(NaN),
      'item_weights has a number that is not finite',
    ],
    [
      'ease',
      'weighted_items',
      (data: Uint32Array) => data.reverse(),
      'weighted_items are not items in ascending order',
    ],
    [
      'item-knn',
      'followers',
      (data: Uint32Array) => data.fill(99),
      'followers has an item that does not exist',
    ],
    [
      'item-knn',
      'item_offsets',
      (data: Uint32Array) => data.reverse(),
      'item_offsets do not cut followers into items',
    ],
    ['item-knn', 'similarities', (data: Float64Array) => data.fill(Infinity), 'similarities has a number'],
    [
      'popularity',
      'item_clicks',
      (data: Float32Array) => data.fill(1),
      'item_clicks does not count user_items',
    ],
    [
      'ials',
      'least_squares',
      (data: Float64Array) => data.fill(-1),
      'least_squares are not a weight and a penalty',
    ],
    [
      'ials',
      'item_embedding',
      (data: Float32Array) => data.fill(NaN),
      'the embedding of item 0 has the number NaN',
    ],
  ])('of %s with other %s is refused', async (kind, tensor, damage, reason) => {
    const [shape, tensors] = saved(await MAKE[kind](randomGraph(30, 20, 3)))
    damage(tensors[tensor]!.data as never)
    expect(() => modelFromTensors(shape, tensors, 'the file')).toThrow(reason)
  })
})
