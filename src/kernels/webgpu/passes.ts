import type { KernelSettings } from '../kernel.js'
import { readBack, USAGE } from './device-memory.js'
import { type GatherName, gatherShader } from './gather-shader.js'
import type { BufferName, Shape } from './layout.js'
import { summaryShader, weighShader } from './loss-shader.js'
import type { Compiler, Program, ShaderBuffer } from './shader.js'

/** Numbers of a step that decide how many workgroups a pass needs. */
export interface StepSizes {
  readonly samples: number
  readonly nodes: number
}

/** One run of a program: with which buffers, and on how many workgroups. */
export interface Pass {
  readonly name: string
  readonly pipeline: GPUComputePipeline
  readonly group: GPUBindGroup
  workgroups(sizes: StepSizes): number
}

/** What the device is to do, in order. */
export interface Passes {
  /** A training step. */
  readonly step: readonly Pass[]
  /** Mean losses of as many steps as it has workgroups. */
  readonly summary: Pass
  /** Final embeddings of all nodes. */
  readonly propagate: readonly Pass[]
}

type Table = 'scaled' | 'spare0' | 'spare1'

/** Compiles the programs that these settings need and lines them up. */
export async function passesOf(
  { compile }: Compiler,
  buffers: Readonly<Record<BufferName, GPUBuffer>>,
  settings: KernelSettings,
  shape: Shape,
): Promise<Passes> {
  const { layers, variancePenalty = 0 } = settings
  const penalisesVariance = variancePenalty !== 0
  const { slices, pieces } = shape
  const ofRows = (rows: number, long: number): number => long + Math.ceil((rows - long) / slices)
  const allRows = ofRows(shape.nodes, shape.longRows)
  const workgroups: Record<GatherName, Pass['workgroups']> = {
    pieces: () => pieces,
    forward: () => allRows,
    'final of batch': ({ nodes }) => ofRows(nodes, nodes * shape.wholeNeighbours),
    'final of all': () => allRows,
    slopes: ({ nodes }) => ofRows(nodes, nodes * shape.wholeEntries),
    spread: () => Math.ceil(shape.nodes / slices),
    back: () => allRows,
    adam: () => allRows,
  }
  const programs = await compileAll(namesFor(layers, pieces > 0), (name) =>
    compile(
      gatherShader(name, {
        layers,
        penalisesVariance,
        hasLongRows: name === 'slopes' ? shape.wholeEntries === 1 : shape.longRows + pieces > 0,
      }),
    ),
  )
  const [weigh, summary] = await Promise.all([compile(weighShader(settings)), compile(summaryShader())])
  const pass = (
    { name, pipeline, bind }: Program,
    count: Pass['workgroups'],
    tables: { before?: Table; after?: Table } = {},
  ): Pass => {
    const named: Partial<Record<ShaderBuffer, GPUBuffer>> = {
      ...buffers,
      ...(tables.before && { before: buffers[tables.before] }),
      ...(tables.after && { after: buffers[tables.after] }),
    }
    return { name, pipeline, group: bind(named), workgroups: count }
  }
  const gather = (name: GatherName, tables: { before?: Table; after?: Table } = {}): Pass =>
    pass(programs.get(name)!, workgroups[name], tables)
  const piecesOf = (before: Table): Pass[] => (pieces > 0 ? [gather('pieces', { before })] : [])

  /** Hops 1 … K − 1 forward, and then the last. */
  const forward = (last: 'final of batch' | 'final of all'): Pass[] => {
    const passes: Pass[] = []
    let before: Table = 'scaled'
    for (let layer = 1; layer < layers; layer++) {
      const after: Table = layer % 2 === 1 ? 'spare0' : 'spare1'
      passes.push(...piecesOf(before), gather('forward', { before, after }))
      before = after
    }
    return [...passes, ...(layers > 0 ? piecesOf(before) : []), gather(last, { before })]
  }

  const back = (): Pass[] => {
    if (layers === 0) return [gather('adam')]
    let before: Table = 'spare0'
    const passes = [gather('spread', { after: before })]
    for (let layer = 1; layer < layers; layer++) {
      const after: Table = before === 'spare0' ? 'spare1' : 'spare0'
      passes.push(...piecesOf(before), gather('back', { before, after }))
      before = after
    }
    return [...passes, ...piecesOf(before), gather('adam', { before })]
  }

  const told = pass(summary, () => 1)
  return {
    step: [
      ...forward('final of batch'),
      pass(weigh, ({ samples }) => Math.ceil(samples / slices)),
      ...(penalisesVariance ? [told] : []),
      gather('slopes'),
      ...back(),
    ],
    summary: told,
    propagate: forward('final of all'),
  }
}

