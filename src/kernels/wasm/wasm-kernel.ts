import { HindcastError } from '../../error.js'
import type { Adjacency } from '../../graph/graph.js'
import { formatCount } from '../../number-text.js'
import { adamCorrections } from '../adam.js'
import { rankTile } from '../best-items.js'
import type {
  Batch,
  EmbeddingsCopy,
  Kernel,
  KernelSettings,
  KernelState,
  Numbers,
  Rankings,
} from '../kernel.js'
import { type Layout, layoutOf, pagesOf, type Region, writePlan } from './layout.js'
import { hostOf, type StartThread, type Thread } from './thread.js'

interface Exports {
  train(): void
  propagate(): void
  score(): void
  quit(): void
  jobs(): number
}

export interface WasmOptions {
  /** Threads in all; more than one needs shared memory and `startThread`. Default 1. */
  threads?: number
  startThread?: StartThread
}

/** The kernel in WebAssembly: SIMD, float32, on one thread or several; any number of threads gives the same bits. */
export async function wasmKernel(settings: KernelSettings, options: WasmOptions = {}): Promise<Kernel> {
  const { startThread } = options
  const threads = startThread && hasSharedMemory() ? (options.threads ?? 1) : 1
  const layout = layoutOf(settings, threads)
  const memory = makeMemory(pagesOf(layout), threads > 1)
  const module = await compile(threads > 1)
  const instance = await WebAssembly.instantiate(module, { env: hostOf(memory) })
  const exports = instance.exports as unknown as Exports
  writePlan(memory, layout, settings, threads)
  const helpers: Thread[] = []
  for (let thread = 1; thread < threads; thread++)
    helpers.push(await startThread!({ module, memory, thread, lastJob: exports.jobs() }))
  return new WasmKernel(settings, { layout, memory, exports, helpers })
}

/** Whether threads can share memory here: in Node always, in a page only where it is isolated from other origins. */
export const hasSharedMemory = (): boolean =>
  typeof SharedArrayBuffer === 'function' &&
  (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated !== false

function makeMemory(pages: number, shared: boolean): WebAssembly.Memory {
  try {
    return new WebAssembly.Memory(
      shared ? { initial: pages, maximum: pages, shared: true } : { initial: pages, maximum: pages },
    )
  } catch (cause) {
    throw new HindcastError(
      'bad-option',
      `Training needs ${formatCount(Math.ceil(pages / 16))} MiB of memory, which is not available.`,
      { remedy: 'Close other programs, or use fewer dimensions or layers.', cause },
    )
  }
}

async function compile(shared: boolean): Promise<WebAssembly.Module> {
  const { default: text } = await (shared ? import('./binary-shared.js') : import('./binary-single.js'))
  return WebAssembly.compile(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)))
}

/** Only a thread that may sleep waits for others without burning time; that of a web page may not. */
const maySleep = (): boolean => typeof (globalThis as { document?: unknown }).document === 'undefined'

/** The numbers of a batch, which are copied as they are. */
const COLUMNS = [
  'weights',
  'oppositeWeights',
  'corrections',
  'inversePropensities',
  'rewards',
  'expectedRewards',
] as const satisfies readonly (keyof Batch & Region)[]

/** Owns the kernel's memory and threads. */
class WasmKernel implements Kernel {
  readonly backend = 'wasm'
  readonly threads: number
  readonly #settings: KernelSettings
  readonly #layout: Layout
  readonly #memory: WebAssembly.Memory
  readonly #exports: Exports
  readonly #helpers: readonly Thread[]
  #steps = 0
  #losses: number[] = []

  constructor(
    settings: KernelSettings,
    parts: { layout: Layout; memory: WebAssembly.Memory; exports: Exports; helpers: readonly Thread[] },
  ) {
    this.#settings = settings
    this.#layout = parts.layout
    this.#memory = parts.memory
    this.#exports = parts.exports
    this.#helpers = parts.helpers
    this.threads = parts.helpers.length + 1
    this.#words('control', 8)[4] = maySleep() ? 1 : 0
  }

  load(state: KernelState): void {
    this.#fill('embeddings', state.embeddings)
    this.#fill('mean', state.mean)
    this.#fill('square', state.square)
    this.#steps = state.steps
    this.#losses = []
    const { width, dim } = this.#layout.panels
    const nodes = this.#nodes
    const scaled = this.#floats('scaled', nodes * dim)
    const embeddings = this.#floats('embeddings', nodes * dim)
    const scale = this.#floats('scale', nodes)
    for (let p = 0; p < scaled.length; p++) scaled[p] = embeddings[p]! * scale[Math.floor(p / width) % nodes]!
  }

  async state(): Promise<KernelState> {
    return {
      embeddings: this.#read('embeddings'),
      mean: this.#read('mean'),
      square: this.#read('square'),
      steps: this.#steps,
    }
  }

  copy(): EmbeddingsCopy {
    const rows = this.#read('embeddings')
    return { read: async () => rows, drop: () => {} }
  }

