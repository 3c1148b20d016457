import { badOption } from '../error.js'
import { degreeOf, neighboursOf, propagate } from '../graph/graph.js'
import type { Embeddings } from './embedding-model.js'
import { inversion } from './inverse.js'

/** The final embedding of a new user, from the items they clicked, each once. */
type FoldIn = (clicks: Uint32Array) => Float64Array

/** Of the mean diagonal of the normal equations. Measured on MovieLens 100K, 0.001 to 0.1 rank alike. */
const RIDGE = 0.01

/**
 * Fold-in of LightGCN: Σ_{k<K} Σ_{i∈N} e_i^(k)/√(|N|·|N_i|), divided by K + 1. What each item passes on does
 * not depend on the user, so it is summed over the layers once.
 */
export function propagatedFoldIn({ graph, initial, dim, layers }: Embeddings): FoldIn {
  const passed = new Float64Array(graph.items * dim)
  for (const layer of propagate(graph, initial, dim, layers - 1))
    for (let item = 0; item < graph.items; item++) {
      const factor = 1 / ((layers + 1) * Math.sqrt(Math.max(1, degreeOf(graph.byItem, item))))
      const row = (graph.users + item) * dim
      for (let k = 0; k < dim; k++) passed[item * dim + k]! += factor * layer[row + k]!
    }
  return (clicks) => sumOverRoot(clicks, passed, dim)
}

/**
 * Fold-in of matrix factorisation: e_u = W·x + c for x = Σ_{i∈N} e_i/√|N|, where W and c are fitted by ridge
 * regression to the users of the model. Least squares on the clicked items alone, as for ratings, is unsound
 * here: it asks them for equal scores and says nothing of the others. For held-out users of MovieLens 100K
 * (BPR, widths 16 and 64) this gave 1 % to 12 % more NDCG@10 than the plain mean of the clicked items, and
 * least squares 5 % to 45 % less.
 */
export function learnedFoldIn({ graph, final, dim }: Embeddings): FoldIn {
  if (graph.edges === 0)
    throw badOption(
      'The model was trained without clicks, so it cannot score new users.',
      'Train it on a log with clicks.',
    )
  const items = Float64Array.from(final.subarray(graph.users * dim))
  // The last of the `width` places is the constant 1.
  const width = dim + 1
  const described = (clicks: Uint32Array): Float64Array => {
    const x = new Float64Array(width)
    x.set(sumOverRoot(clicks, items, dim))
    x[dim] = 1
    return x
  }
  const normal = new Float64Array(width * width)
  const right = new Float64Array(width * dim)
  for (let user = 0; user < graph.users; user++) {
    if (degreeOf(graph.byUser, user) === 0) continue
    const x = described(neighboursOf(graph.byUser, user))
    for (let a = 0; a < width; a++) {
      for (let b = 0; b <= a; b++) normal[a * width + b]! += x[a]! * x[b]!
      for (let k = 0; k < dim; k++) right[a * dim + k]! += x[a]! * final[user * dim + k]!
    }
  }
  let diagonal = 0
  for (let a = 0; a < dim; a++) diagonal += normal[a * width + a]! / dim
  // The constant is not held back: it is where users stand on average.
  for (let a = 0; a < dim; a++) normal[a * width + a]! += RIDGE * diagonal || 1
  for (const _ of inversion(normal, width));
  const map = new Float64Array(width * dim)
  for (let a = 0; a < width; a++)
    for (let b = 0; b < width; b++)
      for (let k = 0; k < dim; k++) map[a * dim + k]! += normal[a * width + b]! * right[b * dim + k]!
  return (clicks) => {
    const x = described(clicks)
    const embedding = new Float64Array(dim)
    for (let a = 0; a < width; a++) for (let k = 0; k < dim; k++) embedding[k]! += x[a]! * map[a * dim + k]!
    return embedding
  }
}

/** Σ over the clicked rows, divided by the root of their number. */
function sumOverRoot(clicks: Uint32Array, rows: Float64Array, dim: number): Float64Array {
  const sum = new Float64Array(dim)
  const factor = 1 / Math.sqrt(clicks.length)
  for (const item of clicks) for (let k = 0; k < dim; k++) sum[k]! += factor * rows[item * dim + k]!
  return sum
}
