import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleLoggers, TWO_LOGGERS } from '../src/estimate/loggers/example-loggers.js'
import { csvText } from '../src/log/write/text.js'
import { comparisonSchema, evaluationSchema } from '../src/schemas/index.js'
import { hindcast } from './hindcast.js'

/** Logs that several policies drew, on the command line. */
let folder: string
let file: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-loggers-'))
  file = join(folder, 'both.csv')
  const loggers = TWO_LOGGERS.map((logger) => ({ ...logger, rows: 2000 }))
  await writeFile(file, [...csvText(exampleLoggers(1, loggers))].join(''))
})
afterAll(() => rm(folder, { recursive: true }))

const BALANCED = 'policy:even=p_even,steep=p_steep'

describe('hindcast evaluate --loggers', () => {
  it.each([
    ['policy', 'strata'],
    [BALANCED, 'balanced'],
  ])('%s gives the same numbers in memory and through DuckDB', async (loggers, counted) => {
    const evaluated = async (engine: string) => {
      const asked = [
        'evaluate',
        '--target',
        'uniform',
        file,
        '--estimators',
        'ips,snips',
        '--loggers',
        loggers,
        '--engine',
        engine,
      ]
      const { stdout } = await hindcast([...asked, '--json', '-'])
      return evaluationSchema.parse(JSON.parse(stdout))
    }
    const [memory, duckdb] = [await evaluated('memory'), await evaluated('duckdb')]
    expect(memory.loggersCounted).toBe(counted)
    expect(duckdb.loggersCounted).toBe(counted)
    expect(duckdb.verdict.level).toBe(memory.verdict.level)
    memory.estimates.forEach(({ value, se }, k) => {
      expect(duckdb.estimates[k]!.value).toBeCloseTo(value!, 12)
      expect(duckdb.estimates[k]!.se).toBeCloseTo(se!, 12)
    })
    memory.loggers!.forEach(({ name, share, value }, k) => {
      expect(duckdb.loggers![k]!.name).toBe(name)
      expect(duckdb.loggers![k]!.share).toBeCloseTo(share, 12)
      expect(duckdb.loggers![k]!.value).toBeCloseTo(value!, 12)
    })
  })

  it('shows what each logger says in the terminal and on the page', async () => {
    const report = join(folder, 'both.html')
    const { stdout } = await hindcast([
      'evaluate',
      '--target',
      'uniform',
      file,
      '--loggers',
      'policy',
      '--report',
      report,
    ])
    expect(stdout).toMatch(
      /What the rows of each logger say on their own\n {2}logger +rows +share +reward +SE +ESS\n {2}even/,
    )
    expect(stdout).toContain('each counted by how precisely it')
    expect(await readFile(report, 'utf8')).toContain('Share of the answer')
  })

  it('names the column that is missing', async () => {
    const tried = async (loggers: string): Promise<string> =>
      (await hindcast(['evaluate', '--target', 'uniform', file, '--loggers', loggers])).stderr
    expect(await tried('plicy')).toContain('Did you mean policy?')
    expect(await tried('policy:even=p_even')).toContain('The logger "steep" has no column')
    expect(await tried('policy:even=p_even,')).toContain('LOGGER=COLUMN')
    expect(await tried('user_id')).toContain('at most 20 loggers')
  })
})

it('hindcast compare --loggers shows the loggers of every policy', async () => {
  const { stdout } = await hindcast([
    'compare',
    file,
    '--targets',
    'logging',
    'uniform',
    '--loggers',
    BALANCED,
    '--json',
    '-',
  ])
  const { evaluations } = comparisonSchema.parse(JSON.parse(stdout))
  expect(evaluations.map(({ loggersCounted }) => loggersCounted)).toEqual(['rows', 'balanced'])
})
