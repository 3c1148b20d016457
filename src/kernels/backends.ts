/** Where the inner loops can run. `auto` takes the fastest that is here. */
export const BACKENDS = ['auto', 'wasm', 'webgpu', 'reference'] as const
export type BackendName = (typeof BACKENDS)[number]
