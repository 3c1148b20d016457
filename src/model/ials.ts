import { badOption } from '../error.js'
import { degreeOf, type Graph, neighboursOf } from '../graph/graph.js'
import { leastSquares, type LeastSquaresWeights } from '../kernels/solvers/least-squares.js'
import { leastSquaresRow, sumOfProducts } from '../kernels/solvers/least-squares.js'
import { randomStream } from '../random/stream.js'
import { clickedItems, requireUser } from './clicked-items.js'
import { embeddingTensors, takeEmbeddings } from './embedding-store.js'
import { products } from './embedding-products.js'
import { pauses, type WorkOptions } from './long-work.js'
import type { ModelStore } from './model-store.js'
import type { ClickModel } from './model.js'

/** α and λ where none are chosen and none can be tried. */
export const IALS_WEIGHTS: LeastSquaresWeights = { unobserved: 0.1, lambda: 0.01 }

/** Sweeps by default: on logs tried, later ones change little. */
export const IALS_SWEEPS = 16

export interface IalsOptions extends WorkOptions, Partial<LeastSquaresWeights> {
  /** Numbers per user and item; default 64. */
  dim?: number
  /** Times that items and then users are solved for; default 16. */
  sweeps?: number
  seed?: number
}

/** iALS, with its factors. */
export interface IalsModel extends ClickModel, LeastSquaresWeights {
  readonly kind: 'ials'
  readonly dim: number
  /** Users first, then items, row after row of `dim` numbers. */
  readonly final: Float32Array
}

/** The state after a sweep. */
export interface IalsSweep {
  /** From 1. */
  readonly sweep: number
  /** What is minimised; it never rises. */
  objective(): number
  model(): IalsModel
}

/**
 * Implicit alternating least squares (Hu, Koren & Volinsky 2008), in the form of Rendle et al. (2022): user factors w
 * and item factors h minimise Σ_clicks (1 − w·h)² + α·Σ_all (w·h)² + λ(Σ_u (n_u + α·items)‖w_u‖² + Σ_i (n_i +
 * α·users)‖h_i‖²), n being clicks. A sweep solves for all items and then for all users, each exactly, so that a new user
 * with the clicks of a known one gets the same scores up to rounding.
 */
export async function ialsModel(graph: Graph, options: IalsOptions = {}): Promise<IalsModel> {
  let last: IalsModel | undefined
  const sweeps = options.sweeps ?? IALS_SWEEPS
  for await (const { sweep, model } of ialsSweeps(graph, options)) if (sweep === sweeps) last = model()
  return last!
}

/** The sweeps of `ialsModel` one by one; the state of one is gone once the next begins. */
export async function* ialsSweeps(graph: Graph, options: IalsOptions = {}): AsyncGenerator<IalsSweep> {
  const { dim = 64, sweeps = IALS_SWEEPS, seed = 0, progress, signal, solver } = options
  const { unobserved = IALS_WEIGHTS.unobserved, lambda = IALS_WEIGHTS.lambda } = options
  const weights = { unobserved, lambda }
  requireOptions(dim, sweeps, weights)
  const pause = pauses(signal)
  const squares = await leastSquares(graph, dim, solver)
  try {
    squares.write('items', initialItems(graph.items, dim, seed))
    for (const _ of squares.solve('users', weights)) {
      progress?.({ what: 'solving', done: 0, total: sweeps, unit: 'sweeps' })
      await pause()
    }
    for (let sweep = 1; sweep <= sweeps; sweep++) {
      for (const [half, side] of (['items', 'users'] as const).entries())
        for (const share of squares.solve(side, weights)) {
          const done = sweep - 1 + (half + share) / 2
          progress?.({ what: 'solving', done, total: sweeps, unit: 'sweeps' })
          await pause()
        }
      const factors = (): Factors => ({ users: squares.read('users'), items: squares.read('items'), dim })
      yield {
        sweep,
        objective: () => ialsObjective(graph, factors(), weights),
        model: () => fromFactors(graph, dim, weights, float32(factors())),
      }
    }
  } finally {
    await squares.dispose()
  }
}

/** The factors of both sides, row after row of `dim` numbers. */
export interface Factors {
  readonly users: Float64Array
  readonly items: Float64Array
  readonly dim: number
}

