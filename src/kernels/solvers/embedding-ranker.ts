import { type Adjacency, degreeOf, neighboursOf } from '../../graph/graph.js'
import { scoreIsNaN } from '../best-items.js'
import { NO_ITEM } from '../kernel.js'
import { solverMachine, type SolverOptions } from './solver-machine.js'

/** Embeddings of users and of items, row after row of `dim` numbers; their products are the scores. */
export interface EmbeddingTables {
  readonly users: Float32Array
  readonly items: Float32Array
  readonly dim: number
}

/** Ranks users, some at a time. */
export interface Ranker {
  /** How many at most. */
  readonly atOnce: number
  /** The k best items of each of these users, row after row; `NO_ITEM` where there is no further one. */
  rank(users: Uint32Array): Uint32Array
  dispose(): Promise<void>
}

/** Users that share one pass over the items, as in assembly/best-items.ts. */
const CHUNK = 32
/** Multiplications that a thread does between two looks at the clock: some hundredths of a second. */
const WORK_AT_ONCE = 1e8
/** Bytes of users that wait at once. */
const MOST_WAITING = 2 ** 24

/**
 * Ranks items by embeddings in WebAssembly, on all threads, for users of a list: with the same scores as `products`, and
 * the same order as `bestItems`, to the last bit. Of the embeddings a copy of those of the items is kept.
 */
export async function embeddingRanker(
  { users: userTable, items: itemTable, dim }: EmbeddingTables,
  list: Uint32Array,
  k: number,
  exclude: Adjacency | undefined,
  options: SolverOptions = {},
): Promise<Ranker> {
  const items = itemTable.length / dim
  const length = Math.min(k, items)
  const chunks = Math.max(1, Math.floor(WORK_AT_ONCE / (CHUNK * itemTable.length)))
  const atOnce = Math.min(
    list.length,
    Math.max(
      CHUNK,
      Math.min(chunks * (options.threads ?? 1) * CHUNK, Math.floor(MOST_WAITING / (4 * (dim + length)))),
    ),
  )
  const scratchBytes = 16 + CHUNK * 8 + 32 * dim * (1 + CHUNK / 4) + CHUNK * length * 4
  const bytesPerThread = Math.ceil(scratchBytes / 64) * 64
  const machine = await solverMachine(
    (started) => ({
      items: itemTable.byteLength,
      users: atOnce * dim * 4,
      offsets: (atOnce + 1) * 4,
      excluded: exclude ? mostExcluded(exclude, list, atOnce) * 4 : 0,
      lists: atOnce * length * 4,
      scratch: started * bytesPerThread,
    }),
    options,
  )
  const { buffer, address } = machine
  new Float32Array(buffer, address('items'), itemTable.length).set(itemTable)
  machine.tell({
    dim,
    otherRows: items,
    own: address('users'),
    other: address('items'),
    offsets: address('offsets'),
    neighbours: address('excluded'),
    lists: address('lists'),
    listLength: length,
    scratch: address('scratch'),
    scratchBytes: bytesPerThread,
  })
  const rows = new Float32Array(buffer, address('users'), atOnce * dim)
  const offsets = new Uint32Array(buffer, address('offsets'), atOnce + 1)
  const lists = new Uint32Array(buffer, address('lists'), atOnce * length)
  const write = (users: Uint32Array): void => {
    users.forEach((user, row) => {
      rows.set(userTable.subarray(user * dim, (user + 1) * dim), row * dim)
      const excluded = exclude ? neighboursOf(exclude, user) : new Uint32Array()
      new Uint32Array(buffer, address('excluded') + offsets[row]! * 4, excluded.length).set(excluded)
      offsets[row + 1] = offsets[row]! + excluded.length
    })
    lists.fill(NO_ITEM)
    machine.tell({ rows: users.length })
  }
  return {
    atOnce,
    rank(users) {
      write(users)
      machine.run('rankRows')
      if (machine.failure >= 0) throw scoreIsNaN(machine.failure)
      const ranked = new Uint32Array(users.length * k).fill(NO_ITEM)
      for (let row = 0; row < users.length; row++)
        ranked.set(lists.subarray(row * length, (row + 1) * length), row * k)
      return ranked
    },
    dispose: () => machine.dispose(),
  }
}

/** The most items that are excluded for as many users of a list as are ranked at once. */
function mostExcluded(exclude: Adjacency, list: Uint32Array, atOnce: number): number {
  let most = 0
  for (let first = 0; first < list.length; first += atOnce) {
    let sum = 0
    for (const user of list.subarray(first, first + atOnce)) sum += degreeOf(exclude, user)
    most = Math.max(most, sum)
  }
  return most
}
