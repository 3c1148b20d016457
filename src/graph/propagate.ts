import { HindcastError } from '../error.js'
import type { Adjacency, Graph } from './graph.js'

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
    throw new HindcastError(
      'bad-option',
      `${embeddings.length} numbers do not fit embeddings of width ${dim} for ${graph.users} users and ${graph.items} items.`,
      { remedy: `Give ${nodes * dim} numbers: users first, then items.` },
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
