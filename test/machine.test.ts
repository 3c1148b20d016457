import { spawn } from 'node:child_process'
import { existsSync, openSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hindcast, hindcastProcess, program } from './hindcast.js'

const ROWS = Array.from({ length: 60 }, (_, k) => `u${k % 12},i${k % 5},${k % 3 === 0 ? 1 : 0},0.2`)
const LONG = 'x'.repeat(300)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-machine-'))
  await writeFile(join(folder, 'log.csv'), `user_id,item_id,reward,propensity\n${ROWS.join('\n')}\n`)
})
afterAll(() => rm(folder, { recursive: true }))

/** What the command line says where something is wrong with the machine, and its exit code. */
async function said(args: readonly string[], env: Record<string, string> = {}): Promise<[number, string]> {
  const { code, stderr } = await hindcastProcess(args, { cwd: folder, env })
  return [code, stderr]
}

describe('a machine that is not as it should be', () => {
  it.runIf(existsSync('/dev/full')).each(['describe log.csv', 'describe log.csv --json -'])(
    'a full disk behind standard output is an error: %s',
    async (typed) => {
      const child = spawn(process.execPath, [program, ...typed.split(' ')], {
        cwd: folder,
        stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
      })
      let stderr = ''
      child.stderr!.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
      expect(await new Promise((resolve) => child.once('close', resolve))).toBe(2)
      expect(stderr).toBe('hindcast: Standard output could not be written: the disk is full.\n')
    },
  )

  it.runIf(existsSync('/dev/full'))('a full disk behind a report is one', async () => {
    expect(await said(['describe', 'log.csv', '--report', '/dev/full'])).toEqual([
      2,
      'hindcast: /dev/full could not be written (ENOSPC).\nThe disk is full: free some space, or choose another path.\n',
    ])
  })

  it('a folder for temporary files that is missing or a file is named', async () => {
    for (const [TMPDIR, what] of [
      [join(folder, 'missing'), 'does not exist'],
      [join(folder, 'log.csv'), 'is not a folder'],
    ] as const) {
      const expected = `hindcast: The folder for temporary files, ${TMPDIR}, ${what}.\nSet TMPDIR to a folder that you can write to.\n`
      expect(
        await said(['evaluate', '--target', 'uniform', 'log.csv', '--engine', 'duckdb'], { TMPDIR }),
      ).toEqual([2, expected])
    }
  })

  it('a name too long is called that', async () => {
    const { code, stderr } = await hindcast(['describe', 'log.csv', '--report', LONG], { cwd: folder })
    expect([code, stderr]).toEqual([
      2,
      `hindcast: ${LONG} could not be written (ENAMETOOLONG).\nThe name is too long for that disk: choose a shorter one.\n`,
    ])
    // As long as a name may be: that of the temporary file is not longer.
    const most = `${'y'.repeat(250)}.html`
    expect((await hindcast(['describe', 'log.csv', '--report', most], { cwd: folder })).code).toBe(0)
  })

  // Nothing is read-only to the superuser.
  it.runIf(process.getuid?.() !== 0)('a folder that may not be written to is called that', async () => {
    const place = join(folder, 'closed')
    await mkdir(place)
    await chmod(place, 0o500)
    const ended = await hindcast(['describe', 'log.csv', '--report', 'closed/a.html'], { cwd: folder })
    expect([ended.code, ended.stderr]).toEqual([
      2,
      'hindcast: closed/a.html could not be written (EACCES).\nYou do not have permission to write there: choose another path.\n',
    ])
  })
})
