import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drawnLog } from '../src/estimate/plan/example-world.js'
import type { Plan } from '../src/estimate/plan/plan-record.js'
import { csvText } from '../src/log/write/text.js'
import { planSchema } from '../src/schemas/index.js'
import { type Ended, hindcast } from './hindcast.js'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-plan-'))
  const log = drawnLog({ users: 400, rowsPerUser: 5, days: 10, seed: 1, byDay: 0.1 })
  await writeFile(join(folder, 'log.csv'), [...csvText(log)].join(''))
})
afterAll(() => rm(folder, { recursive: true }))
const planned = (args: string[]): Promise<Ended> => hindcast(['plan', 'log.csv', ...args], { cwd: folder })
const planOf = ({ stdout }: Ended): Plan => planSchema.parse(JSON.parse(stdout))

describe('hindcast plan', () => {
  it('says what a decision needs, what exploration would buy, and the verdict, in 80 columns', async () => {
    const { code, stdout } = await planned(['--target', 'uniform', '--detect', '0.02', '--width', '0.02'])
    expect(code).toBe(0)
    for (const part of ['more rows', 'more users', 'more days', 'random items', 'differences between days'])
      expect(stdout).toContain(part)
    expect(stdout).toMatch(/✔ trust|▲ caution/)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  it('is the same through DuckDB', async () => {
    const args = ['--target', 'uniform', '--detect', '0.02', '--width', '0.02', '--json', '-']
    const memory = planOf(await planned(args))
    const duckdb = planOf(await planned([...args, '--engine', 'duckdb']))
    expect(memory.cluster).toBe('user+day')
    alike(duckdb, memory)
  })

  it('looks at other temperatures of the target, or says that it has none', async () => {
    const args = ['--target', 'popularity@softmax=1', '--temperatures', '2,Infinity']
    const { stdout } = await planned(args)
    expect(stdout).toMatch(/^ {2}temperature +ESS +ESS\/n +SE of value .*verdict$/m)
    for (const row of [/^ {2}1, the target /m, /^ {2}2 /m, /^ {2}∞ /m]) expect(stdout).toMatch(row)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    const { temperatures } = planOf(await planned([...args, '--json', '-']))
    expect(temperatures!.points.map(({ temperature }) => temperature)).toEqual([1, 2, null])
    const none = await planned([
      '--target',
      'uniform',
      '--engine',
      'duckdb',
      '--temperatures',
      '2',
      '--json',
      '-',
    ])
    expect(none.stderr).toContain('No temperatures: uniform has no temperature.')
    expect(planOf(none)).toMatchObject({
      temperatures: null,
      temperaturesReason: 'uniform has no temperature',
    })
  })

  it('writes a page with its figures', async () => {
    const { code } = await planned(['--target', 'popularity@softmax=1', '--report', 'plan.html'])
    expect(code).toBe(0)
    const page = await readFile(join(folder, 'plan.html'), 'utf8')
    for (const name of ['power-curve', 'exploration', 'temperatures']) expect(page).toContain(name)
  })

  it('names what is wrong with an option', async () => {
    const wrong = [
      [['--power', '2'], 'The power cannot be 2.'],
      [['--explore', '0.1,x'], '--explore expects shares from 0 to 1, not "x".'],
      [['--temperatures', '1,-2'], 'The temperature "-2" is not a number above 0.'],
      [['--target', 'logging'], 'There is no difference to plan for'],
      [['--against', 'nothing'], 'There is no target "nothing".'],
      [['--engine', 'duckdb', '--target', 'model:x'], 'The target model:x needs the log in memory.'],
    ] as const
    for (const [args, message] of wrong) {
      const target = (args as readonly string[]).includes('--target') ? [] : ['--target', 'uniform']
      const { code, stderr } = await planned([...target, ...args])
      expect(code).toBe(2)
      expect(stderr.replaceAll(/\s+/g, ' ')).toContain(message)
    }
  })
})

/** Equal but for the last bits of numbers. */
function alike(found: unknown, expected: unknown, where = 'plan'): void {
  if (typeof expected === 'number')
    expect(Math.abs((found as number) - expected), where).toBeLessThanOrEqual(1e-9 * Math.abs(expected))
  else if (typeof expected === 'object' && expected !== null)
    for (const [key, value] of Object.entries(expected))
      alike((found as Record<string, unknown>)[key], value, `${where}.${key}`)
  else expect(found, where).toBe(expected)
}
