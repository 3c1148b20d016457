import { solveSymmetric } from '../../symmetric-eigen.js'
import type { LeastSquaresWeights } from './least-squares.js'

/** Rows of `dim` numbers, one after the other. */
export interface Rows {
  readonly rows: Float64Array
  readonly dim: number
}

/** Σ y·yᵀ over all rows, as `dim` rows of `dim` numbers. */
export function sumOfProducts({ rows, dim }: Rows): Float64Array {
  const gram = new Float64Array(dim * dim)
  for (let start = 0; start < rows.length; start += dim)
    for (let a = 0; a < dim; a++)
      for (let b = 0; b < dim; b++) gram[a * dim + b]! += rows[start + a]! * rows[start + b]!
  return gram
}

/**
 * One row of alternating least squares, plainly: x that solves (Σ_{k ∈ N} y_k·y_kᵀ + α·G + λ(|N| + α·rows)·I) x = Σ_{k ∈ N} y_k
 * for the neighbours N among the rows y of the other side, G being their `sumOfProducts`. 0 without neighbours.
 */
export function leastSquaresRow(
  { rows, dim }: Rows,
  gram: Float64Array,
  neighbours: Uint32Array,
  { unobserved, lambda }: LeastSquaresWeights,
): Float64Array {
  const right = new Float64Array(dim)
  if (neighbours.length === 0) return right
  const matrix = gram.map((value) => unobserved * value)
  for (const neighbour of neighbours) {
    const y = rows.subarray(neighbour * dim, (neighbour + 1) * dim)
    for (let a = 0; a < dim; a++) {
      right[a]! += y[a]!
      for (let b = 0; b < dim; b++) matrix[a * dim + b]! += y[a]! * y[b]!
    }
  }
  const penalty = lambda * (neighbours.length + (unobserved * rows.length) / dim)
  for (let a = 0; a < dim; a++) matrix[a * dim + a]! += penalty
  solveSymmetric(matrix, right, dim)
  return right
}
