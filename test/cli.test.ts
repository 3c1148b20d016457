import { spawn } from 'node:child_process'
import { access, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readLogFile } from '../src/node/read-log.js'
import { descriptionSchema } from '../src/schemas/index.js'
import { type Ended, hindcast, hindcastProcess, program } from './hindcast.js'

const DATA = process.env['HINDCAST_DATA']
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-cli-'))
  await hindcast(['simulate', 'toy', '--seed', '7', '--out', 'toy.csv'], { cwd: folder })
  await writeFile(join(folder, 'pretty.json'), JSON.stringify({ user_id: 1 }, null, 2))
})
afterAll(() => rm(folder, { recursive: true }))
const inFolder = (args: string[]): Promise<Ended> => hindcast(args, { cwd: folder })
const inProcess = (args: string[], options: Parameters<typeof hindcastProcess>[1]): Promise<Ended> =>
  hindcastProcess(args, { cwd: folder, ...options })
const fileText = (name: string): Promise<string> => readFile(join(folder, name), 'utf8')

describe('hindcast simulate', () => {
  it('writes the toy world, with the same bytes for the same seed', async () => {
    await inFolder(['simulate', 'toy', '--seed', '7', '--out', 'again.csv'])
    const first = await fileText('toy.csv')
    expect(await fileText('again.csv')).toBe(first)
    const lines = first.trimEnd().split('\n')
    expect(lines[0]).toBe('user_id,item_id,reward,propensity')
    expect(lines).toHaveLength(5001)
    await inFolder(['simulate', 'toy', '--seed', '8', '--out', 'other.csv'])
    expect(await fileText('other.csv')).not.toBe(first)
  })

  it('records the propensity of the formula for every row', async () => {
    const weights = Array.from({ length: 200 }, (_, i) => Math.exp((5 * i) / 199))
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    const lines = (await fileText('toy.csv')).trimEnd().split('\n').slice(1)
    for (const line of lines) {
      const [, item, reward, propensity] = line.split(',').map(Number) as [number, number, number, number]
      expect(Math.abs(propensity - weights[item - 1]! / total)).toBeLessThan(1e-12)
      expect([0, 1]).toContain(reward)
    }
  })

  it.each(['toy.parquet', 'toy.ndjson', 'toy.csv.gz', 'toy.ndjson.gz'])(
    'writes the same log as %s, twice the same bytes',
    async (name) => {
      const bytes = []
      for (let k = 0; k < 2; k++) {
        await inFolder(['simulate', 'toy', '--seed', '7', '--out', name])
        bytes.push(await readFile(join(folder, name)))
      }
      expect(bytes[0]!.equals(bytes[1]!)).toBe(true)
      const [asCsv, asOther] = [
        await readLogFile(join(folder, 'toy.csv')),
        await readLogFile(join(folder, name)),
      ]
      expect(asOther.log).toEqual(asCsv.log)
    },
  )

  it('draws other replicates and unbiased logs from the same world', async () => {
    await inFolder(['simulate', 'toy', '--seed', '7', '--replicate', '1', '--out', 'second.csv'])
    expect(await fileText('second.csv')).not.toBe(await fileText('toy.csv'))
    const { stderr } = await inFolder([
      'simulate',
      'toy',
      '--seed',
      '7',
      '--policy',
      'uniform',
      '--out',
      'uniform.csv',
      '--json',
      'truth.json',
    ])
    expect(stderr).toContain('shown by the uniform policy')
    expect((await fileText('uniform.csv')).split('\n')[1]).toMatch(/,0\.005$/)
    expect(JSON.parse(await fileText('truth.json'))).toMatchObject({
      world: 'toy',
      seed: 7,
      rows: 5000,
      policy: 'uniform',
    })
  })

  it('writes to standard output', async () => {
    const { stdout } = await inFolder(['simulate', 'toy', '--seed', '7', '--out', '-'])
    expect(stdout).toBe(await fileText('toy.csv'))
  })

  it.each([
    [['simulate', 'toy'], 'needs --out FILE'],
    [['simulate', '--out', 'x.csv'], 'needs a world'],
    [['simulate', 'moon', '--out', 'x.csv'], 'Choose one of toy, movielens'],
    [['simulate', 'toy', '--out', 'x.xlsx'], 'Use .csv, .ndjson, .parquet'],
    [['simulate', 'toy', '--out', 'x.csv', '--users', '0'], 'at least 1'],
    [['simulate', 'toy', '--out', 'x.csv', '--seed', 'seven'], '--seed expects a number, not "seven"'],
    [['simulate', 'toy', '--out', 'x.csv', '--seed', '-1'], 'needs a value'],
    [
      ['simulate', 'toy', '--out', 'x.csv', '--temperature', '2'],
      '--temperature belongs to the movielens and tastes worlds',
    ],
    [['simulate', 'toy', '--out', 'missing/x.csv'], 'Create the folder missing first'],
    [['simulate', 'toy', '--out', 'x.csv', '--beta', '2'], '--beta 2,5'],
  ])('refuses %j', async (args, says) => {
    const { code, stderr } = await inFolder(args)
    expect(stderr).toContain(says)
    expect(code).toBe(2)
    await expect(access(join(folder, 'x.csv'))).rejects.toThrow()
  })

  it.skipIf(!DATA)('draws from MovieLens 100K (needs HINDCAST_DATA)', async () => {
    const { code, stderr } = await inFolder([
      'simulate',
      'movielens',
      '--temperature',
      '2',
      '--exposures',
      '20',
      '--out',
      'ml.parquet',
    ])
    expect(stderr).toContain('18,860 rows')
    expect(code).toBe(0)
    const { log } = await readLogFile(join(folder, 'ml.parquet'))
    expect(log.rows).toBe(943 * 20)
  })
})

