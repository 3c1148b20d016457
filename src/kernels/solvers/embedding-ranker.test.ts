import { describe, expect, it } from 'vitest'
import { startNodeThread } from '../../node/start-thread.js'
import { randomGraph } from '../../model/example-graph.js'
import { products } from '../../model/embedding-products.js'
import { randomStream } from '../../random/stream.js'
import { type Adjacency, type Graph, neighboursOf } from '../../graph/graph.js'
import { bestItems } from '../best-items.js'
import { NO_ITEM } from '../kernel.js'
import { embeddingRanker } from './embedding-ranker.js'

interface Tables {
  readonly graph: Graph
  readonly dim: number
  readonly final: Float32Array
}

/** Embeddings of whole numbers from −2 to 2, so that many scores are equal, or of any. */
function tablesOf(users: number, items: number, dim: number, isWhole = false): Tables {
  const random = randomStream(users * items, 'embeddings', dim)
  const draw = (): number => (isWhole ? Math.floor(5 * random.uniform()) - 2 : random.uniform() - 0.5)
  return {
    graph: randomGraph(users, items, 3),
    dim,
    final: Float32Array.from({ length: (users + items) * dim }, draw),
  }
}

const everybody = ({ graph }: Tables): Uint32Array =>
  Uint32Array.from({ length: graph.users }, (_, user) => graph.users - 1 - user)

/** By `products` and `bestItems`, user by user. */
const plainly = (tables: Tables, users: Uint32Array, k: number, exclude?: Adjacency): number[] =>
  Array.from(users).flatMap((user) => {
    const scores = products(tables.final, user * tables.dim, tables)
    const best = Array.from(bestItems(scores, k, exclude && neighboursOf(exclude, user)))
    return [...best, ...Array<number>(k - best.length).fill(NO_ITEM)]
  })

async function ranked(
  { graph, dim, final }: Tables,
  users: Uint32Array,
  k: number,
  exclude?: Adjacency,
  { threads = 1, atOnce = users.length } = {},
): Promise<number[]> {
  const start = graph.users * dim
  const ranker = await embeddingRanker(
    { users: final.subarray(0, start), items: final.subarray(start), dim },
    users,
    k,
    exclude,
    { threads, startThread: startNodeThread },
  )
  try {
    const rows: number[] = []
    for (let first = 0; first < users.length; first += atOnce)
      rows.push(...ranker.rank(users.subarray(first, first + atOnce)))
    return rows
  } finally {
    await ranker.dispose()
  }
}

describe('embeddingRanker', () => {
  // Around the edges of blocks of four, and of chunks of 32 users.
  it.each([
    [1, 1, 1],
    [3, 5, 2],
    [33, 7, 3],
    [70, 64, 8],
    [65, 61, 5],
  ])('ranks %i users and %i items of width %i as products and bestItems do', async (users, items, dim) => {
    for (const isWhole of [true, false]) {
      const tables = tablesOf(users, items, dim, isWhole)
      for (const k of [1, 10, items + 2])
        for (const exclude of [undefined, tables.graph.byUser])
          expect(await ranked(tables, everybody(tables), k, exclude)).toEqual(
            plainly(tables, everybody(tables), k, exclude),
          )
    }
  })

  it('ranks the same in many pieces, on any number of threads', async () => {
    const tables = tablesOf(150, 90, 20)
    const users = everybody(tables)
    const expected = plainly(tables, users, 5, tables.graph.byUser)
    for (const threads of [1, 2, 3])
      for (const atOnce of [150, 70, 1])
        expect(await ranked(tables, users, 5, tables.graph.byUser, { threads, atOnce })).toEqual(expected)
  })

  it('ranks infinite scores, and refuses NaN as bestItems does', async () => {
    const tables = tablesOf(2, 30, 1)
    tables.final[0] = 1
    tables.final[2 + 7] = Infinity
    tables.final.fill(-Infinity, 2 + 20)
    expect(await ranked(tables, Uint32Array.of(0), 30)).toEqual(plainly(tables, Uint32Array.of(0), 30))
    tables.final[2 + 29] = NaN
    await expect(ranked(tables, Uint32Array.of(0), 2)).rejects.toThrow('The score of item 29 is NaN.')
  })
})
