import { advice, set } from '../../advice.js'
import { badOption, HindcastError } from '../../error.js'
import { degreeOf, type Graph } from '../../graph/graph.js'
import { formatCount } from '../../number-text.js'
import type { KernelSettings } from '../kernel.js'

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

/** Invocations of a workgroup: what every WebGPU device allows. */
const WORKGROUP = 256
const MOST_COLUMNS = 4 * WORKGROUP
/** Steps are sent to the device so many at a time, or fewer where they are heavy: a submission may not look like a hang. */
const MOST_SLOTS = 64
const OPERATIONS_A_SUBMISSION = 2 ** 36
const BLOCK_BYTES = 2 ** 26
/** Entries of a node, on average, from which a whole workgroup sums them. */
const MANY_ENTRIES = 16

/** What shaders know of the settings, in the order of their struct; whole numbers but for the last. */
export const SHAPE_FIELDS = [
  /** Groups of four columns in a row; the last is padded with columns that stay 0. */
  'width',
  /** Invocations side by side on a row are 2 to the power of this: `width` or more. */
  'laneBits',
  /** Rows, or stretches of one row, that a workgroup takes at a time. */
  'slices',
  'users',
  'items',
  /** Users and items. */
  'nodes',
  /** Pieces of lists that were cut. */
  'pieces',
  /** Rows with long lists, which come first. */
  'longRows',
  /** 1 where each node of a batch gets a workgroup for its neighbours; and for its entries. */
  'wholeNeighbours',
  'wholeEntries',
  /** Where the parts of the graph lie in its buffer. */
  'order',
  'starts',
  'scale',
  'neighbours',
  /** Samples of the largest batch, and items of each. */
  'batch',
  'itemsPerSample',
  /** Room for distinct nodes of a batch. */
  'room',
  /** Bits of a mark that hold a place in the batch; those above hold the step's number in its submission, from 1. */
  'placeBits',
  /** Words of a batch's block, and where its parts lie in it; its first word is the number of samples. */
  'blockLength',
  'blockNodes',
  'blockStarts',
  'blockUserPlaces',
  'blockItemPlaces',
  'blockEntries',
  'blockWeights',
  /** Opposite weights of the pointwise form, corrections of the softmax and policy forms. */
  'blockExtra',
  /** Of the policy form; rewards of the squared one too. */
  'blockInverse',
  'blockRewards',
  'blockExpected',
  /** 1/(K + 1). */
  'share',
] as const
export type Shape = Readonly<Record<(typeof SHAPE_FIELDS)[number], number>>

/** Everything about the kernel's memory that is known once its settings are. */
export interface Layout {
  readonly shape: Shape
  /** Steps in a submission. */
  readonly slots: number
  /** Bytes of each buffer. */
  readonly bytes: ReturnType<typeof bytesOf>
}
export type BufferName = keyof Layout['bytes']

/** Lays out the device's memory; throws where a part exceeds the largest buffer. */
export function layoutOf(
  settings: KernelSettings,
  graph: DeviceGraph,
  limits: Pick<GPUSupportedLimits, 'maxStorageBufferBindingSize' | 'maxBufferSize'>,
): Layout {
  const { dim, layers } = settings
  if (dim > MOST_COLUMNS)
    throw badOption(
      `WebGPU cannot train embeddings of ${formatCount(dim)} dimensions.`,
      advice`Use at most ${formatCount(MOST_COLUMNS)} (${set('dim')}), or train on the CPU with ${set('backend', 'wasm')}.`,
    )
  const shape = shapeOf(settings, graph)
  const operations = Math.max(1, 4 * graph.neighbours.length * dim * Math.max(1, layers))
  const slots = Math.max(
    1,
    Math.min(
      MOST_SLOTS,
      Math.floor(OPERATIONS_A_SUBMISSION / operations),
      Math.floor(Math.min(BLOCK_BYTES, limits.maxStorageBufferBindingSize) / (4 * shape.blockLength)),
    ),
  )
  const bytes = bytesOf(settings, graph, shape, slots)
  requireRoom(bytes, settings, Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize))
  return { shape, slots, bytes }
}

