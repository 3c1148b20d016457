import { link, lstat, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { openSync } from 'node:fs'
import { execFileSync, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { COMMANDS } from '../src/cli/commands.js'
import { refuseOntoInputs } from '../src/cli/outputs.js'
import { parseCommandLine } from '../src/cli/parse.js'
import { studyCommand } from '../study/src/node/command.js'
import { hindcast, program } from './hindcast.js'

const ROWS = [
  'user_id,item_id,reward,propensity',
  ...Array.from({ length: 60 }, (_, k) => `u${k % 12},i${k % 5},${k % 3 === 0 ? 1 : 0},0.2`),
]
const LOG = `${ROWS.join('\n')}\n`
const BAD = `${[...ROWS, 'u1,i1,1,7'].join('\n')}\n`

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-outputs-'))
  await hindcast(['train', 'log.csv', '--out', 'run', '--epochs', '1', '--dim', '4'], {
    cwd: await filled(folder),
  })
})
beforeEach(() => filled(folder))
afterAll(() => rm(folder, { recursive: true }))

/** The folder with its logs as they were, and other names for one of them. */
async function filled(where: string): Promise<string> {
  const at = (name: string): string => join(where, name)
  for (const name of ['log.csv', 'soft.html', 'hard.html', 'other', 'bad.csv', 'epochs.ndjson', 'folder'])
    await rm(at(name), { force: true, recursive: true })
  await writeFile(at('log.csv'), LOG)
  await writeFile(at('bad.csv'), BAD)
  await writeFile(at('log.left-out.csv'), LOG)
  await symlink('log.csv', at('soft.html'))
  await link(at('log.csv'), at('hard.html'))
  await symlink('.', at('other'))
  await mkdir(at('folder/checkpoints'), { recursive: true })
  await writeFile(at('folder/checkpoints/log.csv'), LOG)
  await writeFile(at('folder/epochs.ndjson'), LOG)
  await writeFile(at('table.csv'), 'item_id,probability\ni0,0.2\ni1,0.2\ni2,0.2\ni3,0.2\ni4,0.2\n')
  await writeFile(at('categories.csv'), 'item_id,category\ni0,a\ni1,a\ni2,b\ni3,b\ni4,b\n')
  await writeFile(at('items.csv'), 'item_id\ni0\ni1\ni2\ni3\ni4\n')
  return where
}

