import { badOption, type ErrorCode, HindcastError } from '../error.js'
import type { BackendName } from './backends.js'
import type { Kernel, KernelSettings } from './kernel.js'
import { wasmKernel, type WasmOptions } from './wasm/wasm-kernel.js'

export interface KernelOptions extends WasmOptions {
  /** WebGPU, or how to get it; default `navigator.gpu`, if there is one. */
  gpu?: GPU | (() => Promise<GPU | undefined>)
  /** Called with a sentence saying why `auto` does not use the GPU that is present. */
  onNote?: (note: string) => void
}

/** Below this many clicks a GPU takes longer to start than WebAssembly takes to train. */
const LEAST_CLICKS = 20_000

/**
 * Makes the kernel of a backend; another backend adds its line here and to the conformance suite. `auto` takes a
 * GPU that is real hardware, where the graph is worth it and fits, else WebAssembly; `webgpu` takes any, also
 * one that is made of software.
 */
export async function createKernel(
  backend: BackendName,
  settings: KernelSettings,
  options: KernelOptions = {},
): Promise<Kernel> {
  if (backend === 'reference') return (await import('./reference.js')).referenceKernel(settings)
  if (backend === 'webgpu') {
    const gpu = await gpuOf(options)
    return (await import('./webgpu/webgpu-kernel.js')).webgpuKernel(settings, { ...(gpu && { gpu }) })
  }
  const onGpu = backend === 'auto' ? await hardwareKernel(settings, options) : undefined
  if (onGpu) return onGpu
  if (typeof WebAssembly === 'undefined')
    throw badOption(
      'WebAssembly is not available here.',
      'Use a newer browser, or the slower backend reference.',
    )
  return wasmKernel(settings, options)
}

/** What may be wrong with a GPU: then the processor does the work. */
const OF_DEVICES: readonly ErrorCode[] = ['no-device', 'device-full', 'device-lost']

/** The kernel on a GPU; undefined where there is none, or none that can do the work. */
async function hardwareKernel(settings: KernelSettings, options: KernelOptions): Promise<Kernel | undefined> {
  if (settings.graph.edges < LEAST_CLICKS) return undefined
  try {
    const gpu = await gpuOf(options)
    if (!gpu) return undefined
    const { requireAdapter } = await import('./webgpu/adapter.js')
    const adapter = await requireAdapter(gpu)
    if (!adapter.isHardware) return undefined
    return await (await import('./webgpu/webgpu-kernel.js')).webgpuKernel(settings, { adapter })
  } catch (error) {
    if (!(error instanceof HindcastError && OF_DEVICES.includes(error.code))) throw error
    options.onNote?.(`Training on the CPU: ${error.message}`)
    return undefined
  }
}

const gpuOf = async ({ gpu }: KernelOptions): Promise<GPU | undefined> =>
  typeof gpu === 'function' ? gpu() : (gpu ?? (globalThis as { navigator?: { gpu?: GPU } }).navigator?.gpu)
