import type { Machine } from '../../train/orders.js'
import { usualThreads } from '../../train/turns.js'
import type { Form } from './form-defaults.js'

/** What the browser reports about the machine. */
export const cores = navigator.hardwareConcurrency
/** Whether threads may share memory here. */
export const isIsolated = crossOriginIsolated

/** The backend that the form asks for. */
export const backendOf = ({ backend }: Form): Machine['backend'] =>
  (['auto', 'wasm', 'webgpu'] as const).find((name) => name === backend) ?? 'auto'

/** The threads that the form asks for, at most as many as are available here. */
export const threadsOf = ({ threads }: Form): number =>
  threads > 0 ? Math.min(threads, isIsolated ? cores : 1) : usualThreads(cores, isIsolated)
