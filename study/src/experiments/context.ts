import type { Kernel, KernelSettings } from 'hindcast/train'

/** What a step of the study may use besides its settings; none of it changes a result. */
export interface StepContext {
  readonly signal?: AbortSignal
  /** Told the share of the step that is done. */
  readonly progress?: (share: number) => void
  /** Makes the kernels of training; default WebAssembly on one thread. */
  readonly makeKernel?: (settings: KernelSettings) => Promise<Kernel>
}
