import { describe, expect, it } from 'vitest'
import { makeBuffers, watchDevice } from './device-memory.js'

class GPUOutOfMemoryError {
  readonly message = 'no memory'
}
class GPUValidationError {
  readonly message = 'binding 3 is missing'
}

/** A device that can be made to fail. */
function brittleDevice({ isFull = false } = {}) {
  const made: { size: number; isDestroyed: boolean }[] = []
  let lose: (info: { reason: string; message: string }) => void = () => {}
  let listener: ((event: { error: unknown }) => void) | undefined
  const device = {
    lost: new Promise((resolve) => (lose = resolve)),
    addEventListener: (_: string, listen: typeof listener) => (listener = listen),
    removeEventListener: () => (listener = undefined),
    pushErrorScope: () => {},
    popErrorScope: async () => (isFull ? new GPUOutOfMemoryError() : null),
    createBuffer: ({ size }: { size: number }) => {
      const buffer = { size, isDestroyed: false, destroy: () => (buffer.isDestroyed = true) }
      made.push(buffer)
      return buffer
    },
  }
  return {
    device: device as unknown as GPUDevice,
    made,
    lose: (message: string) => lose({ reason: 'unknown', message }),
    complain: (error: unknown) => listener?.({ error }),
  }
}

describe('makeBuffers', () => {
  it('makes all of them, none of them empty', async () => {
    const { device } = brittleDevice()
    const { table, nothing } = await makeBuffers({ device, name: 'card' }, { table: 4096, nothing: 0 })
    expect([table.size, nothing.size]).toEqual([4096, 16])
  })

  it('frees what it got where not everything fits, and says how much was needed', async () => {
    const { device, made } = brittleDevice({ isFull: true })
    await expect(
      makeBuffers({ device, name: 'card' }, { one: 2 ** 30, other: 2 ** 29 }),
    ).rejects.toMatchObject({
      code: 'device-full',
      message: 'The GPU card does not have the 1,536 MiB of free memory that training needs.',
    })
    expect(made.every(({ isDestroyed }) => isDestroyed)).toBe(true)
  })
})

describe('watchDevice', () => {
  it('reports failed work as the loss of the device, which comes a moment later', async () => {
    const { device, lose } = brittleDevice()
    const watch = watchDevice(device, 'card')
    watch.check()
    const work = watch.wait(Promise.reject(new Error('aborted')))
    lose('the driver was reset')
    await expect(work).rejects.toMatchObject({
      code: 'device-lost',
      message: 'The GPU card was lost during training (the driver was reset).',
    })
    expect(() => watch.check()).toThrow('was lost')
  })

  it('passes on a failure that has nothing to do with the device', async () => {
    const watch = watchDevice(brittleDevice().device, 'card')
    await expect(watch.wait(Promise.reject(new Error('something else')))).rejects.toThrow('something else')
  })

  it('tells memory that ran out from work that was refused', async () => {
    const full = brittleDevice()
    const watch = watchDevice(full.device, 'card')
    full.complain(new GPUOutOfMemoryError())
    await expect(watch.wait(Promise.resolve(1))).rejects.toMatchObject({ code: 'device-full' })
    const wrong = brittleDevice()
    const other = watchDevice(wrong.device, 'card')
    wrong.complain(new GPUValidationError())
    expect(() => other.check()).toThrow('binding 3 is missing')
  })

  it('lets a device go that is no longer needed', async () => {
    const { device, lose, complain } = brittleDevice()
    const watch = watchDevice(device, 'card')
    watch.end()
    lose('destroyed')
    complain(new GPUValidationError())
    await Promise.resolve()
    expect(() => watch.check()).not.toThrow()
  })
})
