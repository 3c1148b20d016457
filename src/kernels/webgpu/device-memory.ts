import { advice, set } from '../../advice.js'
import { HindcastError } from '../../error.js'
import { formatCount } from '../../number-text.js'

/** What buffers are for, by the numbers of GPUBufferUsage; Node has no such global. */
export const USAGE = {
  mapRead: 0x1,
  copySource: 0x4,
  copyTarget: 0x8,
  uniform: 0x40,
  storage: 0x80,
  queryResolve: 0x200,
} as const

const MAP_READ = 1
const MEBIBYTE = 2 ** 20

/** Watches a device: whether it was lost, or reported an error. */
export interface DeviceWatch {
  /** Throws where the device can no longer be used. */
  check(): void
  /** Waits for work of the device; a failure is reported as what happened to the device. */
  wait<T>(work: Promise<T>): Promise<T>
  /** From now on the device may go. */
  end(): void
}

/** Listens to a device, named for errors. */
export function watchDevice(device: GPUDevice, name: string): DeviceWatch {
  let problem: HindcastError | undefined
  let isOver = false
  const lost = device.lost.then(({ reason, message }) => {
    if (isOver) return
    problem = new HindcastError(
      'device-lost',
      `The GPU ${name} was lost during training (${message || reason}).`,
      {
        remedy: advice`Resume from the last checkpoint (${set('resume')}), on the same GPU or with ${set('backend', 'wasm')}. Smaller batches keep the driver from mistaking the GPU for hung.`,
      },
    )
  })
  const listen = ({ error }: GPUUncapturedErrorEvent): void => {
    problem ??= isMemory(error)
      ? full(name, undefined, error)
      : new HindcastError('device-lost', `The GPU ${name} reported an error: ${error.message}`, {
          remedy: advice`Train on the CPU instead, with ${set('backend', 'wasm')}, and report this as a bug.`,
        })
  }
  device.addEventListener('uncapturederror', listen)
  const check = (): void => {
    if (problem) throw problem
  }
  return {
    check,
    wait: async (work) => {
      try {
        const result = await work
        check()
        return result
      } catch (cause) {
        // What waits for a device fails a moment before the device reports that it is lost.
        await Promise.race([lost, new Promise((resolve) => setTimeout(resolve, 100))])
        check()
        throw cause
      }
    },
    end: () => {
      isOver = true
      device.removeEventListener('uncapturederror', listen)
    },
  }
}

const isMemory = (error: GPUError): boolean => error.constructor.name === 'GPUOutOfMemoryError'

const full = (name: string, bytes: number | undefined, cause: unknown): HindcastError =>
  new HindcastError(
    'device-full',
    bytes === undefined
      ? `The GPU ${name} is out of memory.`
      : `The GPU ${name} does not have the ${formatCount(Math.ceil(bytes / MEBIBYTE))} MiB of free memory that training needs.`,
    {
      remedy: advice`Close other programs that use it, use fewer dimensions (${set('dim')}), or train on the CPU with ${set('backend', 'wasm')}.`,
      cause,
    },
  )

/** Makes the buffers of given sizes, all or none. */
export async function makeBuffers<Name extends string>(
  { device, name }: { device: GPUDevice; name: string },
  bytes: Readonly<Record<Name, number>>,
  usage: number = USAGE.storage | USAGE.copySource | USAGE.copyTarget,
): Promise<Record<Name, GPUBuffer>> {
  device.pushErrorScope('out-of-memory')
  const entries = Object.entries<number>(bytes).map(([label, size]) => [
    label,
    // A binding may not be empty.
    device.createBuffer({ label, size: Math.max(16, size), usage }),
  ])
  const failed = await device.popErrorScope()
  const buffers = Object.fromEntries(entries) as Record<Name, GPUBuffer>
  if (!failed) return buffers
  for (const buffer of Object.values<GPUBuffer>(buffers)) buffer.destroy()
  throw full(
    name,
    Object.values<number>(bytes).reduce((sum, one) => sum + one, 0),
    failed,
  )
}

/** A copy of a buffer that the host can read once the device has got there. */
export interface Readback {
  /** Its bytes; the copy is given back. */
  bytes(): Promise<ArrayBuffer>
  /** Gives the copy back unread. */
  drop(): void
}

/** Copies the first `size` bytes of a buffer, as it is after all work sent so far. */
export function readBack(device: GPUDevice, buffer: GPUBuffer, size: number): Readback {
  const encoder = device.createCommandEncoder()
  const copy = copyOut(device, encoder, buffer, size)
  device.queue.submit([encoder.finish()])
  return copy
}

/** Copies the first `size` bytes of a buffer at the end of the work that is being recorded. */
export function copyOut(
  device: GPUDevice,
  encoder: GPUCommandEncoder,
  buffer: GPUBuffer,
  size: number,
): Readback {
  const copy = device.createBuffer({ label: 'read back', size, usage: USAGE.mapRead | USAGE.copyTarget })
  encoder.copyBufferToBuffer(buffer, 0, copy, 0, size)
  return {
    bytes: async () => {
      await copy.mapAsync(MAP_READ)
      const bytes = copy.getMappedRange().slice(0)
      copy.destroy()
      return bytes
    },
    drop: () => copy.destroy(),
  }
}
