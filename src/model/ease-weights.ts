import { degreeOf, type Graph, neighboursOf } from '../graph/graph.js'
import { symmetricMatrix, type SymmetricMatrix } from '../kernels/solvers/symmetric-matrix.js'
import { pauses, type WorkOptions } from './long-work.js'

/** B from the inverse of XᵀX + λI, a matrix of the items with clicks. */
export async function easeByItems(
  graph: Graph,
  clicked: Uint32Array,
  lambda: number,
  options: WorkOptions,
): Promise<Float32Array> {
  const pause = pauses(options.signal)
  const size = clicked.length
  const matrix = await symmetricMatrix(size, options.solver)
  try {
    const counts = new Float64Array(graph.items)
    for (let i = 0; i < size; i++) {
      counts.fill(0)
      for (const user of neighboursOf(graph.byItem, clicked[i]!))
        for (const other of neighboursOf(graph.byUser, user)) counts[other]!++
      for (let j = 0; j <= i; j++) matrix.numbers[matrix.placeOf(i, j)] = counts[clicked[j]!]!
      matrix.numbers[matrix.placeOf(i, i)]! += lambda
      await pause()
    }
    await inverted(matrix, options)
    const { numbers, placeOf } = matrix
    const diagonal = Float64Array.from({ length: size }, (_, i) => numbers[placeOf(i, i)]!)
    const weights = new Float32Array(size * size)
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < i; j++) {
        const value = numbers[placeOf(i, j)]!
        weights[i * size + j] = -value / diagonal[j]!
        weights[j * size + i] = -value / diagonal[i]!
      }
      await pause()
    }
    return weights
  } finally {
    await matrix.dispose()
  }
}

/**
 * B by way of a matrix of users, for logs with fewer users than items: with H = Xᵀ(XXᵀ + λI)⁻¹X, P = (I − H)/λ
 * (Woodbury), so B_ij = H_ij/(1 − H_jj). Each column of H is a sum along the clicks.
 */
export async function easeByUsers(
  graph: Graph,
  clicked: Uint32Array,
  lambda: number,
  options: WorkOptions,
): Promise<Float32Array> {
  const pause = pauses(options.signal)
  const { users, byUser, byItem } = graph
  const active = Uint32Array.from({ length: users }, (_, user) => user).filter(
    (user) => degreeOf(byUser, user) > 0,
  )
  const rows = new Uint32Array(users)
  active.forEach((user, row) => (rows[user] = row))
  const count = active.length
  const matrix = await symmetricMatrix(count, options.solver)
  const inverse = new Float64Array(count * count)
  try {
    const common = new Float64Array(count)
    for (let a = 0; a < count; a++) {
      common.fill(0)
      for (const item of neighboursOf(byUser, active[a]!))
        for (const other of neighboursOf(byItem, item)) common[rows[other]!]!++
      for (let b = 0; b <= a; b++) matrix.numbers[matrix.placeOf(a, b)] = common[b]!
      matrix.numbers[matrix.placeOf(a, a)]! += lambda
      await pause()
    }
    await inverted(matrix, options)
    for (let a = 0; a < count; a++)
      for (let b = 0; b <= a; b++)
        inverse[a * count + b] = inverse[b * count + a] = matrix.numbers[matrix.placeOf(a, b)]!
  } finally {
    await matrix.dispose()
  }
  return weightsByUsers({ graph, clicked, rows, inverse }, options)
}

/** H from the inverse of XXᵀ + λI, then B = H·diag(1/(1 − diag H)) with a diagonal of zero. */
async function weightsByUsers(
  {
    graph: { byItem, edges },
    clicked,
    rows,
    inverse,
  }: { graph: Graph; clicked: Uint32Array; rows: Uint32Array; inverse: Float64Array },
  { progress, signal }: WorkOptions,
): Promise<Float32Array> {
  const pause = pauses(signal)
  const count = Math.round(Math.sqrt(inverse.length))
  const size = clicked.length
  // The row of the user behind each click: looked up once, read for every pair of items.
  const clickedBy = Uint32Array.from({ length: edges }, (_, k) => rows[byItem.neighbours[k]!]!)
  const spread = new Float64Array(count)
  /** Fills `spread` with the sum of the rows of the users who clicked an item. */
  const spreadFrom = (item: number): void => {
    spread.fill(0)
    for (let k = byItem.offsets[item]!; k < byItem.offsets[item + 1]!; k++) {
      const start = clickedBy[k]! * count
      for (let row = 0; row < count; row++) spread[row]! += inverse[start + row]!
    }
  }
  const sumOver = (item: number): number => {
    let sum = 0
    for (let k = byItem.offsets[item]!; k < byItem.offsets[item + 1]!; k++) sum += spread[clickedBy[k]!]!
    return sum
  }
  const rest = new Float64Array(size)
  for (let j = 0; j < size; j++) {
    spreadFrom(clicked[j]!)
    rest[j] = 1 - sumOver(clicked[j]!)
    await pause()
  }
  const weights = new Float32Array(size * size)
  for (let i = 0; i < size; i++) {
    spreadFrom(clicked[i]!)
    for (let j = 0; j < size; j++) if (i !== j) weights[i * size + j] = sumOver(clicked[j]!) / rest[j]!
    progress?.({ what: 'weighing', done: (100 * (i + 1)) / size, total: 100, unit: '%' })
    await pause()
  }
  return weights
}

async function inverted(matrix: SymmetricMatrix, { progress, signal }: WorkOptions): Promise<void> {
  const pause = pauses(signal)
  for (const share of matrix.invert()) {
    progress?.({ what: 'solving', done: 100 * share, total: 100, unit: '%' })
    await pause()
  }
}
