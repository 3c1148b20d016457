import { type Adjacency, degreeOf, type Graph } from '../../graph/graph.js'
import { solveSymmetric } from '../../symmetric-eigen.js'
import { solverMachine, type SolverOptions } from './solver-machine.js'

/** The two sides of a factorisation. */
type Side = 'users' | 'items'

/** How pairs without a click count, and how far factors are held back. */
export interface LeastSquaresWeights {
  /** α: weight of every pair, clicked or not; a click adds 1. */
  readonly unobserved: number
  /** λ: a row with n clicks is penalised by λ(n + α·rows of the other side). */
  readonly lambda: number
}

/**
 * Alternating least squares of implicit feedback, in the memory of WebAssembly: float64, on all threads, with bits that
 * do not depend on their number.
 */
interface LeastSquares {
  /** Row after row of `dim` numbers; a copy. */
  read(side: Side): Float64Array
  write(side: Side, rows: Float64Array): void
  /** Replaces one side by its best values given the other: each row solves its normal equations. Yields the share that is done, piece by piece. */
  solve(side: Side, weights: LeastSquaresWeights): Generator<number>
  dispose(): Promise<void>
}

/** Multiplications that a thread does between two looks at the clock: some hundredths of a second. */
const WORK_AT_ONCE = 1e8

export async function leastSquares(
  { users, items, edges, byUser, byItem }: Graph,
  dim: number,
  options: SolverOptions = {},
): Promise<LeastSquares> {
  const width = Math.ceil(dim / 4) * 4
  const counts = { users, items }
  const machine = await solverMachine(
    (threads) => ({
      users: users * width * 8,
      items: items * width * 8,
      userOffsets: (users + 1) * 4,
      itemOffsets: (items + 1) * 4,
      userNeighbours: edges * 4,
      itemNeighbours: edges * 4,
      gram: width * width * 8,
      scratch: threads * (width + 1) * width * 8,
      weights: 16,
    }),
    options,
  )
  const { buffer, address } = machine
  const keep = (
    offsets: 'userOffsets' | 'itemOffsets',
    neighbours: 'userNeighbours' | 'itemNeighbours',
    of: Adjacency,
  ): void => {
    new Uint32Array(buffer, address(offsets), of.offsets.length).set(of.offsets)
    new Uint32Array(buffer, address(neighbours), edges).set(of.neighbours)
  }
  keep('userOffsets', 'userNeighbours', byUser)
  keep('itemOffsets', 'itemNeighbours', byItem)
  machine.tell({
    dim: width,
    gram: address('gram'),
    scratch: address('scratch'),
    weights: address('weights'),
  })
  /** The end of the rows from the first one on that are solved at once, one at least. */
  const endOfPiece = (of: Adjacency, first: number, rows: number): number => {
    let work = 0
    let row = first
    while (row < rows && work < WORK_AT_ONCE * machine.threads)
      work += (degreeOf(of, row++) / 2 + width / 6) * width * width
    return row
  }
  const rowsOf = (side: Side): Float64Array => new Float64Array(buffer, address(side), counts[side] * width)
  return {
    read(side) {
      const padded = rowsOf(side)
      const rows = new Float64Array(counts[side] * dim)
      for (let row = 0; row < counts[side]; row++)
        rows.set(padded.subarray(row * width, row * width + dim), row * dim)
      return rows
    },
    write(side, rows) {
      const padded = rowsOf(side).fill(0)
      for (let row = 0; row < counts[side]; row++)
        padded.set(rows.subarray(row * dim, (row + 1) * dim), row * width)
    },
    *solve(side, { unobserved, lambda }) {
      const other = side === 'users' ? 'items' : 'users'
      const [offsets, neighbours] =
        side === 'users'
          ? (['userOffsets', 'userNeighbours'] as const)
          : (['itemOffsets', 'itemNeighbours'] as const)
      new Float64Array(buffer, address('weights'), 2).set([unobserved, lambda])
      machine.tell({
        otherRows: counts[other],
        own: address(side),
        other: address(other),
        offsets: address(offsets),
        neighbours: address(neighbours),
      })
      machine.run('sumProducts')
      const rows = counts[side]
      for (let firstRow = 0; firstRow < rows;) {
        const endRow = endOfPiece(side === 'users' ? byUser : byItem, firstRow, rows)
        machine.tell({ firstRow, endRow })
        machine.run('solveRows')
        yield endRow / rows
        firstRow = endRow
      }
    },
    dispose: () => machine.dispose(),
  }
}

/** Rows of `dim` numbers, one after the other. */
interface Rows {
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
