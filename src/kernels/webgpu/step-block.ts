import { adamCorrections } from '../adam.js'
import type { Batch, KernelSettings } from '../kernel.js'
import type { CompactBatch } from './compact-batch.js'
import type { Layout, Shape } from './layout.js'

/** Bytes between the settings of two steps: what every device accepts as a dynamic offset. */
export const STEP_STRIDE = 256
/** Bytes of them. */
export const STEP_SIZE = 44

/** What shaders know of a step, besides its block. */
export const STEP = /* wgsl */ `
struct Step {
  samples: u32,
  nodes: u32,
  userNodes: u32,
  block: u32,
  slot: u32,
  rate: f32,
  root: f32,
  penalty: f32,
  variancePenalty: f32,
  bend: f32,
  coldness: f32,
}`

/** The largest number of float32: stands for "no bend", since WGSL need not know infinity. */
const LARGEST = 3.4028234e38

/** A step as it is sent: its settings and the block with its batch. */
export interface PlacedStep {
  readonly batch: Batch
  readonly compact: CompactBatch
  /** Its number, from 1. */
  readonly number: number
  /** Which of the steps of a submission it is. */
  readonly slot: number
}

/** The steps of a submission before they are sent. */
export interface Staging {
  readonly settings: ArrayBuffer
  readonly blocks: ArrayBuffer
}

/** Room for the steps of a submission. */
export const stagingFor = ({ slots, shape }: Layout): Staging => ({
  settings: new ArrayBuffer(slots * STEP_STRIDE),
  blocks: new ArrayBuffer(4 * slots * shape.blockLength),
})

/** Writes a step into its slot. Adam's corrections are those of float64, rounded once. */
export function writeStep(
  { settings, blocks }: Staging,
  { batch, compact, number, slot }: PlacedStep,
  { learningRate, l2, variancePenalty = 0, form, policy }: KernelSettings,
  shape: Shape,
): void {
  const samples = batch.users.length
  const { rate, root } = adamCorrections(learningRate, number)
  const first = slot * shape.blockLength
  const fields = slot * STEP_STRIDE
  new Uint32Array(settings, fields, 5).set([samples, compact.nodes.length, compact.userNodes, first, slot])
  const { bend = 0, temperature = 1 } = policy ?? {}
  new Float32Array(settings, fields + 20, 6).set([
    rate,
    root,
    l2 / samples,
    variancePenalty,
    Math.min(bend, LARGEST),
    1 / temperature,
  ])

  const words = new Uint32Array(blocks, 4 * first, shape.blockLength)
  const numbers = new Float32Array(blocks, 4 * first, shape.blockLength)
  words[0] = samples
  words.set(compact.nodes, shape.blockNodes)
  words.set(compact.starts, shape.blockStarts)
  words.set(compact.userPlaces, shape.blockUserPlaces)
  words.set(compact.itemPlaces, shape.blockItemPlaces)
  words.set(compact.entries, shape.blockEntries)
  numbers.set(batch.weights, shape.blockWeights)
  const extra = batch.oppositeWeights ?? batch.corrections
  if (extra && shape.blockExtra < shape.blockLength) numbers.set(extra, shape.blockExtra)
  if (form === 'squared') numbers.set(batch.rewards!, shape.blockRewards)
  if (!policy) return
  numbers.set(batch.inversePropensities!, shape.blockInverse)
  numbers.set(batch.rewards!, shape.blockRewards)
  if (batch.expectedRewards) numbers.set(batch.expectedRewards, shape.blockExpected)
}
