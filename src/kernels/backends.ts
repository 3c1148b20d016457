/** Where the inner loops can run. `auto` picks the fastest available. */
export const BACKENDS = ['auto', 'wasm', 'webgpu', 'reference'] as const
export type BackendName = (typeof BACKENDS)[number]
