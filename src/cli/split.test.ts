import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parsed, run } from '../commands/example-run.js'
import type { Evaluation } from '../estimate/evaluation.js'
import type { Log } from '../log/log.js'
import { stampOf } from '../log/stamp.js'
import { readLogFile } from '../node/read-log.js'
import { writeLogFile } from '../node/write-log.js'
import { partSchema } from '../schemas/made.js'
import { tastesWorld } from '../world/tastes.js'
import { evaluate } from './evaluate.js'
import { split } from './split.js'

let folder: string
const at = (...names: string[]): string => join(folder, ...names)
const words = (file: string, ...options: string[]): string[] => ['split', at(file), ...options]
const drawn = tastesWorld({ seed: 2, users: 60, items: 12, exposures: 20 }).draw()
const log: Log = {
  ...drawn,
  time: Float64Array.from({ length: drawn.rows }, (_, row) => Date.UTC(2026, 2, 1) + row * 720e3),
  labels: { device: { ids: ['app', 'web'], index: drawn.user.map((user) => user % 2) } },
  numbers: { age: Float64Array.from(drawn.user, (user) => 20.5 + (user % 3)) },
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-split-'))
  await writeLogFile(at('log.csv'), log)
  await writeLogFile(at('log.parquet'), log)
})
afterAll(() => rm(folder, { recursive: true }))

describe('hindcast split', () => {
  it.each(['log.csv', 'log.parquet'])(
    'writes the parts of %s as it is, with all of its columns',
    async (file) => {
      const out = at(`of ${file}`)
      expect(await run(split, words(file, '--by', 'time', '--share', '0.7', '--out', out))).toBe(0)
      const names = ['part1', 'part2'].map((part) => file.replace('.', `-${part}.`))
      expect(await readdir(out)).toEqual(names.flatMap((name) => [name, `${name}.hindcast.json`]))
      const read = { labels: ['device'], numbers: ['age'] }
      const parts = await Promise.all(names.map((name) => readLogFile(join(out, name), read)))
      expect(parts.reduce((sum, part) => sum + part.log.rows, 0)).toBe(log.rows)
      const [first, second] = parts.map((part) => part.log) as [Log, Log]
      expect(first.time!.at(-1)).toBeLessThan(second.time![0]!)
      expect(first.rows / log.rows).toBeCloseTo(0.7, 1)
      expect(first.labels!['device']!.ids).toEqual(['app', 'web'])
      expect(first.numbers!['age']!.slice(0, 50)).toEqual(log.numbers!['age']!.slice(0, 50))
      expect(first.propensity).toEqual(log.propensity!.slice(0, first.rows))
    },
  )

  it('writes beside each part its stamp and the hashes of the others', async () => {
    await run(split, words('log.csv', '--by', 'user', '--parts', '3', '--out', at('three')))
    const beside = await Promise.all(
      [1, 2, 3].map(async (k) =>
        JSON.parse(await readFile(at('three', `log-part${k}.csv.hindcast.json`), 'utf8')),
      ),
    )
    for (const [k, part] of beside.entries()) {
      expect(partSchema.parse(part)).toEqual(part)
      const read = await readLogFile(at('three', part.file))
      expect(part.made).toEqual(stampOf(read.log))
      expect(part).toMatchObject({ part: k + 1, parts: 3, of: { file: 'log.csv', from: stampOf(log).from } })
      expect(part.others).toEqual(
        beside
          .filter((other) => other !== part)
          .map(({ file, made: { from, rows } }) => ({ file, from, rows })),
      )
    }
  })

  it('cuts a part again by another hash', async () => {
    await run(split, words('log.csv', '--by', 'user', '--out', at('halves')))
    await run(split, ['split', at('halves', 'log-part1.csv'), '--by', 'user', '--out', at('quarters')])
    const quarters = await Promise.all(
      [1, 2].map((k) =>
        readLogFile(at('quarters', `log-part1-part${k}.csv`)).then((read) => read.log.userIds.length),
      ),
    )
    expect(Math.min(...quarters)).toBeGreaterThan(7)
  })

  it.each([
    [[], 'needs a folder for the parts'],
    [['--out', 'parts'], 'needs to know what to cut by'],
    [['--out', 'parts', '--by', 'week'], '--by does not accept "week"'],
    [['--out', 'parts', '--by', 'user', '--share', '80'], '--share expects a number between 0 and 1, not 80'],
    [['--out', 'parts', '--by', 'user', '--share', '0.5', '--parts', '2'], 'exclude each other'],
    [['--out', 'parts', '--by', 'user', '--parts', '0.6'], '--parts does not accept "0.6"'],
    [['--out', 'parts', '--by', 'user', '--parts', '0.6,0.6'], 'parts of 0.6 and 0.6'],
  ])('says what is missing or wrong: %j', async (options, message) => {
    await expect(run(split, words('log.csv', ...options))).rejects.toThrow(message)
  })

  it('has no options for what the log lacks: a part would hold it as if it were logged', () => {
    expect(() => parsed(split, words('log.csv', '--propensity', 'uniform'))).toThrow('no option --propensity')
  })
})

