import type { KernelSettings } from '../kernel.js'
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
