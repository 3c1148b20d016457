import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** What the fuzzer prints, and how it ends. */
const fuzz = (...args: string[]): Promise<{ code: number; stdout: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [here('../bench/fuzz/run.mjs'), ...args], (error, stdout) =>
      resolve({ code: (error?.code as number | undefined) ?? 0, stdout }),
    )
  })

describe('files that once failed', () => {
  it('are listed, each with what was wrong', async () => {
    const listed = JSON.parse(await readFile(here('fuzz-corpus/corpus.json'), 'utf8')) as {
      file: string
      was: string
    }[]
    const files = (await readdir(here('fuzz-corpus'))).filter((name) => name !== 'corpus.json')
    expect(listed.map(({ file }) => file).toSorted()).toEqual(files.toSorted())
    for (const { was } of listed) expect(was).toMatch(/\.$/)
  })

  it('are read alike, or refused alike, from bytes, through DuckDB and as sums', async () => {
    const { code, stdout } = await fuzz('--corpus')
    expect(stdout).toContain('0 disagreements, 0 hangs, 0 crashes.')
    expect(code).toBe(0)
  })
})

describe('the fuzzer', () => {
  it('makes the same files of the same seed', async () => {
    const { digestOf } = (await import(here('../bench/fuzz/grown.mjs'))) as {
      digestOf: (seed: number, file: number) => Promise<string>
    }
    const digests: string[] = []
    for (const file of [0, 1, 2, 3, 0, 1, 2, 3]) digests.push(await digestOf(7, file))
    expect(digests.slice(4)).toEqual(digests.slice(0, 4))
    expect(new Set(digests).size).toBe(4)
  })
})