/** Checks a command line as `main` does before it runs; words with a dot or a slash are paths of the folder. */
async function check(typed: string): Promise<void> {
  const [name, ...words] = typed.split(' ')
  const command = await COMMANDS.find((one) => one.name === name)!.load()
  const inFolder = (word: string): string =>
    word.replace(/([\w./*-]*[./][\w./*-]*)$/, (path) => join(folder, path))
  await refuseOntoInputs(command, parseCommandLine(command, words.map(inFolder)))
}

describe('no output replaces what the command reads', () => {
  it.each([
    'describe log.csv --report log.csv',
    'describe log.csv --report ./other/log.csv',
    'describe log.csv --report soft.html',
    'describe log.csv --report hard.html',
    'describe soft.html --report log.csv',
    'describe log.csv --json log.csv',
    'describe lo*.csv --glob --json log.csv',
    'describe bad.csv --on-bad-row quarantine:bad.csv',
    'describe log.csv --catalogue items.csv --json items.csv',
    'doctor log.csv --json log.csv',
    'doctor log.csv --fix --out log.csv',
    'doctor log.left-out.csv --fix --out log.csv',
    'preview log.csv --json log.csv',
    'evaluate log.csv --json log.csv',
    'evaluate log.csv --engine duckdb --report log.csv',
    'evaluate log.csv --target table:table.csv --report table.csv',
    'evaluate log.csv --categories categories.csv --json categories.csv',
    'evaluate log.csv --propensity naive-bayes:bad.csv --json bad.csv',
    'compare log.csv --targets logging uniform --json log.csv',
    'compare log.csv --targets logging table:table.csv --report table.csv',
    'plan log.csv --report log.csv',
    'train log.csv --out ./made --report log.csv',
    'train log.csv --out ./made --unbiased bad.csv --json bad.csv',
    'train log.csv --out ./made --test-log bad.csv --json bad.csv',
    'train ./folder/checkpoints/log.csv --out ./folder --overwrite',
    'train ./folder/epochs.ndjson --out ./folder',
  ])('%s', async (typed) => {
    await expect(check(typed)).rejects.toMatchObject({
      code: 'bad-option',
      message: expect.stringMatching(/would replace .*, which this command reads/) as string,
    })
  })

  it.each([
    'describe log.csv --report about.html',
    'describe log.csv --json - --report about.html',
    'evaluate log.csv --target table:table.csv --json about.json',
    'train log.csv --out ./run --resume',
    'train log.csv --out . --report run/report.html',
  ])('but may stand beside it: %s', (typed) => check(typed))

  it.each<[reads: string, command: string]>([
    ['log.csv', 'describe log.csv --report log.csv'],
    ['run/model.json', 'evaluate log.csv --target model:run@best --json run/model.json'],
    ['run/embeddings.safetensors', 'recommend run --all run/embeddings.safetensors'],
  ])('%s stays as it is: hindcast %s', async (reads, command) => {
    const before = await readFile(join(folder, reads))
    const { code, stderr } = await hindcast(command.split(' '), { cwd: folder })
    expect((await readFile(join(folder, reads))).equals(before)).toBe(true)
    expect(stderr).toMatch(/which this\s+command\s+reads/)
    expect(code).toBe(2)
  })

  it('nor standard input from a file', async () => {
    const child = spawn(process.execPath, [program, 'describe', '-', '--report', 'log.csv'], {
      cwd: folder,
      stdio: [openSync(join(folder, 'log.csv'), 'r'), 'ignore', 'ignore'],
    })
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(2)
    expect(await readFile(join(folder, 'log.csv'), 'utf8')).toBe(LOG)
  })

  it('nor does standard output that is appended to the log', async () => {
    const child = spawn(process.execPath, [program, 'describe', 'log.csv'], {
      cwd: folder,
      stdio: ['ignore', openSync(join(folder, 'log.csv'), 'a'), 'ignore'],
    })
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(2)
    expect(await readFile(join(folder, 'log.csv'), 'utf8')).toBe(LOG)
  })

  it('two outputs do not share a file', async () => {
    await expect(check('describe log.csv --json x.html --report ./other/x.html')).rejects.toMatchObject({
      message: expect.stringContaining('--json and --report name the same file') as string,
    })
  })

  // A pipe of this folder, never a device of the machine: a failing test replaces what it is given.
  it('a pipe is written to, not replaced', async () => {
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    const reader = spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'ignore'] })
    let seen = ''
    const read = new Promise((resolve) => reader.once('close', resolve))
    reader.stdout.on('data', (chunk: Buffer) => (seen += chunk.toString()))
    const { code } = await hindcast(['describe', 'log.csv', '--json', 'pipe'], { cwd: folder })
    expect(code).toBe(0)
    expect((await lstat(pipe)).isFIFO()).toBe(true)
    await read
    expect(JSON.parse(seen)).toMatchObject({ rows: 60 })
  })
})

/** Options whose value is a file or folder that is read, or that are about one. */
const READ = new Set([
  'catalogue',
  'categories',
  'unbiased',
  'test-log',
  'log',
  'target',
  'targets',
  'against',
  'propensity',
  'policy-columns',
  'temperatures',
  'decisions',
  'outcomes',
  'events',
  'sums',
  'totals',
])

it('every option that names a file says whether it is written', async () => {
  const undeclared: string[] = []
  for (const listed of [...COMMANDS, studyCommand]) {
    const command = await listed.load()
    for (const [name, { value = '', help, writes }] of Object.entries(command.options))
      if (value !== '' && /FILE|DIR|PATH/.test(`${value} ${help}`) && !writes && !READ.has(name))
        undeclared.push(`${command.name} --${name}`)
  }
  expect(undeclared).toEqual([])
})
