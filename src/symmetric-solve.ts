/**
 * Solves Ax = b for a symmetric positive definite matrix, of which the lower half is given row by row, by its Cholesky
 * factor. Both are overwritten: b with x, and the lower half of A with the factor.
 */
export function solveSymmetric(matrix: Float64Array, vector: Float64Array, size: number): void {
  for (let i = 0; i < size; i++) {
    const row = i * size
    for (let j = 0; j <= i; j++) {
      const other = j * size
      let sum = matrix[row + j]!
      for (let k = 0; k < j; k++) sum -= matrix[row + k]! * matrix[other + k]!
      matrix[row + j] = i === j ? Math.sqrt(sum) : sum / matrix[other + j]!
    }
  }
  for (let i = 0; i < size; i++) {
    let sum = vector[i]!
    for (let k = 0; k < i; k++) sum -= matrix[i * size + k]! * vector[k]!
    vector[i] = sum / matrix[i * size + i]!
  }
  // From the last row up, each solved place is taken from all rows above at once: rows lie together in memory, columns do not.
  for (let i = size - 1; i >= 0; i--) {
    vector[i]! /= matrix[i * size + i]!
    for (let k = 0; k < i; k++) vector[k]! -= matrix[i * size + k]! * vector[i]!
  }
}
