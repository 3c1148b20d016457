import { HindcastError } from '../error.js'
import type { Kernel, KernelSettings } from './kernel.js'
import type { WasmOptions } from './wasm/wasm-kernel.js'

/** Where the inner loops can run. `auto` takes the fastest that is here. */
export const BACKENDS = ['auto', 'wasm', 'reference'] as const
export type BackendName = (typeof BACKENDS)[number]

/** Makes the kernel of a backend; another backend adds its line here and to the conformance suite. */
export async function createKernel(
  backend: BackendName,
  settings: KernelSettings,
  options: WasmOptions = {},
): Promise<Kernel> {
  if (backend === 'reference') return (await import('./reference.js')).referenceKernel(settings)
  if (typeof WebAssembly === 'undefined')
    throw new HindcastError('bad-option', 'There is no WebAssembly here.', {
      remedy: 'Use a newer browser, or the slow backend reference.',
    })
  return (await import('./wasm/wasm-kernel.js')).wasmKernel(settings, options)
}
