import { describe, expect, it } from 'vitest'
import { findAdapter, openDevice, requireAdapter } from './adapter.js'

const LIMITS = {
  maxStorageBuffersPerShaderStage: 10,
  maxComputeInvocationsPerWorkgroup: 1024,
  maxComputeWorkgroupSizeX: 1024,
  maxComputeWorkgroupStorageSize: 49_152,
  maxDynamicUniformBuffersPerPipelineLayout: 8,
  maxStorageBufferBindingSize: 2 ** 31,
  maxBufferSize: 2 ** 32,
}

interface Asked {
  requiredLimits: Record<string, number>
  requiredFeatures: string[]
}

/** A GPU that says what it is told to, and notes what is asked of it. */
function gpuOf(
  info: Partial<GPUAdapterInfo>,
  { limits = {}, features = [] as string[], fails = false } = {},
): { gpu: GPU; asked: Asked[] } {
  const asked: Asked[] = []
  const adapter = {
    info: { vendor: '', architecture: '', device: '', description: '', isFallbackAdapter: false, ...info },
    limits: { ...LIMITS, ...limits },
    features: new Set(features),
    requestDevice: async (descriptor: Asked) => {
      if (fails) throw new Error('the driver is gone')
      asked.push(descriptor)
      return {}
    },
  }
  return { gpu: { requestAdapter: async () => adapter } as unknown as GPU, asked }
}

describe('findAdapter', () => {
  it.each([
    [
      { vendor: 'nvidia', architecture: 'hopper', device: 'nvidia-h200', description: 'NVIDIA driver 580' },
      'nvidia-h200 (NVIDIA driver 580)',
    ],
    [{ vendor: 'apple', architecture: 'metal-3' }, 'apple metal-3'],
    [{ vendor: 'intel', architecture: 'xe', device: '0x9a49' }, 'intel xe'],
    [{ vendor: 'amd', description: 'AMD Radeon' }, 'amd (AMD Radeon)'],
    [{ description: 'Some card' }, 'Some card'],
    [{}, 'an unnamed GPU'],
  ])('names hardware as well as it can: %o', async (info, name) => {
    expect(await findAdapter(gpuOf(info).gpu)).toMatchObject({ name, isHardware: true })
  })

  it.each([
    { vendor: 'google', architecture: 'swiftshader' },
    { vendor: 'mesa', device: 'llvmpipe-llvm-19-1-7-256-bits-' },
    { description: 'Microsoft Basic Render Driver' },
    { vendor: 'intel', architecture: 'cpu' },
    { vendor: 'nvidia', isFallbackAdapter: true },
  ])('knows software from hardware: %o', async (info) => {
    expect(await findAdapter(gpuOf(info).gpu)).toMatchObject({ isHardware: false })
  })

  it('finds nothing where there is nothing, which is an error where one is required', async () => {
    const gpu = { requestAdapter: async () => null } as unknown as GPU
    expect(await findAdapter(gpu)).toBeUndefined()
    await expect(requireAdapter(gpu)).rejects.toMatchObject({ code: 'no-device', remedy: /wasm/ })
  })
})

describe('openDevice', () => {
  it('asks for the largest buffers, and for the clock where it is wanted and there', async () => {
    const { gpu, asked } = gpuOf({}, { features: ['timestamp-query'] })
    const found = await requireAdapter(gpu)
    await openDevice(found)
    await openDevice(found, { timestamps: true })
    expect(asked[0]).toEqual({
      requiredLimits: { maxStorageBufferBindingSize: 2 ** 31, maxBufferSize: 2 ** 32 },
      requiredFeatures: [],
    })
    expect(asked[1]!.requiredFeatures).toEqual(['timestamp-query'])
    const without = gpuOf({})
    await openDevice(await requireAdapter(without.gpu), { timestamps: true })
    expect(without.asked[0]!.requiredFeatures).toEqual([])
  })

  it('says which limit of which adapter is too low', async () => {
    const { gpu } = gpuOf(
      { vendor: 'old', architecture: 'card' },
      { limits: { maxStorageBuffersPerShaderStage: 4 } },
    )
    await expect(openDevice(await requireAdapter(gpu))).rejects.toMatchObject({
      code: 'no-device',
      message: 'The GPU old card has a limit maxStorageBuffersPerShaderStage of 4; training needs 8.',
    })
  })

  it('passes on why a device does not open', async () => {
    const { gpu } = gpuOf({ vendor: 'broken' }, { fails: true })
    await expect(openDevice(await requireAdapter(gpu))).rejects.toMatchObject({
      code: 'no-device',
      message: expect.stringContaining('the driver is gone'),
    })
  })
})
