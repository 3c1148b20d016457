import { type Named, Registry } from '../registry.js'

/** A model that is trained by gradients: embeddings whose products are the scores. */
export interface TrainedModel<Name extends string = string> extends Named<Name> {
  readonly family: 'trained'
  /** Whether embeddings are propagated along the graph, layer by layer. */
  readonly hasLayers: boolean
}

const lightgcn: TrainedModel<'lightgcn'> = {
  name: 'lightgcn',
  label: 'LightGCN',
  family: 'trained',
  meaning: 'LightGCN: embeddings of users and items are averaged along the graph of clicks (He et al. 2020).',
  docs: 'training.md#lightgcn',
  hasLayers: true,
}

const mf: TrainedModel<'mf'> = {
  name: 'mf',
  label: 'MF',
  family: 'trained',
  meaning: 'Matrix factorisation: a vector for each user and each item, without propagation between them.',
  docs: 'training.md#mf',
  hasLayers: false,
}

const ALL = [lightgcn, mf] as const

export type TrainedModelName = (typeof ALL)[number]['name']

/** The models that can be trained, by name. */
export const TRAINED_MODELS: Registry<TrainedModel<TrainedModelName>> = new Registry('model', ALL)
