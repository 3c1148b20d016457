import { SHAPE_FIELDS } from './layout.js'
import { STEP } from './step-block.js'

/** What the elements of the buffers are, by the name that shaders know them by. */
const ELEMENTS = {
  graph: 'u32',
  before: 'vec4f',
  after: 'vec4f',
  scaled: 'vec4f',
  embeddings: 'vec4f',
  mean: 'vec4f',
  square: 'vec4f',
  finals: 'vec4f',
  marks: 'u32',
  blocks: 'u32',
  batchFinals: 'vec4f',
  slopes: 'vec4f',
  coefficients: 'f32',
  losses: 'f32',
  told: 'vec4f',
  asked: 'u32',
  scores: 'u32',
  excluded: 'u32',
  ranked: 'u32',
  failed: 'atomic<u32>',
} as const
export type ShaderBuffer = keyof typeof ELEMENTS

/**
 * A compute shader: which buffers it reads and writes, and its program, whose entrance is `main`. Sizes come to it
 * in uniforms, so that one program serves all settings.
 */
export interface Shader {
  readonly name: string
  readonly buffers: Partial<Record<ShaderBuffer, 'read' | 'read_write'>>
  readonly code: string
}

/** WGSL of an entrance: `group` is the number of the workgroup, `thread` that of the invocation within it. */
export const ENTRANCE = /* wgsl */ `
@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let group = id.x + id.y * groups.x;
`

const UNIFORMS = /* wgsl */ `
${STEP}
struct Shape { ${SHAPE_FIELDS.map((field) => `${field}: ${field === 'share' ? 'f32' : 'u32'},`).join(' ')} }
@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<uniform> shape: Shape;
`

/** A shader ready to run, and the buffers it wants in group 1. */
export interface Program {
  readonly name: string
  readonly pipeline: GPUComputePipeline
  bind(buffers: Partial<Record<ShaderBuffer, GPUBuffer>>): GPUBindGroup
}

/** Compiles shaders for a device; all of them share the group of uniforms. */
export interface Compiler {
  readonly uniforms: GPUBindGroupLayout
  compile(shader: Shader): Promise<Program>
}

const compilers = new WeakMap<GPUDevice, Compiler>()

/** The compiler of a device; what it has compiled once serves every kernel on the device. */
export function compilerOf(device: GPUDevice): Compiler {
  const known = compilers.get(device)
  if (known) return known
  const uniforms = device.createBindGroupLayout({
    entries: [
      { binding: 0, visibility: COMPUTE_STAGE, buffer: { type: 'uniform', hasDynamicOffset: true } },
      { binding: 1, visibility: COMPUTE_STAGE, buffer: { type: 'uniform' } },
    ],
  })
  const programs = new Map<string, Promise<Program>>()
  const compiler: Compiler = {
    uniforms,
    compile: (shader) => {
      const program = programs.get(shader.code) ?? compile(device, uniforms, shader)
      programs.set(shader.code, program)
      return program
    },
  }
  compilers.set(device, compiler)
  return compiler
}

async function compile(
  device: GPUDevice,
  uniforms: GPUBindGroupLayout,
  { name, buffers, code }: Shader,
): Promise<Program> {
  const names = Object.keys(buffers) as ShaderBuffer[]
  const layout = device.createBindGroupLayout({
    entries: names.map((buffer, binding) => ({
      binding,
      visibility: COMPUTE_STAGE,
      buffer: { type: buffers[buffer] === 'read' ? 'read-only-storage' : 'storage' },
    })),
  })
  const declared = names.map(
    (buffer, binding) =>
      `@group(1) @binding(${binding}) var<storage, ${buffers[buffer]}> ${buffer}: array<${ELEMENTS[buffer]}>;`,
  )
  const module = device.createShaderModule({ label: name, code: [UNIFORMS, ...declared, code].join('\n') })
  const pipeline = await device.createComputePipelineAsync({
    label: name,
    layout: device.createPipelineLayout({ bindGroupLayouts: [uniforms, layout] }),
    compute: { module, entryPoint: 'main' },
  })
  return {
    name,
    pipeline,
    bind: (given) =>
      device.createBindGroup({
        layout,
        entries: names.map((buffer, binding) => ({ binding, resource: { buffer: given[buffer]! } })),
      }),
  }
}

/** GPUShaderStage.COMPUTE; Node has no such global. */
const COMPUTE_STAGE = 4

/** Workgroups in a row; more of them go into further rows. */
const MOST_IN_A_ROW = 65_535

/** How many workgroups to send in x and in y. A few may be too many: shaders take those beyond for nothing. */
export function dispatchOf(workgroups: number): [number, number] {
  const rows = Math.max(1, Math.ceil(workgroups / MOST_IN_A_ROW))
  return [Math.ceil(workgroups / rows), rows]
}

/** WGSL of a function that puts together what the lanes of a sample have; lane 0 gets it. */
export const overLanes = ({ name, type, array, together }: Record<string, string>): string => /* wgsl */ `
fn ${name}(own: ${type}, thread: u32, lane: u32) -> ${type} {
  var all = own;
  let slice = thread >> shape.laneBits;
  for (var half = (1u << shape.laneBits) / 2u; half > 0u; half /= 2u) {
    let place = slice * half + lane;
    if (lane >= half && lane < 2u * half) { ${array}[place - half] = all; }
    workgroupBarrier();
    if (lane < half) { all = ${together}; }
    workgroupBarrier();
  }
  return all;
}`
