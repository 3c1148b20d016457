// The work on one panel, some columns of all embeddings. Propagation mixes rows and never columns, so a
// panel is one thread's alone from the first hop to the last, and no thread waits for another in between.
// Rows are kept scaled by 1/√degree: x' = x/√d turns a hop of the normalised graph into a plain sum over
// neighbours, divided by the degree.
import { Field, plan } from './plan'
import { addScaled, gather, multiply, scatter } from './rows'
import { Step, stepNumber, stepWord } from './step'

const BETA1: f32 = 0.9
const REST1: f32 = 0.1
const BETA2: f32 = 0.999
const REST2: f32 = 0.001
const EPSILON: f32 = 1e-8

/** Bytes of a row of a panel. */
// @ts-ignore: decorator
@inline
function rowBytes(): usize {
  return plan(Field.width) << 2
}

/** Start of a panel of one of the tables with a row for each node. */
// @ts-ignore: decorator
@inline
function panelOf(table: usize, panel: i32): usize {
  return table + <usize>panel * plan(Field.nodes) * rowBytes()
}

/** Start of a panel of the k-th spare table. */
// @ts-ignore: decorator
@inline
function spare(k: i32, panel: i32): usize {
  return panelOf(plan(Field.tables) + <usize>k * plan(Field.nodes) * (plan(Field.dim) << 2), panel)
}

// @ts-ignore: decorator
@inline
function factorOf(table: i32, node: usize): f32 {
  return load<f32>(plan(table) + (node << 2))
}

/** Sum over the neighbours of a node, times a factor. */
// @ts-ignore: decorator
@inline
function gatherNode(table: usize, node: usize, factor: f32, out: usize): void {
  const offsets = plan(Field.offsets) + (node << 2)
  const neighbours = plan(Field.neighbours)
  gather(
    <i32>plan(Field.width),
    table,
    neighbours + (<usize>load<u32>(offsets) << 2),
    neighbours + (<usize>load<u32>(offsets, 4) << 2),
    factor,
    out,
  )
}

/** A hop: row n of `after` = factor of n · Σ of the rows of its neighbours. */
function hop(before: usize, factors: i32, after: usize): void {
  const nodes = plan(Field.nodes)
  const bytes = rowBytes()
  for (let node: usize = 0; node < nodes; node++)
    gatherNode(before, node, factorOf(factors, node), after + node * bytes)
}

/** Layers 1 … K − 1 of a panel, scaled, into the spare tables; returns the last layer there is. */
function spread(panel: i32): usize {
  let before = panelOf(plan(Field.scaled), panel)
  for (let layer = 1; layer < <i32>plan(Field.layers); layer++) {
    const after = spare(layer - 1, panel)
    hop(before, Field.inverseDegree, after)
    before = after
  }
  return before
}

/** Mean over the layers of a node's row, the last layer summed up here. */
// @ts-ignore: decorator
@inline
function settleRow(panel: i32, node: usize, last: usize, out: usize): void {
  const layers = <i32>plan(Field.layers)
  const bytes = rowBytes()
  const initial = panelOf(plan(Field.embeddings), panel) + node * bytes
  if (layers == 0) {
    memory.copy(out, initial, bytes)
    return
  }
  gatherNode(last, node, factorOf(Field.inverseDegree, node), out)
  const first = spare(0, panel) + node * bytes
  const table = plan(Field.nodes) * (plan(Field.dim) << 2)
  const end = first + <usize>(layers - 1) * table
  const root = f32x4.splat(factorOf(Field.rootDegree, node))
  const share = f32x4.splat(<f32>1 / <f32>(layers + 1))
  for (let k: usize = 0; k < bytes; k += 16) {
    let sum = v128.load(out + k)
    for (let layer = first; layer < end; layer += table) sum = f32x4.add(sum, v128.load(layer + k))
    sum = f32x4.add(f32x4.mul(sum, root), v128.load(initial + k))
    v128.store(out + k, f32x4.mul(sum, share))
  }
}

/** Final embeddings of the nodes of the batch. */
export function forward(panel: i32): void {
  const last = spread(panel)
  const bytes = rowBytes()
  const out = plan(Field.batchFinal) + <usize>panel * plan(Field.batchNodesRoom) * bytes
  const count = <usize>stepWord(Step.batchNodes)
  for (let k: usize = 0; k < count; k++)
    settleRow(panel, <usize>load<u32>(plan(Field.batchNodes) + (k << 2)), last, out + k * bytes)
}

/** Final embeddings of all nodes, as whole rows. */
export function forwardAll(panel: i32): void {
  const last = spread(panel)
  const bytes = rowBytes()
  const nodes = plan(Field.nodes)
  const whole = plan(Field.dim) << 2
  const out = plan(Field.final) + <usize>panel * bytes
  for (let node: usize = 0; node < nodes; node++) settleRow(panel, node, last, out + node * whole)
}

/** From the slopes of the batch to new embeddings: H ← G + Â·H, K times, then Adam. */
export function backward(panel: i32): void {
  const nodes = plan(Field.nodes)
  const bytes = rowBytes()
  const layers = <i32>plan(Field.layers)
  const gradient = plan(Field.batchGradient) + <usize>panel * plan(Field.batchNodesRoom) * bytes
  gradientOfBatch(panel, gradient)
  const scratch = plan(Field.scratch) + <usize>panel * 64
  let before = spare(0, panel)
  if (layers > 0) startFromBatch(before, gradient)
  for (let layer = 1; layer < layers; layer++) {
    if (layer == 1) scaleRows(before, Field.inverseDegree)
    else {
      const after = spare((layer - 1) & 1, panel)
      hop(before, Field.inverseDegree, after)
      before = after
    }
    addOwn(before, gradient)
  }
  if (layers == 1) scaleRows(before, Field.scale)
  for (let node: usize = 0; node < nodes; node++) {
    if (layers == 0) memory.fill(scratch, 0, bytes)
    else if (layers == 1) memory.copy(scratch, before + node * bytes, bytes)
    else gatherNode(before, node, factorOf(Field.scale, node), scratch)
    const place = <usize>load<u32>(plan(Field.places) + (node << 2))
    if (place != 0) addSlopes(scratch, panel, node, place - 1, gradient)
    adam(panel, node, scratch)
  }
}