  step(batch: Batch): void {
    const { learningRate, l2, variancePenalty = 0, policy } = this.#settings
    const samples = batch.users.length
    const nodes = this.#place(batch)
    for (const column of COLUMNS) {
      const numbers = batch[column]
      if (numbers) this.#floats(column, numbers.length).set(numbers)
    }
    this.#steps++
    const { rate, root } = adamCorrections(learningRate, this.#steps)
    const step = new DataView(this.#memory.buffer, this.#layout.address('step'), 64)
    step.setInt32(0, samples, true)
    step.setInt32(4, nodes, true)
    step.setFloat64(8, rate, true)
    step.setFloat64(16, root, true)
    step.setFloat64(24, l2 / samples, true)
    step.setFloat64(32, variancePenalty, true)
    step.setFloat64(48, policy?.bend ?? 0, true)
    step.setFloat64(56, policy ? 1 / policy.temperature : 1, true)
    this.#exports.train()
    this.#forget(nodes)
    const losses = new Float64Array(this.#memory.buffer, this.#layout.address('losses'), samples)
    let total = 0
    for (let sample = 0; sample < samples; sample++) total += losses[sample]!
    this.#losses.push(total / samples)
  }

  async settle(): Promise<Float64Array> {
    const settled = Float64Array.from(this.#losses)
    this.#losses = []
    return settled
  }

  async propagate(): Promise<Float32Array> {
    this.#exports.propagate()
    const { dim } = this.#settings
    const padded = this.#layout.panels.dim
    const rows = this.#floats('final', this.#nodes * padded)
    if (dim === padded) return rows.slice()
    const result = new Float32Array(this.#nodes * dim)
    for (let node = 0; node < this.#nodes; node++)
      result.set(rows.subarray(node * padded, node * padded + dim), node * dim)
    return result
  }

  async scores(users: Uint32Array): Promise<Float32Array> {
    const result = new Float32Array(users.length * this.#settings.graph.items)
    this.#inTiles(users, (scores, first) => result.set(scores, first * this.#settings.graph.items))
    return result
  }

  async topK(users: Uint32Array, k: number, exclude?: Adjacency): Promise<Rankings> {
    const { items } = this.#settings.graph
    const rankings = { users, k, items: new Uint32Array(users.length * k) }
    this.#inTiles(users, (scores, first) => rankTile(rankings, { scores, first, items, exclude }))
    return rankings
  }

  async dispose(): Promise<void> {
    if (this.#helpers.length > 0) this.#exports.quit()
    await Promise.all(this.#helpers.map((helper) => helper.stop()))
  }

  get #nodes(): number {
    return this.#settings.graph.users + this.#settings.graph.items
  }

  /** Numbers the distinct nodes of the batch, and writes users and items by these numbers. */
  #place(batch: Batch): number {
    const { users: userCount } = this.#settings.graph
    const places = this.#words('places', this.#nodes)
    const nodes = this.#words('batchNodes', this.#layout.batchNodes)
    const counts = this.#floats('batchCounts', this.#layout.batchNodes)
    let found = 0
    const placeOf = (node: number): number => {
      if (places[node] === 0) {
        nodes[found] = node
        counts[found] = 0
        places[node] = ++found
      }
      const place = places[node]! - 1
      counts[place]!++
      return place
    }
    const users = this.#words('batchUsers', batch.users.length)
    for (let k = 0; k < users.length; k++) users[k] = placeOf(batch.users[k]!)
    const items = this.#words('batchItems', batch.items.length)
    for (let k = 0; k < items.length; k++) items[k] = placeOf(userCount + batch.items[k]!)
    return found
  }

  #forget(count: number): void {
    const places = this.#words('places', this.#nodes)
    const nodes = this.#words('batchNodes', count)
    for (let k = 0; k < count; k++) places[nodes[k]!] = 0
  }

  /** Scores of all items, for as many users at a time as fit in memory. */
  #inTiles(users: Uint32Array, visit: (scores: Float32Array, first: number) => void): void {
    const { items } = this.#settings.graph
    const step = new DataView(this.#memory.buffer, this.#layout.address('step'), 64)
    for (let first = 0; first < users.length; first += this.#layout.askedUsers) {
      const asked = users.subarray(first, first + this.#layout.askedUsers)
      this.#words('askedUsers', asked.length).set(asked)
      step.setInt32(40, asked.length, true)
      this.#exports.score()
      visit(this.#floats('askedScores', asked.length * items), first)
    }
  }

  /** Rows of `dim` numbers into panels, padded with zeros. */
  #fill(region: Region, rows: Numbers): void {
    const { dim } = this.#settings
    const panels = this.#floats(region, this.#nodes * this.#layout.panels.dim).fill(0)
    for (let node = 0; node < this.#nodes; node++)
      for (let d = 0; d < dim; d++) panels[this.#at(node, d)] = rows[node * dim + d]!
  }

  #read(region: Region): Float32Array {
    const { dim } = this.#settings
    const panels = this.#floats(region, this.#nodes * this.#layout.panels.dim)
    const rows = new Float32Array(this.#nodes * dim)
    for (let node = 0; node < this.#nodes; node++)
      for (let d = 0; d < dim; d++) rows[node * dim + d] = panels[this.#at(node, d)]!
    return rows
  }

  /** Where a column of a node stands in a table of panels. */
  #at(node: number, column: number): number {
    const { width } = this.#layout.panels
    const panel = Math.floor(column / width)
    return (panel * this.#nodes + node) * width + (column - panel * width)
  }

  #floats(region: Region, length: number): Float32Array {
    return new Float32Array(this.#memory.buffer, this.#layout.address(region), length)
  }

  #words(region: Region, length: number): Uint32Array {
    return new Uint32Array(this.#memory.buffer, this.#layout.address(region), length)
  }
}
