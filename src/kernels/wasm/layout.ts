import { advice, set } from '../../advice.js'
import { badOption } from '../../error.js'
import { formatCount } from '../../number-text.js'
import { degreeOf, type Graph } from '../../graph/graph.js'
import type { KernelSettings } from '../kernel.js'

/** Address of the plan: the words that say where everything else lies (assembly/plan.ts, in the same order). */
const PLAN = 1024
const PAGE = 65536
/** What 32-bit addresses reach, less a page for safety. */
export const MOST_BYTES = 2 ** 32 - PAGE
/** Scores kept at a time, so that asking for many users needs no more memory than for some. */
const SCORES_KEPT = 2 ** 21

const FORMS = { pairwise: 0, pointwise: 1, softmax: 2, policy: 3, squared: 4 } as const
const CURVES = { linear: 0, logarithmic: 1, likelihood: 2 } as const

/** How the columns of the embeddings are cut into panels, each the work of one thread. */
export interface Panels {
  /** Columns, padded to a multiple of 4 with columns that stay 0. */
  readonly dim: number
  readonly width: 16 | 8 | 4
  readonly count: number
}

/** Relative time a panel of each width takes: narrow ones read the same lists of neighbours for fewer columns. */
const COST = { 16: 1, 8: 0.6, 4: 0.4 } as const

/** The width that lets this many threads finish first. Results do not depend on it. */
export function panelsFor(dim: number, threads: number): Panels {
  const padded = Math.ceil(dim / 4) * 4
  const widths = ([16, 8, 4] as const).filter((width) => padded % width === 0)
  const time = (width: 16 | 8 | 4): number => Math.ceil(padded / width / threads) * COST[width]
  const width = widths.reduce((best, one) => (time(one) < time(best) ? one : best))
  return { dim: padded, width, count: padded / width }
}

type Regions = ReturnType<typeof regionsOf>
export type Region = keyof Regions

/** Addresses of the kernel's memory. */
export interface Layout {
  readonly panels: Panels
  readonly bytes: number
  /** Users that can be scored at a time. */
  readonly askedUsers: number
  /** Room for distinct nodes of a batch. */
  readonly batchNodes: number
  address(region: Region): number
}

/** What the size of a kernel's memory follows from. */
export interface KernelSize extends Pick<
  KernelSettings,
  'dim' | 'layers' | 'batch' | 'itemsPerSample' | 'policy'
> {
  readonly graph: Pick<Graph, 'users' | 'items' | 'edges'>
}

/** Where everything lies, however large that is. */
function placed(settings: KernelSize, threads: number): Layout {
  const panels = panelsFor(settings.dim, threads)
  const { graph, batch, itemsPerSample } = settings
  const nodes = graph.users + graph.items
  const batchNodes = Math.min(nodes, batch * (1 + itemsPerSample))
  const askedUsers = Math.max(4, Math.min(graph.users, Math.floor(SCORES_KEPT / graph.items)))
  const regions = regionsOf(settings, { panels, nodes, batchNodes, askedUsers })
  const addresses = new Map<Region, number>()
  // The first page holds the plan and the tables of the compiled kernel.
  let end = PAGE
  for (const [region, bytes] of Object.entries(regions) as [Region, number][]) {
    addresses.set(region, end)
    // Regions begin at cache lines.
    end += Math.ceil(bytes / 64) * 64
  }
  return { panels, bytes: end, askedUsers, batchNodes, address: (region) => addresses.get(region)! }
}

/** The bytes that a kernel of a size takes. */
export const kernelBytes = (size: KernelSize): number => placed(size, 1).bytes

/** Lays out memory for a kernel. */
export function layoutOf(settings: KernelSettings, threads: number): Layout {
  const { graph } = settings
  const layout = placed(settings, threads)
  const nodes = graph.users + graph.items
  if (layout.bytes > MOST_BYTES)
    throw badOption(
      `Training ${formatCount(nodes)} users and items with ${formatCount(graph.edges)} clicks in ${formatCount(settings.dim)} dimensions needs ${Math.ceil(layout.bytes / 2 ** 30)} GiB, more than the 4 GiB that WebAssembly can address.`,
      advice`Use fewer dimensions (${set('dim')}), fewer layers (${set('layers')}), or part of the log.`,
    )
  return layout
}

