import { describe, expect, it } from 'vitest'
import { noRoom, shortageOf } from './engine.js'

describe('an error of DuckDB', () => {
  it.each<[message: string, shortage: string | undefined]>([
    ['Out of Memory Error: failed to pin block of size 256.0 KiB (30.4 MiB/30.5 MiB used)', 'memory'],
    ['std::bad_alloc', 'memory'],
    ['IO Error: Could not write file "/tmp/a/duckdb_temp_storage-0.tmp": No space left on device', 'disk'],
    [
      "Out of Memory Error: failed to offload data block of size 256.0 KiB (2.0 GiB/2.0 GiB used).\nThis limit was set by the 'max_temp_directory_size' setting.",
      'disk',
    ],
    ['IO Error: Cannot open file "/a/log.csv": Permission denied', undefined],
    ['IO Error: Could not read from file "/a/log.csv": Input/output error', undefined],
    ['IO Error: No files found that match the pattern "/a/Out of Memory.csv"', undefined],
    ['Invalid Input Error: CSV Error on Line: 7', undefined],
  ])('%s: a shortage of %s', (message, shortage) => {
    expect(shortageOf(new Error(message))).toBe(shortage)
  })

  it('says what is short, and what to do', () => {
    expect(noRoom('log.csv', 'memory', undefined)).toMatchObject({
      message: 'There is not enough memory to read log.csv.',
    })
    expect(noRoom('log.csv', 'disk', undefined)).toMatchObject({
      message: expect.stringContaining('not enough disk space') as string,
      remedy: 'Free space there, or set TMPDIR to a folder with more.',
    })
  })
})
