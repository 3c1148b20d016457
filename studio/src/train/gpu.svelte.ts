import { findAdapter } from '$core/kernels/webgpu/adapter.js'

/** The graphics processor that the page can compute on. */
export const gpu: {
  /** `unknown` until the search ends. */
  state: 'unknown' | 'found' | 'missing'
  name: string
  /** Whether it is hardware, not software in its place. */
  isHardware: boolean
} = $state({ state: 'unknown', name: '', isHardware: false })

let search: Promise<void> | undefined

/** Looks for it once. */
export function lookForGpu(): Promise<void> {
  search ??= find()
  return search
}

async function find(): Promise<void> {
  // The types promise it everywhere; browsers offer it only in secure contexts.
  const api = navigator.gpu as GPU | undefined
  const found = await (api && findAdapter(api).catch(() => undefined))
  Object.assign(
    gpu,
    found ? { state: 'found', name: found.name, isHardware: found.isHardware } : { state: 'missing' },
  )
}
