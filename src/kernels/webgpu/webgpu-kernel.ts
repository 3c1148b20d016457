import { advice, set } from '../../advice.js'
import { badOption, HindcastError } from '../../error.js'
import type { Adjacency } from '../../graph/graph.js'
import type {
  Batch,
  EmbeddingsCopy,
  Kernel,
  KernelSettings,
  KernelState,
  Numbers,
  Rankings,
} from '../kernel.js'
import { type FoundAdapter, nameOf, openDevice, requireAdapter } from './adapter.js'
import { batchCompactor } from './compact-batch.js'
import { type DeviceGraph, deviceGraph } from './layout.js'
import {
  copyOut,
  type DeviceWatch,
  makeBuffers,
  readBack,
  type Readback,
  USAGE,
  watchDevice,
} from './device-memory.js'
import { type BufferName, type Layout, layoutOf, type Shape, SHAPE_FIELDS } from './layout.js'
import { type Pass, PassClock, type Passes, passesOf, type PassTimes, type StepSizes } from './passes.js'
import { makeRanker, type Ranker } from './ranker.js'
import { compilerOf, dispatchOf } from './shader.js'
import { type Staging, stagingFor, STEP_SIZE, STEP_STRIDE, writeStep } from './step-block.js'

export interface WebgpuOptions {
  /** Where to look for a GPU; in a page `navigator.gpu`. */
  gpu?: GPU
  /** A GPU that was already found; it can be opened once. */
  adapter?: FoundAdapter
  /** A device that is already open. It is left open in the end. */
  device?: GPUDevice
  /** Called at every `settle` with the time of the passes by the device's clock, where it has one. Slows steps down. */
  onPassTimes?: (times: PassTimes) => void
}

/**
 * The kernel on a GPU: float32, every sum in an order that depends on the settings alone, so that one device gives
 * the same bits every time. Steps are gathered and sent many at a time; nothing comes back before `settle`.
 */
export async function webgpuKernel(settings: KernelSettings, options: WebgpuOptions): Promise<Kernel> {
  const { device, name } = await deviceOf(options)
  const watch = watchDevice(device, name)
  const made: GPUBuffer[] = []
  try {
    const graph = deviceGraph(settings.graph)
    const layout = layoutOf(settings, graph, device.limits)
    const buffers = await makeBuffers({ device, name }, layout.bytes)
    made.push(...Object.values(buffers))
    const settled = await makeBuffers(
      { device, name },
      { steps: layout.slots * STEP_STRIDE, shape: 4 * SHAPE_FIELDS.length },
      USAGE.uniform | USAGE.copyTarget,
    )
    made.push(...Object.values(settled))
    const compiler = compilerOf(device)
    const uniforms = device.createBindGroup({
      layout: compiler.uniforms,
      entries: [
        { binding: 0, resource: { buffer: settled.steps, size: STEP_SIZE } },
        { binding: 1, resource: { buffer: settled.shape } },
      ],
    })
    const passes = await watch.wait(passesOf(compiler, buffers, settings, layout.shape))
    const ranker = await watch.wait(
      makeRanker({ device, name, watch, settings, finals: buffers.finals, compiler, uniforms }),
    )
    writeShape(device, settled.shape, layout.shape)
    writeGraph(device, buffers.graph, graph, layout.shape)
    const clock =
      options.onPassTimes && device.features.has('timestamp-query') ? new PassClock(device) : undefined
    const parts = { device, name, watch, graph, layout, buffers, settled, uniforms, passes, ranker, clock }
    return new WebgpuKernel(settings, parts, options)
  } catch (error) {
    watch.end()
    for (const buffer of made) buffer.destroy()
    if (!options.device) device.destroy()
    throw error
  }
}

async function deviceOf(options: WebgpuOptions): Promise<{ device: GPUDevice; name: string }> {
  const { device, gpu, adapter, onPassTimes } = options
  if (device) return { device, name: nameOf(device.adapterInfo) }
  if (!adapter && !gpu)
    throw new HindcastError('no-device', 'WebGPU is not available here.', {
      remedy: advice`Use a browser that has it, or train on the CPU with ${set('backend', 'wasm')}.`,
    })
  const found = adapter ?? (await requireAdapter(gpu!))
  return {
    device: await openDevice(found, { timestamps: onPassTimes !== undefined }),
    name: found.name,
  }
}

function writeGraph(
  { queue }: GPUDevice,
  buffer: GPUBuffer,
  { order, starts, scale, neighbours }: DeviceGraph,
  shape: Shape,
): void {
  queue.writeBuffer(buffer, 4 * shape.order, order)
  queue.writeBuffer(buffer, 4 * shape.starts, starts)
  queue.writeBuffer(buffer, 4 * shape.scale, scale)
  queue.writeBuffer(buffer, 4 * shape.neighbours, neighbours)
}