function shapeOf(settings: KernelSettings, graph: DeviceGraph): Shape {
  const { dim, layers, batch, itemsPerSample, form, policy } = settings
  const width = Math.ceil(dim / 4)
  const laneBits = bitsFor(width)
  const { nodes, pieces, longRows } = graph
  const entries = batch * itemsPerSample
  const room = Math.min(nodes, batch + entries)
  const inGraph = offsets({
    order: nodes,
    starts: nodes + pieces + 1,
    scale: nodes,
    neighbours: graph.neighbours.length,
  })
  const inBlock = offsets({
    samples: 1,
    nodes: room,
    starts: room + 1,
    userPlaces: batch,
    itemPlaces: entries,
    entries: 2 * entries,
    weights: batch,
    extra: { pairwise: 0, pointwise: batch, squared: 0, softmax: entries, policy: entries }[form],
    inverse: policy ? batch : 0,
    rewards: policy || form === 'squared' ? batch : 0,
    expected: policy?.expects ? entries : 0,
    length: 0,
  })
  return {
    width,
    laneBits,
    slices: WORKGROUP / 2 ** laneBits,
    users: settings.graph.users,
    items: settings.graph.items,
    nodes,
    pieces,
    longRows,
    wholeNeighbours: longRows > 0 ? 1 : 0,
    wholeEntries: 2 * entries >= MANY_ENTRIES * room ? 1 : 0,
    ...inGraph,
    batch,
    itemsPerSample,
    room,
    placeBits: bitsFor(room),
    blockLength: inBlock.length,
    blockNodes: inBlock.nodes,
    blockStarts: inBlock.starts,
    blockUserPlaces: inBlock.userPlaces,
    blockItemPlaces: inBlock.itemPlaces,
    blockEntries: inBlock.entries,
    blockWeights: inBlock.weights,
    blockExtra: inBlock.extra,
    blockInverse: inBlock.inverse,
    blockRewards: inBlock.rewards,
    blockExpected: inBlock.expected,
    share: 1 / (layers + 1),
  }
}

/** Bytes of each buffer of the device. */
function bytesOf(
  { layers }: KernelSettings,
  { nodes, pieces, neighbours }: DeviceGraph,
  { width, batch, itemsPerSample, room, blockLength, neighbours: first }: Shape,
  slots: number,
) {
  const row = 16 * width
  const [table, withPieces] = [nodes * row, (nodes + pieces) * row]
  return {
    graph: 4 * (first + neighbours.length),
    embeddings: table,
    mean: table,
    square: table,
    scaled: withPieces,
    // Layers 1 … K − 1 take turns in two tables, and so does the way back; the last layer is never stored whole.
    spare0: layers > 0 ? withPieces : row,
    spare1: layers > 1 ? withPieces : row,
    finals: table,
    marks: 4 * nodes,
    blocks: 4 * slots * blockLength,
    batchFinals: room * row,
    slopes: 2 * room * row,
    coefficients: 4 * batch * itemsPerSample,
    losses: 4 * slots * batch,
    told: 16 * slots,
  }
}

/** Bits that tell `count` things apart. */
const bitsFor = (count: number): number => Math.ceil(Math.log2(Math.max(1, count)))

/** Where parts of given lengths begin, one after the other. */
function offsets<Part extends string>(lengths: Record<Part, number>): Record<Part, number> {
  let end = 0
  const starts = Object.entries<number>(lengths).map(([part, length]) => [part, (end += length) - length])
  return Object.fromEntries(starts) as Record<Part, number>
}

const MEBIBYTE = 2 ** 20
const OF_BATCH: readonly string[] = ['blocks', 'batchFinals', 'slopes', 'coefficients', 'losses']

function requireRoom(
  bytes: Layout['bytes'],
  { graph, dim, batch, itemsPerSample }: KernelSettings,
  most: number,
): void {
  const [name, needed] = Object.entries(bytes).reduce((largest, one) => (one[1] > largest[1] ? one : largest))
  if (needed <= most) return
  const isBatch = OF_BATCH.includes(name)
  const what = isBatch
    ? `a batch of ${formatCount(batch)} samples of ${formatCount(itemsPerSample)} items`
    : name === 'graph'
      ? `${formatCount(graph.edges)} clicks`
      : `${formatCount(graph.users + graph.items)} users and items in ${formatCount(dim)} dimensions`
  throw new HindcastError(
    'device-full',
    `The GPU would need a buffer of ${formatCount(Math.ceil(needed / MEBIBYTE))} MiB for ${what}, but allows at most ${formatCount(Math.floor(most / MEBIBYTE))} MiB.`,
    {
      remedy: isBatch
        ? advice`Use smaller batches (${set('batch')}), or train on the CPU with ${set('backend', 'wasm')}.`
        : advice`Use ${name === 'graph' ? '' : advice`fewer dimensions (${set('dim')}), `}part of the log, or train on the CPU with ${set('backend', 'wasm')}, which can use 4 GiB in all.`,
    },
  )
}
