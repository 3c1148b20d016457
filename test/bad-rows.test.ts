import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hindcast, logs } from './hindcast.js'

/** Each broken log: what the error must say about it, and how it is read. */
const CASES: Record<string, { says: string[]; format?: string }> = {
  'propensity-zero.csv': {
    says: ['line 3, column propensity = "0": must be a probability above 0 and at most 1'],
  },
  'propensity-above-one.csv': { says: ['line 4, column propensity = "1.5": must be a probability'] },
  'propensity-negative.tsv': { says: ['line 2, column propensity = "-0.5": must be a probability'] },
  'propensity-nan.csv': { says: ['line 2, column propensity = "NaN": missing'] },
  'propensity-missing.csv': { says: ['line 3, column propensity: missing'] },
  'reward-text.csv': { says: ['line 2, column reward = "good": must be a finite number'] },
  'reward-missing.ndjson': { says: ['line 3, column reward: missing'] },
  'reward-infinite.csv': { says: ['line 3, column reward = "inf": must be a finite number'] },
  'user-missing.csv': { says: ['line 3, column user_id: missing'] },
  'item-missing.csv': { says: ['line 2, column item_id: missing'] },
  'id-fraction.ndjson': { says: ['line 1, column user_id = "1.5": not an id'] },
  'target-above-one.csv': { says: ['line 3, column target_prob = "1.2": must be a probability from 0 to 1'] },
  'position-fraction.csv': { says: ['line 3, column position = "1.5": must be a whole number'] },
  'timestamp-unreadable.csv': {
    says: ['line 3, column timestamp = "yesterday": must be a time: a date such as 2024-05-01T12:30:00Z'],
  },
  'timestamp-no-such-day.csv': { says: ['line 3, column timestamp = "2023-02-29": must be'] },
  'weight-zero.csv': { says: ['line 3, column weight = "0": must be a finite number above 0'] },
  'cut-off.csv': { says: ['line 4: has 2 fields where 4 are expected'] },
  'too-many-fields.csv': { says: ['line 3: has 5 fields where 4 are expected'] },
  'quote-not-closed.csv': { says: ['line 3: has a quoted field that is never closed'] },
  'line-break-in-quotes.csv': { says: ['line 4, column propensity = "2"'] },
  'not-json.ndjson': { says: ['line 2: is not a JSON object'] },
  'json-array-line.ndjson': { says: ['line 2: is not a JSON object'] },
  'two-actions.dsjson': { says: ['line 2: names two actions'], format: 'vw-dsjson' },
  'pdrop-one.dsjson': { says: ['line 1: has pdrop 1'], format: 'vw-dsjson' },
  'no-label.vw': { says: ['line 5: has no labelled action'], format: 'vw-cb' },
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-test-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('a row that breaks a rule', () => {
  it('has a broken log for every case, and a case for every broken log', async () => {
    expect((await readdir(join(logs, 'rows'))).toSorted()).toEqual(Object.keys(CASES).toSorted())
  })

  it.each(Object.entries(CASES))('is named in %s, with exit code 2', async (file, { says, format }) => {
    const path = join(logs, 'rows', file)
    const { code, stdout, stderr } = await hindcast([
      'describe',
      path,
      ...(format ? ['--format', format] : []),
    ])
    expect(stderr).toContain(`${path}: `)
    for (const words of says) expect(stderr).toContain(words)
    expect(stderr).toContain('--on-bad-row skip')
    expect(code).toBe(2)
    expect(stdout).toBe('')
  })
})

describe('--on-bad-row', () => {
  const rows = Array.from({ length: 60 }, (_, k) => `${k},a,${k % 2},${k % 2 === 0 ? 0.5 : 7}`)

  it('stops by default, shows the first 20 and counts them all', async () => {
    const path = join(folder, 'many.csv')
    await writeFile(path, ['user_id,item_id,reward,propensity', ...rows].join('\n'))
    const { code, stderr } = await hindcast(['describe', path])
    expect(code).toBe(2)
    expect(stderr).toContain('30 rows cannot be used')
    expect(stderr.match(/line \d+, column propensity/g)).toHaveLength(20)
    expect(stderr).toContain('… and more; 30 rows in all.')
  })

  it('skips and says how many', async () => {
    const path = join(folder, 'many.csv')
    const { code, stdout, stderr } = await hindcast(['describe', path, '--on-bad-row', 'skip', '--json', '-'])
    expect(code).toBe(0)
    expect(stderr).toContain('Skipped 30 bad rows of 60.')
    expect(JSON.parse(stdout)).toMatchObject({ rows: 30, clicks: 0 })
  })

  it.each(['aside.csv', 'aside.ndjson'])('saves them unchanged to %s', async (name) => {
    const aside = join(folder, name)
    const { code, stderr } = await hindcast([
      'describe',
      join(folder, 'many.csv'),
      '--on-bad-row',
      `quarantine:${aside}`,
    ])
    expect(code).toBe(0)
    expect(stderr).toContain(`see ${aside}`)
    const lines = (await readFile(aside, 'utf8')).trimEnd().split('\n')
    if (name.endsWith('.csv')) {
      expect(lines[0]).toBe('bad_line,bad_column,bad_value,reason,user_id,item_id,reward,propensity')
      expect(lines[1]).toBe('3,propensity,7,must be a probability above 0 and at most 1,1,a,1,7')
      expect(lines).toHaveLength(31)
    } else {
      expect(JSON.parse(lines[0]!)).toMatchObject({
        line: 3,
        column: 'propensity',
        value: '7',
        row: { user_id: '1' },
      })
      expect(lines).toHaveLength(30)
    }
  })

  it('does not call a log without a single good row a success', async () => {
    const path = join(folder, 'none.csv')
    await writeFile(path, 'user_id,item_id,reward,propensity\n1,a,0,9\n')
    const { code, stderr } = await hindcast(['describe', path, '--on-bad-row', 'skip'])
    expect(code).toBe(2)
    expect(stderr).toContain('line 2, column propensity = "9"')
  })

  it('does not accept anything else', async () => {
    const { code, stderr } = await hindcast(['describe', join(folder, 'many.csv'), '--on-bad-row', 'ignore'])
    expect(code).toBe(2)
    expect(stderr).toContain('Choose stop, skip or quarantine:FILE.')
  })
})

describe('propensities that were not logged', () => {
  it('are an error that lists the choices', async () => {
    const path = join(folder, 'no-propensity.csv')
    await writeFile(path, 'user_id,item_id,reward\n1,a,0\n2,b,1\n')
    const { code, stderr } = await hindcast(['describe', path])
    expect(code).toBe(2)
    for (const choice of ['none', 'uniform', 'constant:P', 'popularity[:POWER]'])
      expect(stderr).toContain(`--propensity ${choice}`)
  })

  it.each([
    ['none', { source: 'none', min: null }],
    ['uniform', { source: 'assumed', min: 0.5 }],
    ['constant:0.25', { source: 'assumed', min: 0.25 }],
    ['popularity', { source: 'estimated', min: 0.5 }],
  ])(
    'are %s if the user chooses so, and the result says where they come from',
    async (choice, propensity) => {
      const { code, stdout } = await hindcast([
        'describe',
        join(folder, 'no-propensity.csv'),
        '--propensity',
        choice,
        '--json',
        '-',
      ])
      expect(code).toBe(0)
      expect(JSON.parse(stdout).propensity).toMatchObject(propensity)
    },
  )
})