function writeShape({ queue }: GPUDevice, buffer: GPUBuffer, shape: Shape): void {
  const words = Uint32Array.from(SHAPE_FIELDS, (field) => shape[field])
  new Float32Array(words.buffer)[SHAPE_FIELDS.indexOf('share')] = shape.share
  queue.writeBuffer(buffer, 0, words)
}

interface Parts {
  readonly device: GPUDevice
  readonly name: string
  readonly watch: DeviceWatch
  readonly graph: DeviceGraph
  readonly layout: Layout
  readonly buffers: Readonly<Record<BufferName, GPUBuffer>>
  readonly settled: Readonly<Record<'steps' | 'shape', GPUBuffer>>
  readonly uniforms: GPUBindGroup
  readonly passes: Passes
  readonly ranker: Ranker
  readonly clock: PassClock | undefined
}

/** Owns the device's memory. */
class WebgpuKernel implements Kernel {
  readonly backend = 'webgpu'
  readonly threads = 1
  readonly device: string
  readonly #settings: KernelSettings
  readonly #parts: Parts
  readonly #options: WebgpuOptions
  readonly #compact: ReturnType<typeof batchCompactor>
  readonly #staging: Staging
  #steps = 0
  /** Steps that wait in the staging, and after how many they are sent. */
  #waiting: StepSizes[] = []
  #sendAfter = 1
  /** Losses of what was sent since the last `settle`. */
  #flights: { readonly steps: number; readonly told: Readback }[] = []

  constructor(settings: KernelSettings, parts: Parts, options: WebgpuOptions) {
    this.#settings = settings
    this.#parts = parts
    this.#options = options
    this.device = parts.name
    this.#staging = stagingFor(parts.layout)
    const { graph, itemsPerSample } = settings
    this.#compact = batchCompactor({ users: graph.users, items: graph.items, itemsPerSample })
  }

  load(state: KernelState): void {
    const { watch, graph } = this.#parts
    watch.check()
    this.#forget()
    const rows = this.#padded(state.embeddings)
    this.#write('embeddings', rows)
    this.#write('mean', this.#padded(state.mean))
    this.#write('square', this.#padded(state.square))
    const columns = 4 * this.#parts.layout.shape.width
    for (let node = 0, p = 0; node < graph.nodes; node++)
      for (let column = 0; column < columns; column++, p++) rows[p]! *= graph.scale[node]!
    this.#write('scaled', rows)
    this.#steps = state.steps
  }

  async state(): Promise<KernelState> {
    const { device, buffers, layout, watch } = this.#parts
    this.#send()
    const steps = this.#steps
    const tables = (['embeddings', 'mean', 'square'] as const).map((name) =>
      readBack(device, buffers[name], layout.bytes[name]).bytes(),
    )
    const [embeddings, mean, square] = (await watch.wait(Promise.all(tables))).map((bytes) =>
      this.#unpadded(new Float32Array(bytes)),
    )
    return { embeddings: embeddings!, mean: mean!, square: square!, steps }
  }

  copy(): EmbeddingsCopy {
    const { device, buffers, layout, watch } = this.#parts
    this.#send()
    const copy = readBack(device, buffers.embeddings, layout.bytes.embeddings)
    return {
      read: async () => this.#unpadded(new Float32Array(await watch.wait(copy.bytes()))),
      drop: () => copy.drop(),
    }
  }

