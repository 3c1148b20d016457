import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Kernel, KernelSettings } from '../src/kernels/kernel.js'
import { wasmKernel } from '../src/kernels/wasm/wasm-kernel.js'
import { openDevice, requireAdapter } from '../src/kernels/webgpu/adapter.js'
import {
  softwareDevice,
  softwareEnvironment,
  softwareGpu,
  withoutSoftwareGpu,
} from '../src/kernels/webgpu/example-gpu.js'
import { webgpuKernel } from '../src/kernels/webgpu/webgpu-kernel.js'
import type { Checkpoint } from '../src/train/checkpoint.js'
import { exampleSplit, SMALL } from '../src/train/example-split.js'
import { train, type TrainOptions } from '../src/train/train.js'
import { hindcast, hindcastProcess } from './hindcast.js'

vi.setConfig({ testTimeout: 120_000 })
if (withoutSoftwareGpu) console.log(`Training by WebGPU is not tested here: ${withoutSoftwareGpu}.`)

type MakeKernel = NonNullable<TrainOptions['kernel']>
const split = exampleSplit()
const bySoftware: MakeKernel = async (settings) => webgpuKernel(settings, { device: await softwareDevice() })

/** A training, with the words of all batches that its kernel was given. */
async function trainingBy(make: MakeKernel, chosen = {}) {
  const given: number[] = []
  const listening = async (settings: KernelSettings): Promise<Kernel> => {
    const kernel = await make(settings)
    const { step } = kernel
    kernel.step = (batch) => {
      given.push(batch.users.length, ...batch.users, ...batch.items, ...batch.weights)
      step.call(kernel, batch)
    }
    return kernel
  }
  const kept: Checkpoint[] = []
  const { training, model } = await train(
    split,
    { ...SMALL, ...chosen },
    {
      kernel: listening,
      keep: async (checkpoint) => void kept.push(checkpoint),
    },
  )
  return { training, model, given, kept }
}

describe.skipIf(withoutSoftwareGpu)('training by WebGPU', () => {
  let ours: Awaited<ReturnType<typeof trainingBy>>
  let theirs: typeof ours
  beforeAll(async () => {
    ours = await trainingBy(bySoftware)
    theirs = await trainingBy(wasmKernel)
  }, 120_000)

  it('is given the batches that WebAssembly is, and has its losses', () => {
    expect(ours.given).toEqual(theirs.given)
    ours.training.epochs.forEach(({ loss, ndcg, snips }, k) => {
      const expected = theirs.training.epochs[k]!
      expect(Math.abs(loss - expected.loss)).toBeLessThan(1e-4)
      expect(Math.abs(ndcg! - expected.ndcg!)).toBeLessThan(0.02)
      expect(Math.abs(snips!.value! - expected.snips!.value!)).toBeLessThan(1e-3)
    })
    expect(ours.training.epochs).toHaveLength(SMALL.epochs!)
  })

  it('gives the same bits every time, at one go or resumed', async () => {
    const again = await trainingBy(bySoftware)
    expect(again.model.initial).toEqual(ours.model.initial)
    expect(again.model.final).toEqual(ours.model.final)
    const resumed = await train(split, SMALL, { kernel: bySoftware, resume: ours.kept[1]! })
    expect(resumed.model.initial).toEqual(ours.model.initial)
  })

  it('goes on where another backend stopped', async () => {
    const { training } = await train(split, SMALL, { kernel: bySoftware, resume: theirs.kept[1]! })
    training.epochs.forEach(({ loss }, k) =>
      expect(Math.abs(loss - theirs.training.epochs[k]!.loss)).toBeLessThan(1e-4),
    )
    expect(training.epochs).toHaveLength(SMALL.epochs!)
  })

  it('that loses its device says so, and its checkpoint goes on elsewhere', async () => {
    const device = await openDevice(await requireAdapter(await softwareGpu()))
    const kept: Checkpoint[] = []
    const settings = { ...SMALL, model: 'mf' } as const
    const lost = train(split, settings, {
      kernel: (made) => webgpuKernel(made, { device }),
      keep: async (checkpoint) => {
        kept.push(checkpoint)
        if (checkpoint.epoch === 2) device.destroy()
      },
    })
    await expect(lost).rejects.toMatchObject({
      code: 'device-lost',
      remedy: expect.stringContaining('resume'),
    })
    expect(kept.at(-1)!.epoch).toBe(2)
    const { training } = await train(split, settings, { resume: kept.at(-1)! })
    expect(training.epochs.map(({ epoch }) => epoch)).toEqual([1, 2, 3, 4])
  })
})

describe('hindcast train --backend webgpu', () => {
  const LINE = 'train tastes.csv --model mf --epochs 1 --dim 8 --batch 256 --no-baselines --backend webgpu'

  it.skipIf(withoutSoftwareGpu)(
    'names the GPU it trains on, and is refused where there is none',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'hindcast-webgpu-'))
      const run = (line: string, env = {}) => hindcastProcess(line.split(' '), { cwd: folder, env })
      const simulate = 'simulate tastes --users 60 --items 40 --exposures 40 --seed 2 --out tastes.csv'
      await hindcast(simulate.split(' '), { cwd: folder })
      const trained = await run(`${LINE} --out model`, softwareEnvironment())
      expect(trained.stderr).toMatch(/Training on GPU: swiftshader/)
      expect(trained.code).toBe(0)
      const refused = await run(`${LINE} --out none`, { VK_ICD_FILENAMES: '/nowhere', LD_LIBRARY_PATH: '' })
      expect(refused.code).toBe(2)
      expect(refused.stderr).toMatch(/finds no GPU here[\s\S]*--backend wasm/)
      await rm(folder, { recursive: true })
    },
  )
})
