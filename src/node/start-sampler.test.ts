import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Batch } from '../kernels/kernel.js'
import { batchesAhead, batchesInTurn, type BatchSource } from '../train/batches-ahead.js'
import { exampleSplit, planOf } from '../train/example-split.js'
import { startNodeSampler } from './sample-ahead.js'

const WEBGPU = { backend: 'webgpu' } as const
const plan = planOf(exampleSplit().train, { loss: 'softmax', drawn: 4, batch: 32, epochs: 4 })

let folder: string
let program: URL
// A worker runs JavaScript, so the module is built here.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-sampler-'))
  const outfile = join(folder, 'sampler-thread.mjs')
  await build({
    entryPoints: [fileURLToPath(new URL('sampler-thread.ts', import.meta.url))],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
  })
  program = pathToFileURL(outfile)
})
afterAll(() => rm(folder, { recursive: true }))

/** The batches of an epoch without their numbered nodes, copied. */
async function copies(source: BatchSource, epoch: number): Promise<Batch[]> {
  const batches: Batch[] = []
  for await (const { compact: _, ...batch } of source.epoch(epoch)) batches.push(structuredClone(batch))
  return batches
}

describe('worker threads of Node', () => {
  it.each([1, 2, 3])('draw the same batches as the main thread, with %i of them', async (samplers) => {
    const inTurn = batchesInTurn(plan, WEBGPU)
    const ahead = batchesAhead({ startSampler: startNodeSampler(program), samplers })(plan, WEBGPU)
    for (const epoch of [1, 2, 3, 4]) expect(await copies(ahead, epoch)).toEqual(await copies(inTurn, epoch))
    await ahead.dispose()
  })

  it('can be stopped in the middle of an epoch', async () => {
    const ahead = batchesAhead({ startSampler: startNodeSampler(program) })(plan, WEBGPU)
    for await (const _ of ahead.epoch(1)) break
    await ahead.dispose()
  })

  it('are an error if they do not start', async () => {
    const missing = new URL('no-such-module.mjs', program)
    const ahead = batchesAhead({ startSampler: startNodeSampler(missing) })(plan, WEBGPU)
    await expect(copies(ahead, 1)).rejects.toMatchObject({
      message: 'A thread that draws batches stopped unexpectedly.',
      cause: { message: expect.stringContaining('no-such-module.mjs') },
    })
    await ahead.dispose()
  })
})
