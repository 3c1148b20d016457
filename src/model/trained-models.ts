import { type Named, Registry } from '../registry.js'

/** A model that is trained, saved and served: by gradients, or solved directly from the clicks. */
export interface TrainedModel<Name extends string = string> extends Named<Name> {
  /** `trained` by gradients of a loss, epoch by epoch, or `solved` from the clicks, without a loss and weights. */
  readonly family: 'trained' | 'solved'
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

const linear: TrainedModel<'linear'> = {
  name: 'linear',
  label: 'linear policy',
  family: 'trained',
  meaning:
    'A policy over features, π(a|x) ∝ exp(x·w_a + b_a): it knows a row by its features, not by its user.',
  docs: 'learning.md#policies-over-features',
  hasLayers: false,
}

const ials: TrainedModel<'ials'> = {
  name: 'ials',
  label: 'iALS',
  family: 'solved',
  meaning: 'Matrix factorisation by alternating least squares, each step exact (Hu et al. 2008).',
  docs: 'training.md#ials',
  hasLayers: false,
}

const ease: TrainedModel<'ease'> = {
  name: 'ease',
  label: 'EASE',
  family: 'solved',
  meaning: 'A linear model that scores items from clicked items, in closed form (Steck 2019).',
  docs: 'baselines.md#ease',
  hasLayers: false,
}

const slim: TrainedModel<'slim'> = {
  name: 'slim',
  label: 'SLIM',
  family: 'solved',
  meaning: 'EASE among the neighbours of each item, for catalogues of any size (after Ning & Karypis 2011).',
  docs: 'baselines.md#slim',
  hasLayers: false,
}

const itemKnn: TrainedModel<'item-knn'> = {
  name: 'item-knn',
  label: 'item kNN',
  family: 'solved',
  meaning: 'Items similar to those the user clicked, by how many users clicked both.',
  docs: 'baselines.md#item-knn',
  hasLayers: false,
}

const popularity: TrainedModel<'popularity'> = {
  name: 'popularity',
  label: 'popularity',
  family: 'solved',
  meaning: 'The same for every user: items ranked by how many users clicked them in training.',
  docs: 'baselines.md#popularity',
  hasLayers: false,
}

const ALL = [lightgcn, mf, linear, ials, ease, slim, itemKnn, popularity] as const

export type TrainedModelName = (typeof ALL)[number]['name']

/** The models that can be trained, by name. */
export const TRAINED_MODELS: Registry<TrainedModel<TrainedModelName>> = new Registry('model', ALL)

/** Whether a model is solved from the clicks, without a loss, weights or gradients. */
export const isSolved = (name: string): boolean => TRAINED_MODELS.find(name)?.family === 'solved'

/** Whether a model scores items by the features of a context, whoever the user is. */
export const isLinear = (name: string): boolean => name === linear.name
