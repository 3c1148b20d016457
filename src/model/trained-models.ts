import { type Named, recordsOf, Registry } from '../registry.js'

/** A model that is trained, saved and served: by gradients, or solved directly from the clicks. */
export interface TrainedModel<Name extends string = string> extends Named<Name> {
  /** `trained` by gradients of a loss, epoch by epoch, or `solved` from the clicks, without a loss and weights. */
  readonly family: 'trained' | 'solved'
  /** Whether embeddings are propagated along the graph, layer by layer. */
  readonly hasLayers: boolean
}

const trained = recordsOf<TrainedModel, 'family' | 'hasLayers'>('training.md', {
  family: 'trained',
  hasLayers: false,
})
const solved = recordsOf<TrainedModel, 'family' | 'hasLayers'>('baselines.md', {
  family: 'solved',
  hasLayers: false,
})

const lightgcn = trained('lightgcn', {
  label: 'LightGCN',
  meaning: 'LightGCN: embeddings of users and items are averaged along the graph of clicks (He et al. 2020).',
  hasLayers: true,
})

const mf = trained('mf', {
  label: 'MF',
  meaning: 'Matrix factorisation: a vector for each user and each item, without propagation between them.',
})

const linear = trained('linear', {
  label: 'linear policy',
  meaning:
    'A policy over features, π(a|x) ∝ exp(x·w_a + b_a): it knows a row by its features, not by its user.',
  docs: 'learning.md#policies-over-features',
})

const ials = solved('ials', {
  label: 'iALS',
  meaning: 'Matrix factorisation by alternating least squares, each step exact (Hu et al. 2008).',
  docs: 'training.md#ials',
})

const ease = solved('ease', {
  label: 'EASE',
  meaning: 'A linear model that scores items from clicked items, in closed form (Steck 2019).',
})

const slim = solved('slim', {
  label: 'SLIM',
  meaning: 'EASE among the neighbours of each item, for catalogues of any size (after Ning & Karypis 2011).',
})

const itemKnn = solved('item-knn', {
  label: 'item kNN',
  meaning: 'Items similar to those the user clicked, by how many users clicked both.',
})

const popularity = solved('popularity', {
  label: 'popularity',
  meaning: 'The same for every user: items ranked by how many users clicked them in training.',
})

const ALL = [lightgcn, mf, linear, ials, ease, slim, itemKnn, popularity] as const

export type TrainedModelName = (typeof ALL)[number]['name']

/** The models that can be trained, by name. */
export const TRAINED_MODELS: Registry<TrainedModel<TrainedModelName>> = new Registry('model', ALL)

/** Whether a model is solved from the clicks, without a loss, weights or gradients. */
export const isSolved = (name: string): boolean => TRAINED_MODELS.find(name)?.family === 'solved'

/** Whether a model scores items by the features of a context, whoever the user is. */
export const isLinear = (name: string): boolean => name === linear.name
