import { type Adjacency, degreeOf, neighboursOf } from '../graph/graph.js'
import { NO_ITEM, type Rankings } from '../kernels/kernel.js'
import { bestItems, requireNumber } from '../kernels/best-items.js'
import { embeddingRanker, type Ranker } from '../kernels/solvers/embedding-ranker.js'
import type { SolverOptions } from '../kernels/solvers/solver-machine.js'
import { isEmbedded } from './embedding-products.js'
import { requireUser } from './clicked-items.js'
import { pauses, type WorkOptions } from './long-work.js'
import type { Model } from './model.js'

/** Users ranked between two looks at the clock. */
const USERS_A_PIECE = 64
/** Multiplications from which on WebAssembly ranks: fewer take as long as starting it. */
const LEAST_WORK = 2e7
/** A thread more is started for so many multiplications: starting it takes about as long. */
const WORK_PER_THREAD = 5e8
/** Lists up to this length: WebAssembly puts an item into its place step by step. */
const LONGEST_LIST = 1000

/**
 * The k best items of some users by any model, those that `exclude` links to a user left out for them; of
 * equal scores the lowest item wins. A score of NaN is refused.
 */
export function topK(model: Model, users: Uint32Array, k: number, exclude?: Adjacency): Rankings {
  const items = new Uint32Array(users.length * k).fill(NO_ITEM)
  users.forEach((user, row) =>
    items.set(bestItems(model.scores(user), k, exclude && neighboursOf(exclude, user)), row * k),
  )
  return { users, k, items }
}

/**
 * The same, a piece of users at a time, so that other work can run meanwhile and progress is told. Embeddings are ranked
 * in WebAssembly, on the threads of the solver, and a list for everybody is made once; the result is the same.
 */
export async function topKInPieces(
  model: Model,
  users: Uint32Array,
  k: number,
  exclude: Adjacency | undefined,
  { progress, signal, solver }: WorkOptions = {},
): Promise<Rankings> {
  requireNumber(k)
  const pause = pauses(signal)
  const items = new Uint32Array(users.length * k)
  const ranker = await rankerOf(model, users, k, exclude, solver)
  try {
    for (let first = 0; first < users.length; first += ranker.atOnce) {
      const piece = users.subarray(first, first + ranker.atOnce)
      items.set(ranker.rank(piece), first * k)
      progress?.({ what: 'ranking', done: first + piece.length, total: users.length, unit: 'users' })
      await pause()
    }
  } finally {
    await ranker.dispose()
  }
  return { users, k, items }
}

async function rankerOf(
  model: Model,
  users: Uint32Array,
  k: number,
  exclude: Adjacency | undefined,
  solver: SolverOptions | undefined,
): Promise<Ranker> {
  const plain = { atOnce: USERS_A_PIECE, dispose: async () => {} }
  if (model.isSameForAll && users.length > 0)
    return { ...plain, rank: rankForAll(model.scores(users[0]!), users, k, exclude) }
  const work = isEmbedded(model) ? users.length * model.items * model.dim : 0
  if (!isEmbedded(model) || work < LEAST_WORK || k > LONGEST_LIST)
    return { ...plain, rank: (piece) => topK(model, piece, k, exclude).items }
  for (const user of users) requireUser(user, model.users)
  const { final, dim } = model
  const start = model.users * dim
  const tables = { users: final.subarray(0, start), items: final.subarray(start), dim }
  const threads = Math.min(solver?.threads ?? 1, 1 + Math.floor(work / WORK_PER_THREAD))
  return embeddingRanker(tables, users, k, exclude, { ...solver, threads })
}

/** Ranks users by the scores of everybody: the best of all, of which each user leaves some out. */
function rankForAll(
  scores: Float32Array,
  users: Uint32Array,
  k: number,
  exclude: Adjacency | undefined,
): Ranker['rank'] {
  const most = exclude ? users.reduce((sofar, user) => Math.max(sofar, degreeOf(exclude, user)), 0) : 0
  const best = bestItems(scores, k + most)
  const isLeftOut = new Uint8Array(scores.length)
  return (piece) => {
    const items = new Uint32Array(piece.length * k).fill(NO_ITEM)
    piece.forEach((user, row) => {
      const excluded = exclude ? neighboursOf(exclude, user) : []
      for (const item of excluded) isLeftOut[item] = 1
      let listed = 0
      for (let place = 0; place < best.length && listed < k; place++)
        if (!isLeftOut[best[place]!]) items[row * k + listed++] = best[place]!
      for (const item of excluded) isLeftOut[item] = 0
    })
    return items
  }
}
