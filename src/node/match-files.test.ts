import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { matchingFiles } from './find-file.js'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-match-'))
  for (const name of ['day=1', 'day=2', 'a.csv']) await mkdir(join(folder, name))
  for (const name of [
    'b.csv',
    'B.csv',
    'b1.csv',
    'b10.csv',
    'b[1].csv',
    '.b.csv',
    'b.csv.gz',
    'c^.csv',
    'b-.csv',
  ])
    await writeFile(join(folder, name), '')
  for (const name of ['day=1/x.csv', 'day=2/x.csv', 'day=2/y.csv']) await writeFile(join(folder, name), '')
})
afterAll(() => rm(folder, { recursive: true }))

it.each<[pattern: string, files: string[]]>([
  ['b?.csv', ['b-.csv', 'b1.csv']],
  ['b*.csv', ['b-.csv', 'b.csv', 'b1.csv', 'b10.csv', 'b[1].csv']],
  ['[bB].csv', ['B.csv', 'b.csv']],
  ['b[0-9].csv', ['b1.csv']],
  ['b[!0-9].csv', ['b-.csv']],
  ['b[[]1].csv', ['b[1].csv']],
  ['b[1.csv', []],
  ['c[x^].csv', ['c^.csv']],
  ['.b*', ['.b.csv']],
  // A folder is not a file, whatever its name.
  ['a*.csv', []],
  ['day=*/x.csv', ['day=1/x.csv', 'day=2/x.csv']],
  ['day=*/*', ['day=1/x.csv', 'day=2/x.csv', 'day=2/y.csv']],
  ['b.csv', ['b.csv']],
  ['nowhere/*', []],
])('%s matches %j', async (pattern, files) => {
  expect(await matchingFiles(`${folder}/${pattern}`)).toEqual(files.map((file) => join(folder, file)))
})
