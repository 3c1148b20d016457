import { firstNotBelow } from '../bisect.js'
import { badOption } from '../error.js'

/** Who is linked to whom, row by row: the neighbours of row r are `neighbours[offsets[r]] … neighbours[offsets[r + 1] − 1]`, ascending. */
export interface Adjacency {
  /** One entry more than there are rows. */
  readonly offsets: Uint32Array
  readonly neighbours: Uint32Array
}

/** The graph of users and items: one edge for each pair of a user and an item they clicked, stored in both directions. */
export interface Graph {
  readonly users: number
  readonly items: number
  readonly edges: number
  /** The items of each user. */
  readonly byUser: Adjacency
  /** The users of each item. */
  readonly byItem: Adjacency
}

/** The graph with an edge for each pair (user[k], item[k]); pairs that occur more than once give one edge. */
export function graphOf(users: number, items: number, user: Uint32Array, item: Uint32Array): Graph {
  if (user.length !== item.length)
    throw badOption(
      `${user.length} users and ${item.length} items cannot be paired.`,
      'Give one item per user.',
    )
  for (let k = 0; k < user.length; k++)
    if (user[k]! >= users || item[k]! >= items)
      throw badOption(
        `Pair ${k} links user ${user[k]} and item ${item[k]}, but there are ${users} users and ${items} items.`,
        'Count users and items from 0.',
      )
  // Sorting pairs by item first and then, stably, by user leaves the items of every user ascending.
  const byItemFirst = transpose(items, { of: item, give: user })
  const withDuplicates = transpose(users, { of: byItemFirst.neighbours, give: rowsOf(byItemFirst) })
  const byUser = withoutDuplicates(withDuplicates)
  const byItem = transpose(items, { of: byUser.neighbours, give: rowsOf(byUser) })
  return { users, items, edges: byUser.neighbours.length, byUser, byItem }
}

/** How many neighbours a row has. */
export const degreeOf = ({ offsets }: Adjacency, row: number): number => offsets[row + 1]! - offsets[row]!

/** The neighbours of a row, ascending; a view, not a copy. */
export const neighboursOf = ({ offsets, neighbours }: Adjacency, row: number): Uint32Array =>
  neighbours.subarray(offsets[row]!, offsets[row + 1]!)

/** The position of a row's neighbour in `neighbours`, by bisection; −1 if it is not one. */
export function edgeOf({ offsets, neighbours }: Adjacency, row: number, neighbour: number): number {
  const end = offsets[row + 1]!
  const place = firstNotBelow(neighbours, neighbour, offsets[row]!, end)
  return place < end && neighbours[place] === neighbour ? place : -1
}

/** Whether a row has this neighbour. */
export const isLinked = (adjacency: Adjacency, row: number, neighbour: number): boolean =>
  edgeOf(adjacency, row, neighbour) >= 0

/** Lists `give[k]` under row `of[k]`, in the order of k. */
function transpose(rows: number, { of, give }: { of: Uint32Array; give: Uint32Array }): Adjacency {
  const offsets = new Uint32Array(rows + 1)
  for (const row of of) offsets[row + 1]!++
  for (let row = 0; row < rows; row++) offsets[row + 1]! += offsets[row]!
  const next = offsets.slice(0, rows)
  const neighbours = new Uint32Array(of.length)
  for (let k = 0; k < of.length; k++) neighbours[next[of[k]!]!++] = give[k]!
  return { offsets, neighbours }
}

/** The row of every entry. */
function rowsOf({ offsets, neighbours }: Adjacency): Uint32Array {
  const rows = new Uint32Array(neighbours.length)
  for (let row = 0; row + 1 < offsets.length; row++) rows.fill(row, offsets[row]!, offsets[row + 1]!)
  return rows
}

function withoutDuplicates({ offsets, neighbours }: Adjacency): Adjacency {
  const kept = new Uint32Array(neighbours.length)
  const starts = new Uint32Array(offsets.length)
  let count = 0
  for (let row = 0; row + 1 < offsets.length; row++) {
    for (let k = offsets[row]!; k < offsets[row + 1]!; k++)
      if (k === offsets[row] || neighbours[k] !== neighbours[k - 1]) kept[count++] = neighbours[k]!
    starts[row + 1] = count
  }
  return { offsets: starts, neighbours: kept.slice(0, count) }
}

/**
 * The layers 0 … K of LightGCN: E^(k+1) = Â·E^(k), where Â links user u and item i with 1/√(d_u·d_i), d the
 * number of their edges. Each layer holds users first, then items, row after row of `dim` numbers; layer 0
 * is a copy of the input, and a node without edges is zero in all later layers. float64 throughout,
 * neighbours summed in ascending order. (He et al. 2020, equation 3.)
 */
export function propagate(
  graph: Graph,
  embeddings: Float64Array | Float32Array,
  dim: number,
  layers: number,
): Float64Array[] {
  const nodes = graph.users + graph.items
  if (embeddings.length !== nodes * dim)
    throw badOption(
      `${embeddings.length} numbers do not fit embeddings of width ${dim} for ${graph.users} users and ${graph.items} items.`,
      `Give ${nodes * dim} numbers: users first, then items.`,
    )
  const result = [Float64Array.from(embeddings)]
  for (let layer = 1; layer <= layers; layer++) {
    const below = result[layer - 1]!
    const above = new Float64Array(nodes * dim)
    const users = { rows: 0, from: graph.byUser }
    const items = { rows: graph.users, from: graph.byItem }
    spread(below, above, dim, { to: users, of: items })
    spread(below, above, dim, { to: items, of: users })
    result.push(above)
  }
  return result
}

/** One side of the graph: where its rows begin, and its neighbours on the other side. */
interface Side {
  readonly rows: number
  readonly from: Adjacency
}

function spread(
  below: Float64Array,
  above: Float64Array,
  dim: number,
  { to, of }: { to: Side; of: Side },
): void {
  const { offsets, neighbours } = to.from
  for (let row = 0; row + 1 < offsets.length; row++) {
    const [start, end] = [offsets[row]!, offsets[row + 1]!]
    const target = (to.rows + row) * dim
    for (let edge = start; edge < end; edge++) {
      const neighbour = neighbours[edge]!
      const degree = of.from.offsets[neighbour + 1]! - of.from.offsets[neighbour]!
      const factor = 1 / Math.sqrt((end - start) * degree)
      const source = (of.rows + neighbour) * dim
      for (let d = 0; d < dim; d++) above[target + d]! += factor * below[source + d]!
    }
  }
}