/** Bytes of each region, in the order of the plan. */
function regionsOf(
  { graph, layers, batch, itemsPerSample, policy }: KernelSize,
  {
    panels,
    nodes,
    batchNodes,
    askedUsers,
  }: { panels: Panels; nodes: number; batchNodes: number; askedUsers: number },
) {
  const table = nodes * panels.dim * 4
  // Layers 1 … K − 1 on the way forward; on the way back one table, or two to go to and fro.
  const spares = Math.max(layers - 1, Math.min(layers, 2), 1)
  const entries = batch * itemsPerSample
  return {
    control: 64,
    step: 64,
    offsets: (nodes + 1) * 4,
    neighbours: graph.edges * 8,
    scale: nodes * 4,
    inverseDegree: nodes * 4,
    rootDegree: nodes * 4,
    embeddings: table,
    scaled: table,
    tables: spares * table,
    mean: table,
    square: table,
    batchUsers: batch * 4,
    batchItems: entries * 4,
    weights: batch * 4,
    oppositeWeights: batch * 4,
    corrections: entries * 4,
    inversePropensities: policy ? batch * 4 : 0,
    rewards: batch * 4,
    expectedRewards: policy?.expects ? entries * 4 : 0,
    coefficients: entries * 4,
    losses: batch * 8,
    batchNodes: batchNodes * 4,
    batchCounts: batchNodes * 4,
    places: nodes * 4,
    batchFinal: batchNodes * panels.dim * 4,
    batchGradient: batchNodes * panels.dim * 4,
    scratch: panels.count * 64,
    final: table,
    askedUsers: askedUsers * 4,
    askedScores: askedUsers * graph.items * 4,
  }
}

/** Pages of memory that a layout needs. */
export const pagesOf = ({ bytes }: Layout): number => Math.ceil(bytes / PAGE)

/** The regions in the order of the plan. */
const ADDRESSES: readonly Region[] = [
  'control',
  'step',
  'offsets',
  'neighbours',
  'scale',
  'inverseDegree',
  'rootDegree',
  'embeddings',
  'scaled',
  'tables',
  'mean',
  'square',
  'batchUsers',
  'batchItems',
  'weights',
  'oppositeWeights',
  'corrections',
  'inversePropensities',
  'rewards',
  'expectedRewards',
  'coefficients',
  'losses',
  'batchNodes',
  'batchCounts',
  'places',
  'batchFinal',
  'batchGradient',
  'scratch',
  'final',
]

/** Writes the plan and what follows from the graph alone. */
export function writePlan(
  memory: WebAssembly.Memory,
  layout: Layout,
  settings: KernelSettings,
  threads: number,
): void {
  const { graph, layers, form, itemsPerSample, policy } = settings
  const { panels, address } = layout
  const nodes = graph.users + graph.items
  const words = [
    nodes,
    panels.dim,
    layers,
    panels.width,
    panels.count,
    threads,
    FORMS[form],
    CURVES[policy?.curve ?? 'linear'],
    policy?.expects ? 1 : 0,
    itemsPerSample,
    layout.batchNodes,
    ...ADDRESSES.map(address),
    graph.users,
    graph.items,
    address('askedUsers'),
    address('askedScores'),
  ]
  new Uint32Array(memory.buffer, PLAN, words.length).set(words)
  writeGraph(memory, layout, graph)
}

/** Users and items as one numbering of nodes; neighbours as byte offsets of their rows within a panel. */
function writeGraph(memory: WebAssembly.Memory, { address, panels }: Layout, graph: Graph): void {
  const { users, items, edges, byUser, byItem } = graph
  const nodes = users + items
  const offsets = new Uint32Array(memory.buffer, address('offsets'), nodes + 1)
  offsets.set(byUser.offsets)
  for (let item = 0; item <= items; item++) offsets[users + item] = edges + byItem.offsets[item]!
  const row = panels.width * 4
  const neighbours = new Uint32Array(memory.buffer, address('neighbours'), edges * 2)
  for (let k = 0; k < edges; k++) {
    neighbours[k] = (users + byUser.neighbours[k]!) * row
    neighbours[edges + k] = byItem.neighbours[k]! * row
  }
  const scale = new Float32Array(memory.buffer, address('scale'), nodes)
  const inverse = new Float32Array(memory.buffer, address('inverseDegree'), nodes)
  const root = new Float32Array(memory.buffer, address('rootDegree'), nodes)
  for (let node = 0; node < nodes; node++) {
    const degree = node < users ? degreeOf(byUser, node) : degreeOf(byItem, node - users)
    root[node] = Math.sqrt(degree)
    // A node without edges is reached by no hop: its factors are 0, and its layers beyond the first too.
    if (degree === 0) continue
    scale[node] = 1 / Math.sqrt(degree)
    inverse[node] = 1 / degree
  }
}
