import { type Log, takeRows, throwIfAborted } from 'hindcast'
import {
  clickGraph,
  easeModel,
  embeddingModel,
  eventsOf,
  type Graph,
  itemKnnModel,
  type LossName,
  type Model,
  popularityModel,
  propagate,
  type Regulariser,
  train,
} from 'hindcast/train'
import type { StepContext } from './context.js'
import type { StudyMethod } from '../results.js'
import type { StudySettings } from '../settings.js'

/** A model of one method, from one training log. */
export interface TrainedMethod {
  readonly model: Model
  readonly trainClicks: number
  /** Effective share of the training events; null for baselines. */
  readonly trainingEssRatio: number | null
}

/** A method with the α of its regulariser: 0 is none, null is ∞. */
export interface Variant {
  readonly method: StudyMethod
  readonly alpha: number | null
}

export interface TrainMethodOptions extends StepContext {
  readonly seed: number
  readonly training: StudySettings['training']
  /** Looks at the model on the way, at so many points evenly over the steps. */
  readonly watch?: {
    readonly points: number
    readonly look: (model: Model, at: { epoch: number; steps: number }) => Promise<void>
  }
}

const LOSSES: Partial<Record<StudyMethod, LossName>> = {
  bpr: 'bpr',
  'ips-bpr': 'ips-bpr',
  'ips-bpr-pr': 'ips-bpr',
  'ips-bce': 'ips-bce',
}

/** Trains a method on a log, all of it, for about so many steps: nothing is held back, nothing stops it early. */
export async function trainMethod(
  log: Log,
  { method, alpha }: Variant,
  options: TrainMethodOptions,
): Promise<TrainedMethod> {
  const { signal, seed, training, watch, progress, makeKernel } = options
  const graph = clickGraph(log)
  const loss = LOSSES[method]
  if (loss === undefined)
    return { model: await baseline(method, graph, signal), trainClicks: graph.edges, trainingEssRatio: null }
  const { steps, alpha: _, ...hyper } = training
  const perEpoch = Math.ceil(eventsOf(log, graph, loss).count / hyper.batch)
  const epochs = Math.max(1, Math.round(steps / perEpoch))
  const looks = new Set(
    Array.from({ length: watch?.points ?? 0 }, (_place, k) =>
      Math.max(1, Math.round(((k + 1) * epochs) / watch!.points)),
    ),
  )
  const none = takeRows(log, new Uint32Array(0))
  const trained = await train(
    { train: log, validation: none, test: none },
    {
      ...hyper,
      loss: alpha === null ? 'bpr' : loss,
      regulariser: regulariserOf(alpha),
      seed,
      epochs,
      // No epoch is judged but the last, which is kept.
      patience: epochs,
      evaluateEvery: epochs,
    },
    {
      ...(signal && { signal }),
      ...(makeKernel && { kernel: makeKernel }),
      onEpoch: ({ epoch }) => progress?.(epoch / epochs),
      keep: async ({ epoch, state }) => {
        if (!watch || !looks.has(epoch)) return
        const initial = Float32Array.from(state.embeddings)
        const model = embeddingModel({
          kind: 'lightgcn',
          layers: hyper.layers,
          dim: hyper.dim,
          graph,
          initial,
          final: meanOfLayers(propagate(graph, initial, hyper.dim, hyper.layers)),
        })
        await watch.look(model, { epoch, steps: state.steps })
      },
    },
  )
  throwIfAborted(signal)
  return {
    model: trained.model,
    trainClicks: graph.edges,
    trainingEssRatio: trained.training.weights.essRatio,
  }
}

const regulariserOf = (alpha: number | null): Regulariser =>
  alpha === null || alpha === 0 ? { kind: 'none', strength: 0 } : { kind: 'shrink', strength: alpha }

async function baseline(method: StudyMethod, graph: Graph, signal: AbortSignal | undefined): Promise<Model> {
  const options = signal ? { signal } : {}
  if (method === 'item-knn') return itemKnnModel(graph, options)
  if (method === 'ease') return easeModel(graph, options)
  return popularityModel(graph)
}

/** Σ_k E^(k)/(K + 1). */
function meanOfLayers(layers: readonly Float64Array[]): Float32Array {
  const mean = new Float32Array(layers[0]!.length)
  for (let place = 0; place < mean.length; place++) {
    let sum = 0
    for (const layer of layers) sum += layer[place]!
    mean[place] = sum / layers.length
  }
  return mean
}
