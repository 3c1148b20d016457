import type { Graph } from '../graph/graph.js'
import { type Named, Registry } from '../registry.js'
import { easeModel } from './ease.js'
import { itemKnnModel } from './item-knn.js'
import type { WorkOptions } from './long-work.js'
import type { Model } from './model.js'
import { popularityModel } from './popularity.js'

/** A model without training, to compare a trained one with. */
export interface Baseline<Name extends string = string> extends Named<Name> {
  readonly family: 'baseline'
  /** The model of the training clicks. */
  make(graph: Graph, options: WorkOptions): Model | Promise<Model>
}

const popularity: Baseline<'popularity'> = {
  name: 'popularity',
  label: 'popularity',
  family: 'baseline',
  meaning: 'The same for every user: items ranked by how many users clicked them in training.',
  docs: 'baselines.md#popularity',
  make: (graph) => popularityModel(graph),
}

const itemKnn: Baseline<'item-knn'> = {
  name: 'item-knn',
  label: 'item kNN',
  family: 'baseline',
  meaning: 'Items similar to those the user clicked, by how many users clicked both.',
  docs: 'baselines.md#item-knn',
  make: itemKnnModel,
}

const ease: Baseline<'ease'> = {
  name: 'ease',
  label: 'EASE',
  family: 'baseline',
  meaning: 'A linear model that scores items from clicked items, in closed form (Steck 2019).',
  docs: 'baselines.md#ease',
  make: easeModel,
}

const ALL = [popularity, itemKnn, ease] as const

export type BaselineName = (typeof ALL)[number]['name']

/** The baselines that are evaluated beside a trained model, by name. */
export const BASELINES: Registry<Baseline<BaselineName>> = new Registry('baseline', ALL)
