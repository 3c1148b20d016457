/** A symmetric matrix as rows: A = Σ values[k]·vectors[k]·vectors[k]ᵀ with vectors of length 1. */
interface Eigen {
  readonly values: Float64Array
  readonly vectors: readonly Float64Array[]
}

/**
 * The eigenvalues and eigenvectors of a small symmetric matrix, by Jacobi's rotations (Golub & Van Loan, 8.5). Sums,
 * products and square roots alone, so that every engine gives the same bits.
 */
export function symmetricEigen(matrix: readonly Float64Array[]): Eigen {
  const size = matrix.length
  const a = matrix.map((row) => row.slice())
  const vectors = matrix.map((_, k) => {
    const unit = new Float64Array(size)
    unit[k] = 1
    return unit
  })
  for (let sweep = 0; sweep < 60 && isCoupled(a); sweep++)
    for (let p = 0; p < size; p++) for (let q = p + 1; q < size; q++) rotate(a, vectors, p, q)
  return { values: Float64Array.from(a, (row, k) => row[k]!), vectors }
}

/** Whether anything off the diagonal is more than rounding. */
function isCoupled(a: readonly Float64Array[]): boolean {
  let [off, all] = [0, 0]
  a.forEach((row, p) =>
    row.forEach((x, q) => {
      all += x * x
      if (p !== q) off += x * x
    }),
  )
  return off > 1e-30 * all
}

/** Turns the plane of p and q so that a[p][q] vanishes. */
function rotate(a: readonly Float64Array[], vectors: readonly Float64Array[], p: number, q: number): void {
  const coupling = a[p]![q]!
  if (coupling === 0) return
  const slope = (a[q]![q]! - a[p]![p]!) / (2 * coupling)
  const tangent = (slope < 0 ? -1 : 1) / (Math.abs(slope) + Math.sqrt(slope * slope + 1))
  const cosine = 1 / Math.sqrt(tangent * tangent + 1)
  const sine = tangent * cosine
  for (const row of a) {
    const [x, y] = [row[p]!, row[q]!]
    row[p] = cosine * x - sine * y
    row[q] = sine * x + cosine * y
  }
  const turn = (first: Float64Array, second: Float64Array): void => {
    for (let k = 0; k < first.length; k++) {
      const [x, y] = [first[k]!, second[k]!]
      first[k] = cosine * x - sine * y
      second[k] = sine * x + cosine * y
    }
  }
  turn(a[p]!, a[q]!)
  turn(vectors[p]!, vectors[q]!)
}

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
