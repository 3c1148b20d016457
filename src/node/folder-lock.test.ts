import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { toyWorld } from '../world/toy.js'
import { LOCK_FILE, lockFolder } from './folder-lock.js'
import { trainInFolder } from './train-in-folder.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-lock-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** The lock of this process, with some of it changed. */
async function plant(change: Record<string, unknown>): Promise<void> {
  const path = join(folder, LOCK_FILE)
  const release = await lockFolder(folder, 'training')
  const own = JSON.parse(await readFile(path, 'utf8')) as object
  await release()
  await writeFile(path, JSON.stringify({ ...own, ...change }))
}

/** The number of a process that has ended. */
const ended = (): Promise<number> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' })
    child.once('close', () => resolve(child.pid!))
  })

describe('the lock of a folder', () => {
  it('keeps a second one out, names who has it, and leaves nothing behind', async () => {
    const release = await lockFolder(folder, 'training')
    await expect(lockFolder(folder, 'training')).rejects.toMatchObject({
      code: 'bad-option',
      message: expect.stringContaining(
        `is in use by another training: process ${process.pid} on ${hostname()}, since 20`,
      ) as string,
    })
    await release()
    expect(await readdir(folder)).toEqual([])
    await (
      await lockFolder(folder, 'training')
    )()
  })

  it('is given to one of many that ask at once', async () => {
    const asked = await Promise.allSettled(Array.from({ length: 20 }, () => lockFolder(folder, 'training')))
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it.each<[string, () => Promise<Record<string, unknown>>]>([
    ['a process that has ended', async () => ({ pid: await ended() })],
    ['an earlier boot', async () => ({ boot: 'another' })],
    ['a process whose number was used again', async () => ({ pid: process.ppid, began: '1' })],
  ])('of %s is stale', async (_, change) => {
    await plant(await change())
    await (
      await lockFolder(folder, 'training')
    )()
  })

  it('of another machine or container cannot be checked, and stays', async () => {
    for (const change of [{ host: 'elsewhere' }, { namespace: 'pid:[1]', pid: await ended() }]) {
      await plant(change)
      await expect(lockFolder(folder, 'training')).rejects.toMatchObject({ code: 'bad-option' })
      await rm(join(folder, LOCK_FILE))
    }
  })

  it('that cannot be read is stale when it is old', async () => {
    const path = join(folder, LOCK_FILE)
    await writeFile(path, '{"pid":')
    await expect(lockFolder(folder, 'training')).rejects.toMatchObject({ code: 'bad-option' })
    await utimes(path, 0, 0)
    await (
      await lockFolder(folder, 'training')
    )()
  })

  it('taken over by another in the meantime is not removed by the first', async () => {
    const release = await lockFolder(folder, 'training')
    const path = join(folder, LOCK_FILE)
    await writeFile(path, (await readFile(path, 'utf8')).replace(/"token":"[^"]+"/, '"token":"other"'))
    await release()
    expect(await readFile(path, 'utf8')).toContain('"other"')
  })

  it('is taken by a training, which touches nothing in a folder of another', async () => {
    const log = toyWorld({ seed: 1, users: 20, items: 8 }).draw()
    const choices = { settings: { epochs: 1, dim: 2 } }
    const release = await lockFolder(folder, 'training')
    await expect(
      trainInFolder(folder, log, choices, { backend: 'reference', overwrite: true }),
    ).rejects.toThrow('is in use by another training')
    expect(await readdir(folder)).toEqual([LOCK_FILE])
    await release()
    let during: string[] = []
    await trainInFolder(folder, log, choices, {
      backend: 'reference',
      onEpoch: () => void (during = readdirSync(folder)),
    })
    expect(during).toContain(LOCK_FILE)
    expect(await readdir(folder)).not.toContain(LOCK_FILE)
  })
})