/** What iALS minimises. The sum over all pairs is the sum of the products of the two matrices Σ w·wᵀ and Σ h·hᵀ. */
export function ialsObjective(
  graph: Graph,
  { users, items, dim }: Factors,
  { unobserved, lambda }: LeastSquaresWeights,
): number {
  let sum = 0
  for (let user = 0; user < graph.users; user++)
    for (const item of neighboursOf(graph.byUser, user)) {
      let score = 0
      for (let k = 0; k < dim; k++) score += users[user * dim + k]! * items[item * dim + k]!
      sum += (1 - score) ** 2
    }
  const [ofUsers, ofItems] = [sumOfProducts({ rows: users, dim }), sumOfProducts({ rows: items, dim })]
  ofUsers.forEach((value, k) => (sum += unobserved * value * ofItems[k]!))
  const penalty = (rows: Float64Array, of: Graph['byUser'], others: number): number => {
    let total = 0
    for (let row = 0; row * dim < rows.length; row++) {
      let square = 0
      for (let k = 0; k < dim; k++) square += rows[row * dim + k]! ** 2
      total += (degreeOf(of, row) + unobserved * others) * square
    }
    return lambda * total
  }
  return sum + penalty(users, graph.byUser, graph.items) + penalty(items, graph.byItem, graph.users)
}

/** Multiplications of one sweep. */
export const ialsWork = ({ users, items, edges }: Graph, dim: number): number =>
  dim ** 2 * (edges + (users + items) / 2) + ((users + items) * dim * dim * dim) / 6

/** Uniform numbers of a standard deviation of 0.1/√dim, keyed by seed and item. */
function initialItems(items: number, dim: number, seed: number): Float64Array {
  const bound = 0.1 * Math.sqrt(3 / dim)
  const rows = new Float64Array(items * dim)
  for (let item = 0; item < items; item++) {
    const random = randomStream(seed, 'initial ials item', item)
    for (let k = 0; k < dim; k++) rows[item * dim + k] = (2 * random.uniform() - 1) * bound
  }
  return rows
}

function float32({ users, items }: Factors): Float32Array {
  const all = new Float32Array(users.length + items.length)
  all.set(users)
  all.set(items, users.length)
  return all
}

function fromFactors(
  graph: Graph,
  dim: number,
  weights: LeastSquaresWeights,
  final: Float32Array,
): IalsModel {
  let folded: { rows: Float64Array; gram: Float64Array } | undefined
  return {
    kind: 'ials',
    graph,
    users: graph.users,
    items: graph.items,
    dim,
    final,
    ...weights,
    scores(user) {
      requireUser(user, graph.users)
      return products(final, user * dim, { graph, dim, final })
    },
    foldIn(clicks) {
      const chosen = clickedItems(clicks, graph.items)
      if (!folded) {
        const rows = Float64Array.from(final.subarray(graph.users * dim))
        folded = { rows, gram: sumOfProducts({ rows, dim }) }
      }
      const user = leastSquaresRow({ rows: folded.rows, dim }, folded.gram, chosen, weights)
      return products(user, 0, { graph, dim, final })
    },
  }
}

function requireOptions(dim: number, sweeps: number, { unobserved, lambda }: LeastSquaresWeights): void {
  const refuse = (what: string, value: number, expected: string): never => {
    throw badOption(`The ${what} of iALS cannot be ${value}.`, expected)
  }
  if (!(Number.isInteger(dim) && dim >= 1)) refuse('width', dim, 'Give a whole number of at least 1.')
  if (!(Number.isInteger(sweeps) && sweeps >= 1))
    refuse('number of sweeps', sweeps, 'Give a whole number of at least 1.')
  if (!(unobserved >= 0 && unobserved < Infinity))
    refuse('weight of pairs without a click', unobserved, 'Give a number of at least 0, such as 0.1.')
  if (!(lambda > 0 && lambda < Infinity)) refuse('penalty', lambda, 'Give a number above 0, such as 0.01.')
}

/** Embeddings whose products are the scores, and `least_squares` with α and λ, which new users are solved with. */
export const ialsStore: ModelStore = {
  shape: (model) => ({ dim: (model as IalsModel).dim, layers: 0 }),
  tensors: (model) => {
    const { final, dim, users, unobserved, lambda } = model as IalsModel
    return {
      ...embeddingTensors(final, '', { dim, users }),
      least_squares: { shape: [2], data: Float64Array.of(unobserved, lambda) },
    }
  },
  restore(reader, graph, shape) {
    const [unobserved, lambda] = reader.take('least_squares', Float64Array, [2]) as unknown as [
      number,
      number,
    ]
    if (!(unobserved >= 0 && lambda > 0)) throw reader.refuse('least_squares are not a weight and a penalty')
    return fromFactors(graph, shape.dim, { unobserved, lambda }, takeEmbeddings(reader, '', shape))
  },
}
