import { advice, set } from '../../advice.js'
import { HindcastError } from '../../error.js'

/** A GPU that could be used, and what is known about it. */
export interface FoundAdapter {
  readonly adapter: GPUAdapter
  /** As its maker calls it, or its vendor and architecture, where a browser reveals no more. */
  readonly name: string
  /** Whether it is hardware, not software that stands in for a GPU. */
  readonly isHardware: boolean
}

/** The fastest GPU; undefined where there is none. */
export async function findAdapter(gpu: GPU): Promise<FoundAdapter | undefined> {
  const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' })
  return adapter ? { adapter, name: nameOf(adapter.info), isHardware: isHardware(adapter.info) } : undefined
}

/** Software that stands in for a GPU. */
const SOFTWARE = /swiftshader|llvmpipe|lavapipe|softpipe|basic render|\bcpu\b/i

type Info = Pick<GPUAdapterInfo, 'vendor' | 'architecture' | 'device' | 'description' | 'isFallbackAdapter'>

const isHardware = ({ vendor, architecture, device, description, isFallbackAdapter }: Info): boolean =>
  !isFallbackAdapter && !SOFTWARE.test([vendor, architecture, device, description].join(' '))

/** What to call a GPU. Its device has a name of words or, where its maker gave none, a hexadecimal number. */
export function nameOf({ vendor, architecture, device, description }: Info): string {
  const model = device.startsWith('0x') ? '' : device.replaceAll(/^-+|-+$/g, '')
  const name = model || [vendor, architecture].filter(Boolean).join(' ')
  if (!description || description === name) return name || description || 'an unnamed GPU'
  return name ? `${name} (${description})` : description
}

/** What the shaders need of a device besides memory; every WebGPU device but those for old browsers has it. */
const NEEDED = {
  maxStorageBuffersPerShaderStage: 8,
  maxComputeInvocationsPerWorkgroup: 256,
  maxComputeWorkgroupSizeX: 256,
  maxComputeWorkgroupStorageSize: 8192,
  maxDynamicUniformBuffersPerPipelineLayout: 1,
} as const

/** What is requested of a device beyond what every device has: the largest buffers that the adapter allows. */
const LARGEST = ['maxStorageBufferBindingSize', 'maxBufferSize'] as const

/** Keeps adapters as long as their devices: in Node a device may not outlive what it came from. */
const adapters = new WeakMap<GPUDevice, GPUAdapter>()

/** A device of the adapter, with the largest buffers it allows and, where requested and available, its clock. */
export async function openDevice(
  { adapter, name }: FoundAdapter,
  { timestamps = false } = {},
): Promise<GPUDevice> {
  for (const [limit, needed] of Object.entries(NEEDED) as [keyof typeof NEEDED, number][])
    if (adapter.limits[limit] < needed)
      throw new HindcastError(
        'no-device',
        `The GPU ${name} has a limit ${limit} of ${adapter.limits[limit]}; training needs ${needed}.`,
        { remedy: advice`Train on the CPU instead, with ${set('backend', 'wasm')}.` },
      )
  try {
    const device = await adapter.requestDevice({
      requiredLimits: Object.fromEntries(LARGEST.map((limit) => [limit, adapter.limits[limit]])),
      requiredFeatures: timestamps && adapter.features.has('timestamp-query') ? ['timestamp-query'] : [],
    })
    adapters.set(device, adapter)
    return device
  } catch (cause) {
    throw new HindcastError('no-device', `The GPU ${name} cannot be opened: ${String(cause)}`, {
      remedy: advice`Train on the CPU instead, with ${set('backend', 'wasm')}.`,
      cause,
    })
  }
}

/** The adapter of a GPU; an error where there is none. */
export async function requireAdapter(gpu: GPU): Promise<FoundAdapter> {
  const found = await findAdapter(gpu)
  if (found) return found
  throw new HindcastError('no-device', 'WebGPU finds no GPU here.', {
    remedy: advice`Install its Vulkan driver, or train on the CPU with ${set('backend', 'wasm')}.`,
  })
}
