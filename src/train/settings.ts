import type { TrainedModelName } from '../model/trained-models.js'
import type { LossName } from './losses/index.js'
import type { Regulariser } from './regularisers.js'
import type { StoppingMeasure } from './stopping-measures.js'

export type { LossName }

/** π of the training weight w = π/b. */
export type WeightTarget =
  | { readonly kind: 'uniform' }
  /** w = 1/b. */
  | { readonly kind: 'inverse' }
  /** The model's own softmax at a temperature, mixed with ε uniform, recomputed every epoch; no gradient through it. */
  | { readonly kind: 'model'; readonly temperature: number; readonly epsilon: number }
  /** A fixed policy; its probabilities of the logged items stand in the log's `target` column. */
  | { readonly kind: 'column' }

/** How items that stand for "not clicked" are drawn. */
export type Negatives =
  /** Uniform over the items the user has not clicked. */
  | { readonly kind: 'unclicked' }
  /** Uniform over all items, clicked ones too. */
  | { readonly kind: 'all' }
  /** In proportion to clicks^power, clicked ones left out. */
  | { readonly kind: 'popularity'; readonly power: number }

/** Everything that determines a training, besides the log: the same settings on the same log give the same bits. */
export interface TrainSettings {
  readonly model: TrainedModelName
  readonly loss: LossName
  /** The number of an objective, such as λ of `poem`; left out for its usual one. */
  readonly parameter?: number
  /** The policy that an objective by matrix factorisation begins near: `uniform` unless chosen, or what the log showed. */
  readonly start?: 'uniform' | 'logging'
  readonly regulariser: Regulariser
  readonly weightTarget: WeightTarget
  /** Weights multiply the loss, or events are drawn in proportion to them. */
  readonly ips: 'weight' | 'resample'
  /** An epoch has every event once, or as many events drawn so that every user is equally likely. */
  readonly sampleBy: 'event' | 'user'
  readonly negatives: Negatives
  /** Drawn items per sample of the softmax losses; of objectives, where the catalogue has more items than that. */
  readonly drawn: number
  readonly dim: number
  readonly layers: number
  readonly learningRate: number
  readonly batch: number
  readonly l2: number
  readonly epochs: number
  /** k of NDCG@k and the other ranking metrics. */
  readonly k: number
  readonly stopOn: StoppingMeasure
  /** Evaluations without improvement before training stops. */
  readonly patience: number
  /** Steps without improvement before training stops, besides: an epoch of a small log has few. None where left out. */
  readonly patienceSteps?: number
  readonly minimumGain: number
  /** Epochs between two evaluations. */
  readonly evaluateEvery: number
  /** T of the policy softmax(scores / T) whose value SNIPS estimates, and which objectives teach. */
  readonly temperature: number
  readonly seed: number
  /** mf alone: a column in which items start at how often they were clicked, and all users alike. */
  readonly biases?: boolean
  /** λ of ease and ials; like the next one, chosen on the validation clicks where it is left out. */
  readonly lambda?: number
  /** α of ials: the weight of pairs without a click, a click having 1 + α. */
  readonly unobserved?: number
  /** Neighbours that each item keeps in item-knn, and what its similarities are shrunk by. */
  readonly neighbours?: number
  readonly shrinkage?: number
}

/** The paper's settings, where it names them. */
export const DEFAULT_SETTINGS: TrainSettings = {
  model: 'lightgcn',
  loss: 'bpr',
  regulariser: { kind: 'none', strength: 0 },
  weightTarget: { kind: 'uniform' },
  ips: 'weight',
  sampleBy: 'event',
  negatives: { kind: 'unclicked' },
  drawn: 16,
  dim: 64,
  layers: 3,
  learningRate: 1e-3,
  batch: 1024,
  l2: 1e-4,
  epochs: 1000,
  k: 10,
  stopOn: 'ndcg',
  patience: 20,
  minimumGain: 1e-4,
  evaluateEvery: 1,
  temperature: 1,
  seed: 0,
}