  step(batch: Batch): void {
    const { layout, watch } = this.#parts
    const { batch: most } = this.#settings
    watch.check()
    if (batch.users.length > most)
      throw badOption(
        `A batch has ${batch.users.length} samples.`,
        `The kernel was made for at most ${most}.`,
      )
    const compact = batch.compact ?? this.#compact(batch)
    this.#steps++
    writeStep(
      this.#staging,
      { batch, compact, number: this.#steps, slot: this.#waiting.length },
      this.#settings,
      layout.shape,
    )
    this.#waiting.push({ samples: batch.users.length, nodes: compact.nodes.length })
    if (this.#waiting.length >= this.#sendAfter) {
      this.#send()
      // A device that has nothing to do is given something soon; then as much as it takes at a time.
      this.#sendAfter = Math.min(2 * this.#sendAfter, layout.slots)
    }
  }

  async settle(): Promise<Float64Array> {
    const { watch, clock } = this.#parts
    this.#send()
    this.#sendAfter = 1
    const flights = this.#flights
    this.#flights = []
    const told = await watch.wait(Promise.all(flights.map((flight) => flight.told.bytes())))
    if (clock) this.#options.onPassTimes!(await watch.wait(clock.report()))
    return Float64Array.from(
      told.flatMap((bytes, flight) => {
        const numbers = new Float32Array(bytes)
        return Array.from({ length: flights[flight]!.steps }, (_, k) => numbers[4 * k]! + numbers[4 * k + 1]!)
      }),
    )
  }

  async propagate(): Promise<Float32Array> {
    const { device, buffers, layout, passes, watch } = this.#parts
    this.#send()
    const encoder = device.createCommandEncoder()
    const pass = encoder.beginComputePass()
    this.#run(pass, passes.propagate, { samples: 0, nodes: 0 }, 0)
    pass.end()
    device.queue.submit([encoder.finish()])
    const bytes = await watch.wait(readBack(device, buffers.finals, layout.bytes.finals).bytes())
    return this.#unpadded(new Float32Array(bytes))
  }

  scores(users: Uint32Array): Promise<Numbers> {
    this.#parts.watch.check()
    return this.#parts.ranker.scores(users)
  }

  async topK(users: Uint32Array, k: number, exclude?: Adjacency): Promise<Rankings> {
    this.#parts.watch.check()
    return this.#parts.ranker.topK(users, k, exclude)
  }

  async dispose(): Promise<void> {
    const { device, buffers, settled, ranker, clock, watch } = this.#parts
    watch.end()
    this.#forget()
    for (const buffer of [...Object.values(buffers), ...Object.values(settled)]) buffer.destroy()
    ranker.dispose()
    clock?.dispose()
    if (!this.#options.device) device.destroy()
  }

  /** Sends the steps that wait, in one submission, and a copy of their losses after them. */
  #send(): void {
    const { device, buffers, settled, passes, watch, layout, clock } = this.#parts
    watch.check()
    const steps = this.#waiting
    if (steps.length === 0) return
    this.#waiting = []
    const { settings, blocks } = this.#staging
    device.queue.writeBuffer(settled.steps, 0, settings, 0, steps.length * STEP_STRIDE)
    device.queue.writeBuffer(buffers.blocks, 0, blocks, 0, 4 * steps.length * layout.shape.blockLength)
    const encoder = device.createCommandEncoder()
    // Marks of earlier submissions go by the same numbers.
    encoder.clearBuffer(buffers.marks)
    const shared = clock ? undefined : encoder.beginComputePass()
    const run = (passesOfStep: readonly Pass[], sizes: StepSizes, slot: number): void => {
      if (shared) this.#run(shared, passesOfStep, sizes, slot)
      else
        for (const one of passesOfStep) {
          const timed = clock!.begin(encoder, one.name)
          this.#run(timed, [one], sizes, slot)
          timed.end()
        }
    }
    steps.forEach((sizes, slot) => run(passes.step, sizes, slot))
    // The penalty has them made step by step.
    if (!this.#settings.variancePenalty)
      run([{ ...passes.summary, workgroups: () => steps.length }], steps[0]!, 0)
    shared?.end()
    const told = copyOut(device, encoder, buffers.told, 16 * steps.length)
    device.queue.submit([encoder.finish()])
    this.#flights.push({ steps: steps.length, told })
  }

  #run(encoder: GPUComputePassEncoder, passes: readonly Pass[], sizes: StepSizes, slot: number): void {
    encoder.setBindGroup(0, this.#parts.uniforms, [slot * STEP_STRIDE])
    for (const { pipeline, group, workgroups } of passes) {
      encoder.setPipeline(pipeline)
      encoder.setBindGroup(1, group)
      encoder.dispatchWorkgroups(...dispatchOf(workgroups(sizes)))
    }
  }

  /** Drops steps that were not sent, and losses that nobody asked for. */
  #forget(): void {
    this.#waiting = []
    this.#sendAfter = 1
    for (const { told } of this.#flights) told.drop()
    this.#flights = []
  }

  #write(name: BufferName, rows: Float32Array): void {
    const { device, buffers } = this.#parts
    device.queue.writeBuffer(buffers[name], 0, rows)
  }

  /** Rows of `dim` numbers as the device has them, padded with zeros to whole groups of four. */
  #padded(rows: Numbers): Float32Array<ArrayBuffer> {
    const { dim } = this.#settings
    const columns = 4 * this.#parts.layout.shape.width
    if (columns === dim) return Float32Array.from(rows)
    const result = new Float32Array(this.#parts.graph.nodes * columns)
    for (let node = 0; node < this.#parts.graph.nodes; node++)
      result.set(rows.subarray(node * dim, (node + 1) * dim), node * columns)
    return result
  }

  #unpadded(rows: Float32Array): Float32Array {
    const { dim } = this.#settings
    const columns = 4 * this.#parts.layout.shape.width
    if (columns === dim) return rows
    const result = new Float32Array(this.#parts.graph.nodes * dim)
    for (let node = 0; node < this.#parts.graph.nodes; node++)
      result.set(rows.subarray(node * columns, node * columns + dim), node * dim)
    return result
  }
}
