import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { parquetBytes } from '../../log/write/parquet.js'
import { readLogFile } from '../read-log.js'
import { openDuckDbTable } from '../sums/duckdb-sums.js'

// As on a system that neither has binaries for.
const missing = vi.hoisted(() => (name: string) => () => {
  throw new Error(`Cannot find module '${name}'`)
})
vi.mock('@duckdb/node-api', missing('@duckdb/node-api'))
vi.mock('webgpu', missing('webgpu'))

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-lean-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('without DuckDB', () => {
  const text = 'user_id,item_id,reward,propensity\nu,a,1,0.5\nv,b,0,0.25\n'

  it('a log is read from its bytes, and a note says so', async () => {
    const csv = join(folder, 'log.csv')
    const parquet = join(folder, 'log.parquet')
    await writeFile(csv, text)
    const notes: string[] = []
    const read = await readLogFile(csv, { onNote: (note) => notes.push(note) })
    expect(read.log).toMatchObject({ rows: 2, userIds: ['u', 'v'], itemIds: ['a', 'b'] })
    await writeFile(parquet, await parquetBytes(read.log))
    const again = await readLogFile(parquet, { onNote: (note) => notes.push(note) })
    expect(again.log).toEqual(read.log)
    const note =
      'DuckDB is not installed for this system, so Hindcast reads the file itself: the same rows, more slowly.'
    expect(notes).toEqual([note, note])
  })

  it('sums on disk are an error that says what to do', async () => {
    const csv = join(folder, 'sums.csv')
    await writeFile(csv, text)
    await expect(openDuckDbTable(csv, { target: { kind: 'logging' } })).rejects.toMatchObject({
      code: 'bad-option',
      message: `${csv} cannot be summed on disk: DuckDB is not installed for this system.`,
      remedy:
        "Read it into memory with engine: 'memory', or install DuckDB with npm install @duckdb/node-api.",
    })
  })
})

it('without webgpu, a GPU is an error that names the package to install', async () => {
  // A test before may have found one in this process.
  vi.resetModules()
  const { nodeGpu } = await import('../webgpu-device.js')
  await expect(nodeGpu()).rejects.toMatchObject({
    code: 'no-device',
    message: expect.stringContaining('needs the package webgpu') as string,
    remedy: expect.stringMatching(/npm install webgpu@[\d.]+, or train on the CPU/) as string,
  })
})
