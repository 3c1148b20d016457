import { easeStore } from './ease.js'
import { embeddingStore } from './embedding-store.js'
import { ialsStore } from './ials.js'
import { itemKnnStore } from './item-knn.js'
import { linearStore } from './linear-store.js'
import type { ModelStore } from './model-store.js'
import { popularityStore } from './popularity.js'
import { slimStore } from './slim.js'
import type { TrainedModelName } from './trained-models.js'

/** How each kind of model is kept in a file. */
export const MODEL_STORES: Readonly<Record<TrainedModelName, ModelStore>> = {
  lightgcn: embeddingStore,
  mf: embeddingStore,
  linear: linearStore,
  ials: ialsStore,
  ease: easeStore,
  slim: slimStore,
  'item-knn': itemKnnStore,
  popularity: popularityStore,
}
