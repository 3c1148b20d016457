import { appendFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readLogFile } from './read-log.js'
import { openDuckDbTable } from './sums/duckdb-sums.js'
import { unchangedCheck } from './file-input.js'

const ROWS = Array.from({ length: 5000 }, (_, k) => `u${k % 50},i${k % 7},${k % 2},0.2`)
const LOG = `user_id,item_id,reward,propensity\n${ROWS.join('\n')}\n`

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-changed-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** A log that something happens to as soon as reading makes progress. */
async function whileRead(name: string, happens: (path: string) => void): Promise<unknown> {
  const path = join(folder, name)
  await writeFile(path, name.endsWith('.gz') ? gzipSync(LOG) : LOG)
  let isDone = false
  const progress = (): void => {
    if (!isDone) happens(path)
    isDone = true
  }
  const reading = await readLogFile(path, { progress }).then(
    () => 'read',
    (error: Error) => error.message,
  )
  expect(isDone).toBe(true)
  return reading
}

describe('a log that changes while it is read', () => {
  const row = 'u1,i1,1,0.2\n'

  it.each(['log.csv', 'log.csv.gz'])('is noticed if it grows: %s', async (name) => {
    const message = await whileRead(name, (path) => appendFileSync(path, row))
    expect(message).toMatch(/log\.csv.* changed while it was read: it had [\d,]+ bytes and has [\d,]+\.$/)
  })

  it('is noticed if it is replaced, written to or gone', async () => {
    const other = join(folder, 'other.csv')
    writeFileSync(other, LOG)
    expect(await whileRead('replaced.csv', (path) => renameSync(other, path))).toMatch(
      'replaced.csv changed while it was read: it was written to or replaced.',
    )
    expect(await whileRead('written.csv', (path) => writeFileSync(path, LOG))).toMatch('it was written to')
    expect(await whileRead('gone.csv', (path) => rmSync(path))).toMatch('it is gone.')
  })

  it('is noticed between two sums on disk', async () => {
    const path = join(folder, 'summed.csv')
    await writeFile(path, LOG)
    const { engine, table, dispose } = await openDuckDbTable(path, { target: { kind: 'logging' } })
    try {
      const query = `SELECT count(*) FROM ${table.relation.from}`
      expect(await engine.numbers(query)).toEqual([[5000]])
      appendFileSync(path, row)
      await expect(engine.numbers(query)).rejects.toThrow('changed while it was read')
    } finally {
      dispose()
    }
  })

  it('is compared by size, time and inode; a pipe or a device is not', async () => {
    const path = join(folder, 'same.csv')
    await writeFile(path, LOG)
    const check = await unchangedCheck(path, 'same.csv')
    await check()
    await utimes(path, 1, 1)
    await expect(check()).rejects.toMatchObject({ code: 'bad-file' })
    await (
      await unchangedCheck('/dev/null', 'nothing')
    )()
  })
})