/** The sums that so many layers need. */
function namesFor(layers: number, hasPieces: boolean): GatherName[] {
  return [
    'final of batch',
    'final of all',
    'slopes',
    'adam',
    ...(layers > 0 ? (['spread'] as const) : []),
    ...(layers > 1 ? (['forward', 'back'] as const) : []),
    ...(hasPieces && layers > 0 ? (['pieces'] as const) : []),
  ]
}

async function compileAll<Name>(
  names: readonly Name[],
  compile: (name: Name) => Promise<Program>,
): Promise<Map<Name, Program>> {
  return new Map(await Promise.all(names.map(async (name) => [name, await compile(name)] as const)))
}

/** GPU time of passes by name since the last report: milliseconds in all, and how often each ran. */
export type PassTimes = ReadonlyMap<string, { readonly milliseconds: number; readonly runs: number }>

/** What a query set may hold. */
const MOST_QUERIES = 4096

/** Times passes by the device's own clock. Only as many as its queries last for between two reports. */
export class PassClock {
  readonly #device: GPUDevice
  readonly #queries: GPUQuerySet
  readonly #ticks: GPUBuffer
  #names: string[] = []

  constructor(device: GPUDevice) {
    this.#device = device
    this.#queries = device.createQuerySet({ type: 'timestamp', count: MOST_QUERIES })
    this.#ticks = device.createBuffer({
      size: 8 * MOST_QUERIES,
      usage: USAGE.queryResolve | USAGE.copySource,
    })
  }

  /** Begins a pass that is timed, while there are queries left. */
  begin(encoder: GPUCommandEncoder, name: string): GPUComputePassEncoder {
    const first = 2 * this.#names.length
    if (first + 2 > MOST_QUERIES) return encoder.beginComputePass()
    this.#names.push(name)
    return encoder.beginComputePass({
      timestampWrites: {
        querySet: this.#queries,
        beginningOfPassWriteIndex: first,
        endOfPassWriteIndex: first + 1,
      },
    })
  }

  /** Times since the last call. */
  async report(): Promise<PassTimes> {
    const names = this.#names
    this.#names = []
    const times = new Map<string, { milliseconds: number; runs: number }>()
    if (names.length === 0) return times
    const encoder = this.#device.createCommandEncoder()
    encoder.resolveQuerySet(this.#queries, 0, 2 * names.length, this.#ticks, 0)
    this.#device.queue.submit([encoder.finish()])
    const nanoseconds = new BigUint64Array(
      await readBack(this.#device, this.#ticks, 16 * names.length).bytes(),
    )
    names.forEach((name, k) => {
      const { milliseconds, runs } = times.get(name) ?? { milliseconds: 0, runs: 0 }
      const taken = Number(nanoseconds[2 * k + 1]! - nanoseconds[2 * k]!) / 1e6
      times.set(name, { milliseconds: milliseconds + taken, runs: runs + 1 })
    })
    return times
  }

  /** Frees its memory. */
  dispose(): void {
    this.#queries.destroy()
    this.#ticks.destroy()
  }
}
