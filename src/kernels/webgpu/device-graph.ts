import { degreeOf, type Graph } from '../../graph/graph.js'

/** Rows with more neighbours than this are summed by a whole workgroup, shorter ones several to a workgroup. */
const LONG = 64
/**
 * Where a list is longer than `CUT_ABOVE`, so that one workgroup would hold up all others, lists are cut into pieces of at
 * most `PIECE`. The pieces are one pass more to each hop, which shorter lists are not worth.
 */
const CUT_ABOVE = 4096
const PIECE = 512

/**
 * The graph as the kernels walk it: users, then items, then pieces, numbered as nodes. A piece is a stretch of a
 * very long list of neighbours; the node that was cut has its pieces for neighbours, and they are summed before it.
 */
export interface DeviceGraph {
  /** Users and items. */
  readonly nodes: number
  readonly pieces: number
  /** Nodes by length of their lists, longest first, so that rows done side by side are about as long. */
  readonly order: Uint32Array
  /** How many of them, from the first on, are long. */
  readonly longRows: number
  /** The neighbours of node n are `neighbours[starts[n]] … neighbours[starts[n + 1] − 1]`, pieces included. */
  readonly starts: Uint32Array
  readonly neighbours: Uint32Array
  /** 1/√degree of each node; 0 where there is no edge. */
  readonly scale: Float32Array
}

/** The lists of a graph for the device. */
export function deviceGraph(graph: Graph, { cutAbove = CUT_ABOVE, piece = PIECE } = {}): DeviceGraph {
  const { users, items } = graph
  const nodes = users + items
  const degree = Uint32Array.from({ length: nodes }, (_, node) =>
    node < users ? degreeOf(graph.byUser, node) : degreeOf(graph.byItem, node - users),
  )
  const isCut = degree.some((length) => length > cutAbove)
  const piecesOf = (node: number): number =>
    isCut && degree[node]! > piece ? Math.ceil(degree[node]! / piece) : 0
  const lengthOf = (node: number): number => piecesOf(node) || degree[node]!
  const cut = Array.from(degree.keys()).filter((node) => piecesOf(node) > 0)
  const pieces = cut.reduce((sum, node) => sum + piecesOf(node), 0)

  const starts = new Uint32Array(nodes + pieces + 1)
  const neighbours = new Uint32Array(2 * graph.edges + pieces)
  let end = 0
  let nextPiece = nodes
  for (let node = 0; node < nodes; node++) {
    starts[node] = end
    if (piecesOf(node) > 0) for (let k = 0; k < piecesOf(node); k++) neighbours[end++] = nextPiece++
    else end = writeNeighbours(graph, node, { from: 0, to: degree[node]! }, neighbours, end)
  }
  nextPiece = nodes
  for (const node of cut)
    for (let from = 0; from < degree[node]!; from += piece) {
      starts[nextPiece++] = end
      const to = Math.min(from + piece, degree[node]!)
      end = writeNeighbours(graph, node, { from, to }, neighbours, end)
    }
  starts[nodes + pieces] = end

  const order = Uint32Array.from({ length: nodes }, (_, node) => node).sort(
    (a, b) => lengthOf(b) - lengthOf(a) || a - b,
  )
  return {
    nodes,
    pieces,
    order,
    longRows: order.reduce((sum, node) => sum + (lengthOf(node) > LONG ? 1 : 0), 0),
    starts,
    neighbours,
    scale: Float32Array.from(degree, (one) => (one === 0 ? 0 : 1 / Math.sqrt(one))),
  }
}

/** Writes a stretch of a node's neighbours, numbered as nodes, and returns where it ends. */
function writeNeighbours(
  { users, byUser, byItem }: Graph,
  node: number,
  { from, to }: { from: number; to: number },
  into: Uint32Array,
  at: number,
): number {
  const [side, row, first] = node < users ? [byUser, node, users] : [byItem, node - users, 0]
  const start = side.offsets[row]!
  for (let k = from; k < to; k++) into[at + k - from] = first + side.neighbours[start + k]!
  return at + to - from
}
