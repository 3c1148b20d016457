import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { memoryShareOf } from './memory-share.js'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-share-'))
})
afterAll(() => rm(folder, { recursive: true }))

it('reckons with what a file becomes in memory: packed ones grow the most', async () => {
  for (const [name, share] of [
    ['log.csv', 0.002],
    ['log.parquet', 0.008],
    ['log.csv.gz', 0.01],
  ] as const) {
    await writeFile(join(folder, name), new Uint8Array(1000))
    expect(await memoryShareOf(join(folder, name), 1e6)).toBeCloseTo(share, 12)
  }
})

it('does not know standard input, a folder, or what is not there', async () => {
  for (const path of ['-', folder, join(folder, 'nothing.csv')])
    expect(await memoryShareOf(path, 1e6)).toBeUndefined()
})