describe('a policy that says what it was made from', () => {
  const evaluated = async (
    part: string,
    target: string,
    ...options: string[]
  ): Promise<Evaluation['verdict']> => {
    const json = at('evaluation.json')
    await run(evaluate, ['evaluate', at('timed', part), '--target', target, '--json', json, ...options])
    return JSON.parse(await readFile(json, 'utf8')).verdict
  }
  const table = `item_id,probability\n${log.itemIds.map((id) => `${id},${1 / 12}`).join('\n')}\n`
  const made = async (name: string, from: string): Promise<string> => {
    await writeFile(at(name), table)
    await cp(at('timed', `${from}.hindcast.json`), at(`${name}.hindcast.json`))
    return `table:${at(name)}`
  }
  beforeAll(() => run(split, words('log.csv', '--by', 'time', '--out', at('timed'))))
  const codes = ({ reasons }: Evaluation['verdict']): string[] => reasons.map(({ code }) => code)

  it('is refused on that part, and not on the other', async () => {
    const policy = await made('policy.csv', 'log-part1.csv')
    const own = await evaluated('log-part1.csv', policy)
    expect([own.level, codes(own)[0]]).toEqual(['refuse', 'trained-on-this-log'])
    // Asking for what was not said shows whether it is known.
    const other = codes(await evaluated('log-part2.csv', policy, '--strict'))
    expect(other).toContain('people-not-said')
    expect(other).not.toContain('trained-on-this-log')
    expect(other).not.toContain('policy-of-unknown-origin')
  })

  it('is of unknown origin without that, until it is said', async () => {
    await writeFile(at('bare.csv'), table)
    const bare = `table:${at('bare.csv')}`
    expect(codes(await evaluated('log-part2.csv', bare, '--strict'))).toContain('policy-of-unknown-origin')
    const said = await evaluated('log-part2.csv', bare, '--strict', '--policy-made', 'held-out')
    expect(codes(said)).not.toContain('policy-of-unknown-origin')
  })

  it('may say so itself, in JSON', async () => {
    const beside = JSON.parse(await readFile(at('timed', 'log-part2.csv.hindcast.json'), 'utf8'))
    const policy = Object.fromEntries(log.itemIds.map((id) => [id, 1 / 12]))
    await writeFile(at('policy.json'), JSON.stringify({ made: { from: beside.made.from }, policy }))
    expect(codes(await evaluated('log-part2.csv', `table:${at('policy.json')}`))).toContain(
      'trained-on-this-log',
    )
  })

  it('is an error where what stands beside it does not say it', async () => {
    const policy = await made('odd.csv', 'log-part1.csv')
    await writeFile(at('odd.csv.hindcast.json'), '{"made": "yesterday"}')
    await expect(evaluated('log-part1.csv', policy)).rejects.toThrow(
      'odd.csv.hindcast.json does not say which log the policy was made from',
    )
    await writeFile(at('odd.csv.hindcast.json'), '{"made": ')
    await expect(evaluated('log-part1.csv', policy)).rejects.toThrow('cannot be read as JSON')
  })
})
