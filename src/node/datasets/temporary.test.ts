import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { requireSpace } from './remedy.js'
import { sweepTemporary, temporaryBeside } from './temporary.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'hindcast-temporary-'))
})
afterEach(() => rm(folder, { recursive: true }))

describe('sweepTemporary', () => {
  it('removes what was abandoned a day ago and leaves everything else alone', async () => {
    const abandoned = temporaryBeside(path.join(folder, 'ml-100k'))
    const underWay = temporaryBeside(path.join(folder, 'ml-100k'))
    const foreign = path.join(folder, 'notes.part')
    await mkdir(abandoned)
    await writeFile(underWay, '')
    await writeFile(foreign, '')
    const old = new Date(Date.now() - 25 * 60 * 60 * 1000)
    await utimes(abandoned, old, old)
    await utimes(foreign, old, old)
    await sweepTemporary(folder)
    expect(new Set(await readdir(folder))).toEqual(new Set([path.basename(underWay), 'notes.part']))
  })
})

describe('requireSpace', () => {
  it('says how much is free and how much is needed', async () => {
    await requireSpace(folder, 0)
    await expect(requireSpace(folder, 1e18)).rejects.toMatchObject({
      code: 'write-failed',
      message: expect.stringMatching(/free, but .* TB are needed/),
      remedy: expect.stringContaining('HINDCAST_CACHE'),
    })
  })
})