/** G/(K + 1): the slope of the loss along the final embedding of each node of the batch, sample by sample. */
function gradientOfBatch(panel: i32, gradient: usize): void {
  const bytes = rowBytes()
  const final = plan(Field.batchFinal) + <usize>panel * plan(Field.batchNodesRoom) * bytes
  const each = <usize>plan(Field.itemsPerSample)
  memory.fill(gradient, 0, <usize>stepWord(Step.batchNodes) * bytes)
  const share = <f32>1 / <f32>(<i32>plan(Field.layers) + 1)
  for (let sample: usize = 0; sample < <usize>stepWord(Step.samples); sample++) {
    const user = <usize>load<u32>(plan(Field.batchUsers) + (sample << 2)) * bytes
    for (let k = sample * each; k < (sample + 1) * each; k++) {
      const item = <usize>load<u32>(plan(Field.batchItems) + (k << 2)) * bytes
      const slope = share * load<f32>(plan(Field.coefficients) + (k << 2))
      addScaled(bytes, gradient + user, slope, final + item)
      addScaled(bytes, gradient + item, slope, final + user)
    }
  }
}

/** The first hop, but for its scaling: Σ of G' over the neighbours in the batch, the only ones that have any. */
function startFromBatch(table: usize, gradient: usize): void {
  const bytes = rowBytes()
  memory.fill(table, 0, plan(Field.nodes) * bytes)
  const count = <usize>stepWord(Step.batchNodes)
  const neighbours = plan(Field.neighbours)
  for (let k: usize = 0; k < count; k++) {
    const node = <usize>load<u32>(plan(Field.batchNodes) + (k << 2))
    const offsets = plan(Field.offsets) + (node << 2)
    scatter(
      bytes,
      table,
      neighbours + (<usize>load<u32>(offsets) << 2),
      neighbours + (<usize>load<u32>(offsets, 4) << 2),
      factorOf(Field.scale, node),
      gradient + k * bytes,
    )
  }
}

/** Multiplies the row of each node by its factor. */
function scaleRows(table: usize, factors: i32): void {
  const nodes = plan(Field.nodes)
  const bytes = rowBytes()
  for (let node: usize = 0; node < nodes; node++) multiply(bytes, table + node * bytes, factorOf(factors, node))
}

/** Adds G', which is 0 for nodes outside the batch. */
function addOwn(table: usize, gradient: usize): void {
  const bytes = rowBytes()
  const count = <usize>stepWord(Step.batchNodes)
  for (let k: usize = 0; k < count; k++) {
    const node = <usize>load<u32>(plan(Field.batchNodes) + (k << 2))
    addScaled(bytes, table + node * bytes, factorOf(Field.scale, node), gradient + k * bytes)
  }
}

/** What a node of the batch adds to its own row of the gradient: G, and λ/B · e⁰ as often as it occurs. */
// @ts-ignore: decorator
@inline
function addSlopes(row: usize, panel: i32, node: usize, place: usize, gradient: usize): void {
  const bytes = rowBytes()
  addScaled(bytes, row, 1, gradient + place * bytes)
  const times = load<f32>(plan(Field.batchCounts) + (place << 2))
  const initial = panelOf(plan(Field.embeddings), panel) + node * bytes
  addScaled(bytes, row, <f32>stepNumber(Step.penalty) * times, initial)
}

/** One step of Adam on a row, and its scaled copy for the next hop. */
// @ts-ignore: decorator
@inline
function adam(panel: i32, node: usize, gradient: usize): void {
  const bytes = rowBytes()
  const mean = panelOf(plan(Field.mean), panel) + node * bytes
  const square = panelOf(plan(Field.square), panel) + node * bytes
  const row = panelOf(plan(Field.embeddings), panel) + node * bytes
  const scaled = panelOf(plan(Field.scaled), panel) + node * bytes
  const rate = f32x4.splat(<f32>stepNumber(Step.rate))
  const root = f32x4.splat(<f32>stepNumber(Step.rootCorrection))
  const scale = f32x4.splat(factorOf(Field.scale, node))
  for (let k: usize = 0; k < bytes; k += 16) {
    const g = v128.load(gradient + k)
    const m = f32x4.add(
      f32x4.mul(f32x4.splat(BETA1), v128.load(mean + k)),
      f32x4.mul(f32x4.splat(REST1), g),
    )
    const s = f32x4.add(
      f32x4.mul(f32x4.splat(BETA2), v128.load(square + k)),
      f32x4.mul(f32x4.splat(REST2), f32x4.mul(g, g)),
    )
    v128.store(mean + k, m)
    v128.store(square + k, s)
    const divisor = f32x4.add(f32x4.mul(f32x4.sqrt(s), root), f32x4.splat(EPSILON))
    const e = f32x4.sub(v128.load(row + k), f32x4.div(f32x4.mul(rate, m), divisor))
    v128.store(row + k, e)
    v128.store(scaled + k, f32x4.mul(scale, e))
  }
}