describe('hindcast describe', () => {
  it('writes JSON that matches its schema', async () => {
    const { code, stdout } = await inFolder(['describe', 'toy.csv', '--json', '-'])
    expect(code).toBe(0)
    expect(descriptionSchema.parse(JSON.parse(stdout))).toMatchObject({
      rows: 5000,
      users: 1000,
      propensity: { source: 'logged' },
    })
  })

  it('prints at most 80 columns and no colours into a pipe', async () => {
    const { stdout } = await inProcess(['describe', 'toy.csv'], { env: { FORCE_COLOR: '1' } })
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    expect(stdout).not.toContain('\u001b[')
  })

  it('reads standard input, gzip too', async () => {
    const csv = await readFile(join(folder, 'toy.csv'))
    const expected = (await inFolder(['describe', 'toy.csv', '--json', '-'])).stdout
    expect((await inProcess(['describe', '-', '--json', '-'], { input: csv })).stdout).toBe(expected)
    expect((await inProcess(['describe', '-', '--json', '-'], { input: gzipSync(csv) })).stdout).toBe(
      expected,
    )
  })

  it('takes any table with --columns, and suggests a column for a mistyped one', async () => {
    await writeFile(join(folder, 'mine.csv'), 'uid,sku,clicked,p\n1,a,0,0.5\n2,b,1,0.5\n')
    const columns = 'user=uid,item=sku,reward=clicked,propensity=p'
    expect((await inFolder(['describe', 'mine.csv', '--columns', columns, '--json', '-'])).code).toBe(0)
    const mistyped = await inFolder([
      'describe',
      'mine.csv',
      '--columns',
      columns.replace('clicked', 'cliked'),
    ])
    expect(mistyped.stderr).toContain('Did you mean reward=clicked?')
    const unknown = await inFolder(['describe', 'mine.csv', '--columns', columns.replace('item', 'itme')])
    expect(unknown.stderr).toContain('Did you mean item?')
    const twice = await inFolder(['describe', 'mine.csv', '--columns', columns.replace('sku', 'uid')])
    expect(twice.stderr).toContain('is used twice')
    expect([mistyped.code, unknown.code, twice.code]).toEqual([2, 2, 2])
  })

  it('counts items never shown when it knows the catalogue', async () => {
    await writeFile(join(folder, 'items.txt'), Array.from({ length: 200 }, (_, k) => k + 1).join('\n'))
    const { stdout } = await inFolder(['describe', 'toy.csv', '--catalogue', 'items.txt', '--json', '-'])
    const { items, exposure } = JSON.parse(stdout)
    expect(exposure).toMatchObject({ catalogue: 200, neverShown: 200 - items })
  })

  it('writes a report that needs nothing else', async () => {
    const { code } = await inFolder(['describe', 'toy.csv', '--report', 'toy.html'])
    expect(code).toBe(0)
    const html = await fileText('toy.html')
    expect(html.match(/<figure/g)).toHaveLength(3)
    expect(html).not.toMatch(/(src|href)="https?:/)
  })

  it('leaves no half-written file behind', async () => {
    const { code, stderr } = await inFolder(['describe', 'toy.csv', '--report', 'nowhere/toy.html'])
    expect(code).toBe(2)
    expect(stderr).toContain('Create the folder nowhere first')
    expect((await readdir(folder)).filter((name) => name.includes('.part'))).toEqual([])
  })

  it.each([
    [['describe'], 'needs a log'],
    [['describe', 'nothing.csv'], 'The file nothing.csv does not exist'],
    [['describe', '.'], 'is a folder'],
    [['describe', 'pretty.json'], 'one JSON object per line'],
    [['describe', 'toy.csv', '--format', 'obdd'], 'Did you mean obd?'],
    [['describe', 'toy.csv', '--jsn', '-'], 'Did you mean --json?'],
    [['describe', 'toy.csv', '--json'], '--json needs a value'],
    [['describe', 'toy.csv', 'toy.csv'], 'takes one log'],
    [['describe', 'toy.csv', '--propensity', 'flat'], '--propensity uniform'],
  ])('refuses %j', async (args, says) => {
    const { code, stderr } = await inFolder(args)
    expect(stderr).toContain(says)
    expect(stderr).not.toContain('    at ')
    expect(code).toBe(2)
  })

  it.skipIf(!DATA)('reads the real Open Bandit file (needs HINDCAST_DATA)', async () => {
    const { stdout } = await hindcast([
      'describe',
      '--format',
      'obd',
      join(DATA!, 'obd/bts/men/men.csv'),
      '--json',
      '-',
    ])
    expect(JSON.parse(stdout)).toMatchObject({ rows: 10_000, items: 34, clickRate: 0.0069 })
  })

  it.skipIf(!DATA)('reads MovieLens 100K and 1M from their folders (needs HINDCAST_DATA)', async () => {
    const small = await hindcast(['describe', '--format', 'movielens', join(DATA!, 'ml-100k'), '--json', '-'])
    expect(JSON.parse(small.stdout)).toMatchObject({
      rows: 100_000,
      users: 943,
      items: 1682,
      propensity: { source: 'none' },
    })
    const large = await hindcast(['describe', '--format', 'movielens', join(DATA!, 'ml-1m'), '--json', '-'])
    expect(JSON.parse(large.stdout)).toMatchObject({ rows: 1_000_209, users: 6040, items: 3706 })
  })
})

describe('hindcast data', () => {
  const empty = (): Record<string, string> => ({
    HINDCAST_DATA: join(folder, 'data'),
    HINDCAST_CACHE: join(folder, 'cache'),
  })

  it('lists the data sets', async () => {
    const { code, stdout } = await inProcess(['data', 'list'], { env: empty() })
    expect(code).toBe(0)
    for (const name of ['ml-100k', 'ml-1m', 'ml-latest-small', 'open-bandit']) expect(stdout).toContain(name)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  it('says where a data set is, or how to get it', async () => {
    const absent = await inProcess(['data', 'where', 'ml-100k'], { env: empty() })
    expect(absent).toMatchObject({ code: 1, stdout: '' })
    expect(absent.stderr).toContain('hindcast data fetch ml-100k')
    const unknown = await inProcess(['data', 'where', 'ml-100'], { env: empty() })
    expect(unknown.code).toBe(2)
    expect(unknown.stderr).toContain('ml-100k')
  })

  it('says which file to put where if there is no network', async () => {
    // A port that nothing listens on simulates a missing network.
    const { code, stderr } = await inProcess(['data', 'fetch', 'ml-100k'], {
      env: { ...empty(), HINDCAST_MIRROR: 'http://127.0.0.1:9' },
    })
    expect(code).toBe(2)
    expect(stderr).toContain('ml-100k.zip')
    expect(stderr).toContain(join(folder, 'cache'))
    expect(stderr).not.toContain('    at ')
  })

  it.skipIf(!DATA)('finds what is in HINDCAST_DATA', async () => {
    const { code, stdout } = await hindcast(['data', 'where', 'ml-1m'])
    expect(code).toBe(0)
    expect(stdout.trim()).toBe(join(DATA!, 'ml-1m'))
  })
})

describe('hindcast', () => {
  it.each(['simulate', 'describe', 'doctor', 'data'])('explains %s with examples', async (command) => {
    const { code, stdout } = await inFolder([command, '--help'])
    expect(code).toBe(0)
    expect(stdout).toContain('Usage')
    expect(stdout).toContain('Options')
    expect(stdout.match(/^ {2}.*hindcast /gm)!.length).toBeGreaterThan(2)
    expect((await inFolder(['help', command])).stdout).toBe(stdout)
  })

  it('suggests a command for a mistyped one', async () => {
    const { code, stderr } = await inFolder(['descibe', 'toy.csv'])
    expect(code).toBe(2)
    expect(stderr).toContain('Did you mean hindcast describe?')
  })

  it('prints its version', async () => {
    const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
    expect((await inFolder(['--version'])).stdout.trim()).toBe(version)
  })

  it('prints the stack trace of an error only if asked', async () => {
    expect((await inFolder(['describe', 'nothing.csv', '--debug'])).stderr).toContain('    at ')
  })

  it('ends quietly when the reader of its output closes the pipe', async () => {
    const child = spawn(process.execPath, [program, 'simulate', 'toy', '--users', '4000', '--out', '-'])
    let errors = ''
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
    child.stdout.once('data', () => child.stdout.destroy())
    const code = await new Promise((resolve) => child.on('close', resolve))
    expect(code).toBe(0)
    expect(errors).not.toContain('EPIPE')
  })

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'stops with 130 when it is interrupted or ended, and leaves nothing half-written: %s',
    async (signal) => {
      const child = spawn(process.execPath, [program, 'describe', '-', '--report', 'large.html'], {
        cwd: folder,
        env: { ...process.env, TMPDIR: folder },
      })
      let errors = ''
      child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
      // Input that does not end: once this part is read, the command is at work.
      child.stdin.on('error', () => undefined)
      child.stdin.write('user_id,item_id,reward,propensity\n' + '1,a,0,0.5\n'.repeat(200_000), () =>
        child.kill(signal),
      )
      const code = await new Promise((resolve) => child.on('close', resolve))
      expect(errors).toContain('Interrupted')
      expect(code).toBe(130)
      expect((await readdir(folder)).filter((name) => /^large|^hindcast-/.test(name))).toEqual([])
    },
  )
})
