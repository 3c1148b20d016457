import { badOption, HindcastError } from '../error.js'
import type { Graph } from '../graph/graph.js'
import { clickedItems } from './clicked-items.js'
import { type FeatureScale, featureRow } from './feature-scale.js'
import { products } from './embedding-products.js'
import { learnedFoldIn, propagatedFoldIn } from './fold-in.js'
import { requireUser } from './known-user.js'
import type { ClickModel } from './model.js'

/** The models that gradients train. */
export type GradientModelName = 'lightgcn' | 'mf' | 'linear'

/** What an embedding model is made of. */
export interface Embeddings {
  readonly kind: GradientModelName
  /** Propagation layers K; 0 for matrix factorisation. */
  readonly layers: number
  readonly dim: number
  /** The training clicks. */
  readonly graph: Graph
  /** Layer-0 embeddings: users first, then items, row after row of `dim` numbers. */
  readonly initial: Float32Array
  /** Propagated embeddings, laid out alike; those of matrix factorisation are `initial`. */
  readonly final: Float32Array
  /** Of a linear policy: how features become rows. Its users are the contexts it was trained on; a saved one has none. */
  readonly features?: FeatureScale
}

/** A model that scores by e_u·e_i, with all it takes to save it. */
export interface EmbeddingModel extends ClickModel, Embeddings {
  readonly kind: Embeddings['kind']
}

/**
 * LightGCN (He et al. 2020) or matrix factorisation, trained elsewhere. The score of an item is the dot
 * product of the final embeddings, summed in float64 from the first column to the last and then rounded to
 * float32, so that it has the same bits everywhere.
 *
 * A new user is folded in without training. With layers, they are given a layer-0 embedding of zero and
 * what their items pass on to them: e_u^(k+1) = Σ_{i∈N} e_i^(k)/√(|N|·|N_i|), averaged over the layers 0 … K
 * (|N_i| counts the training clicks of the item, and 1 where it has none). Without layers, e_u is where
 * training puts users with such clicks: an affine map of Σ_{i∈N} e_i/√|N|, fitted to the users of the model
 * by ridge regression.
 */
export function embeddingModel(embeddings: Embeddings): EmbeddingModel {
  const { graph, dim, final } = embeddings
  const { users, items } = graph
  for (const name of ['initial', 'final'] as const)
    if (embeddings[name].length !== (users + items) * dim)
      throw badOption(
        `The ${name} embeddings have ${embeddings[name].length} numbers; ${users} users and ${items} items of width ${dim} need ${(users + items) * dim}.`,
        'Give users first, then items, row after row.',
      )
  let foldIn: ((clicks: Uint32Array) => Float64Array) | undefined
  return {
    ...embeddings,
    users,
    items,
    scores(user) {
      requireUser(user, users)
      return products(final, user * dim, embeddings)
    },
    foldIn(clicks) {
      if (embeddings.features) throw needsFeatures()
      const chosen = clickedItems(clicks, items)
      foldIn ??= embeddings.layers > 0 ? propagatedFoldIn(embeddings) : learnedFoldIn(embeddings)
      return products(foldIn(chosen), 0, embeddings)
    },
  }
}

/** The scores of all items in a context with these features, in the order of their names, by a linear policy. */
export function scoresOfFeatures(model: EmbeddingModel, features: ArrayLike<number>): Float32Array {
  if (!model.features) throw needsFeatures()
  return products(featureRow(model.features, features), 0, model)
}

const needsFeatures = (): HindcastError =>
  badOption(
    'A linear policy scores items by features, not by users and their clicks.',
    'Evaluate it on a log that has the features; for recommendations, train another model.',
  )
