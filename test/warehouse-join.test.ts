import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Evaluation } from '../src/estimate/evaluation.js'
import { withEnvironment } from './environment.js'
import { hindcast, type Shown } from './hindcast.js'
import { csvOf, isoTime, joinWorld } from './join-world.js'
import { type PostgresServer, postgresServer } from './postgres-server.js'

const server = await postgresServer()
const isThere = typeof server !== 'string'

/** Impressions with devices and clicks, in files, in two tables, and as events of one. */
const world = joinWorld(5, 800)
const shown = world.shown.map(({ id, user, item, propensity, time }, k) => ({
  impression_id: id,
  user_id: user,
  item_id: item,
  propensity,
  other: (propensity + 0.25) / 2,
  device: k % 3 === 0 ? 'phone' : 'desk',
  timestamp: isoTime(time),
}))
// A copy, a late click, one without an id and one of nobody.
const came = [...world.clicks, world.clicks[3]!].map(({ id, of, time }, k) => ({
  click_id: id,
  impression_id: k === 5 ? '' : k === 6 ? id : of,
  clicked_at: isoTime(k === 7 ? time + 7_200_000 : time),
  worth: 1 + (k % 3),
}))
const events = [
  ...shown.map(({ timestamp, ...one }) => ({ kind: 'view', ...one, worth: '', at: timestamp })),
  ...came.map(({ clicked_at, impression_id, worth }) => ({
    kind: 'click',
    impression_id,
    user_id: '',
    item_id: '',
    propensity: '',
    other: '',
    device: '',
    worth,
    at: clicked_at,
  })),
]

let folder: string

beforeAll(async () => {
  if (!isThere) return
  folder = await mkdtemp(join(tmpdir(), 'hindcast-warehouse-join-'))
  const put = async (
    name: string,
    types: Record<string, string>,
    rows: readonly Record<string, string | number>[],
  ): Promise<void> => {
    await writeFile(join(folder, `${name}.csv`), csvOf(rows))
    const cells = rows.map((row) => Object.values(row).map((cell) => (cell === '' ? null : cell)))
    await server.table(`joined.${name}`, types, cells)
  }
  const log = { impression_id: 'uuid', user_id: 'text', item_id: 'text', propensity: 'float8', other: 'float8', device: 'text' } // prettier-ignore
  await put('shown', { ...log, timestamp: 'timestamptz' }, shown)
  await put(
    'clicks',
    { click_id: 'uuid', impression_id: 'uuid', clicked_at: 'timestamptz', worth: 'int4' },
    came,
  )
  await put('events', { kind: 'text', ...log, worth: 'int4', at: 'timestamptz' }, events)
}, 60_000)

const address = (): string => `postgres://reader@127.0.0.1:${(server as PostgresServer).port}/shop`

const asReader = (args: readonly string[]): Promise<Shown> =>
  withEnvironment({ PGPASSWORD: (server as PostgresServer).reader.password }, () =>
    hindcast(args, { cwd: folder }),
  )

const onOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')

/** The JSON of a command that must end as others do. */
async function jsonOf<Answer>(args: readonly string[]): Promise<{ answer: Answer; shown: Shown }> {
  const told = await asReader([...args, '--json', 'answer.json'])
  expect([0, 1, 3, 4], told.stderr).toContain(told.code)
  return { answer: JSON.parse(await readFile(join(folder, 'answer.json'), 'utf8')) as Answer, shown: told }
}

const FILES = ['--decisions', 'shown.csv', '--outcomes', 'clicks.csv']
const TABLES = ['--decisions', 'joined.shown', '--outcomes', 'joined.clicks']
const WORTH = ['--outcome-columns', 'reward=worth']

/** Equal but for the last digits of numbers, for who summed, and for names of files and tables. */
function alike(found: unknown, expected: unknown, where = ''): void {
  if (typeof expected === 'number' && typeof found === 'number') {
    const close = Math.abs(found - expected) <= 1e-9 * Math.max(1, Math.abs(expected))
    expect(close, `${where}: ${found} and ${expected}`).toBe(true)
  } else if (expected !== null && typeof expected === 'object') {
    expect(found, where).toBeTypeOf('object')
    for (const [key, value] of Object.entries(expected))
      if (key !== 'sums') alike((found as Record<string, unknown>)?.[key], value, `${where}.${key}`)
  } else expect(found, where).toBe(expected)
}

describe.skipIf(!isThere)('decisions and outcomes in PostgreSQL', () => {
  it.each([
    ['--wait', '10m', '--target', 'uniform'],
    ['--wait', '10m', ...WORTH, '--reward', 'sum', '--target', 'column:other'],
    [...WORTH, '--reward', 'last', '--default-reward', '0.25', '--cluster', 'row', '--target', 'uniform'],
    ['--wait', '10m', '--by', 'device', '--target', 'uniform'],
  ])('are joined there as in files: %s', async (...asked) => {
    const inFiles = await jsonOf<Evaluation>(['evaluate', ...FILES, ...asked])
    const onDisk = await jsonOf<Evaluation>(['evaluate', ...FILES, '--engine', 'duckdb', ...asked])
    const inTables = await jsonOf<Evaluation>(['evaluate', address(), ...TABLES, ...asked])
    alike(onDisk.answer, inFiles.answer)
    alike(inTables.answer, inFiles.answer)
    expect(inTables.shown.code).toBe(inFiles.shown.code)
    const said = (one: Shown): string => /Left out: [^.]*\./.exec(onOneLine(one.stderr))![0]
    expect(said(inTables.shown)).toBe(said(inFiles.shown))
    expect(onOneLine(inTables.shown.stderr)).toContain('of joined.clicks to 800 decisions')
  })

  it('are compared and planned with, and may be queries', async () => {
    const asked = ['--wait', '10m']
    const targets = ['--targets', 'logging', 'uniform', 'column:other']
    const compared = await jsonOf<object>(['compare', ...FILES, ...targets, ...asked])
    const queries = [
      '--decisions',
      '(SELECT * FROM joined.shown)',
      '--outcomes',
      '(SELECT impression_id, click_id, clicked_at FROM joined.clicks;)',
    ]
    alike(
      (await jsonOf<object>(['compare', address(), ...queries, ...targets, ...asked])).answer,
      compared.answer,
    )
    const uniform = ['--target', 'uniform', ...asked]
    const planned = await jsonOf<object>(['plan', ...FILES, ...uniform])
    alike((await jsonOf<object>(['plan', address(), ...TABLES, ...uniform])).answer, planned.answer)
  })

  it('may be events of one table', async () => {
    const asked = ['--kind', 'kind:view=decision,click=outcome', '--wait', '10m', '--columns', 'time=at', '--target', 'uniform', ...WORTH] // prettier-ignore
    const inFile = await jsonOf<Evaluation>(['evaluate', '--events', 'events.csv', ...asked])
    const inTable = await jsonOf<Evaluation>(['evaluate', address(), '--events', 'joined.events', ...asked])
    alike(inTable.answer, inFile.answer)
  })

  it('may be those of a period or a part, whose other outcomes are not missed', async () => {
    const [since, until] = ['2026-03-05', '2026-03-20T12:00Z']
    const kept = shown.filter(
      ({ timestamp, device }) =>
        device === 'phone' && new Date(timestamp) >= new Date(since) && new Date(timestamp) < new Date(until),
    )
    await writeFile(join(folder, 'part.csv'), csvOf(kept))
    const ids = new Set(kept.map(({ impression_id }) => impression_id))
    await writeFile(join(folder, 'part-clicks.csv'), csvOf(came.filter(({ impression_id }) => ids.has(impression_id)))) // prettier-ignore
    const inFile = await jsonOf<Evaluation>(['evaluate', '--target', 'uniform', '--decisions', 'part.csv', '--outcomes', 'part-clicks.csv', '--wait', '10m']) // prettier-ignore
    const part = [
      '--where',
      "device = 'phone'",
      '--since',
      since,
      '--until',
      until,
      '--wait',
      '10m',
      '--target',
      'uniform',
    ]
    const inTable = await jsonOf<Evaluation>(['evaluate', address(), ...TABLES, ...part])
    alike(inTable.answer.estimates, inFile.answer.estimates)
    expect(onOneLine(inTable.shown.stderr)).toMatch(/Joined \d+ outcomes of joined.clicks to \d+ decisions/)
    expect(inTable.shown.stderr).not.toContain('without a decision')
  })

  it('that cannot be joined say why', async () => {
    const wrong: [string[], string][] = [
      [['--decisions', 'joined.shown'], '--decisions needs outcomes to join.'],
      [['--table', 'joined.shown', '--wait', '10m'], '--wait needs outcomes to join.'],
      [
        ['--table', 'joined.shown', ...TABLES, '--wait', '10m'],
        '--table and --decisions exclude each other.',
      ],
      [['--events', 'joined.events'], '--events needs to know which events are decisions.'],
      [['--decisions', 'joined.shown', '--outcomes', 'joined.clics'], 'Did you mean joined.clicks?'],
      [[...TABLES, '--outcome-columns', 'time=clickd_at'], 'Did you mean time=clicked_at?'],
      [[...TABLES, '--columns', 'decision=impresion_id'], 'Name it with --columns decision=impression_id.'],
      [
        ['--decisions', 'joined.shown', '--outcomes', '(SELECT worth FROM joined.clicks)'],
        'the query of outcomes has no column that seems to hold the ids of decisions, such as impression_id.',
      ],
      [
        [
          '--decisions',
          'joined.shown',
          '--outcomes',
          '(SELECT impression_id, worth FROM joined.clicks)',
          '--wait',
          '10m',
        ],
        '--wait needs the times of decisions and outcomes, and the query of outcomes has none.',
      ],
      [
        ['--query', 'SELECT nullif(impression_id, (SELECT min(impression_id::text)::uuid FROM joined.shown)) AS impression_id, user_id, item_id, propensity FROM joined.shown', '--outcomes', 'joined.clicks'], // prettier-ignore
        'the query: 1 row cannot be used: without an id of the decision (impression_id).',
      ],
      [
        [...TABLES, '--outcome-columns', 'reward=worth / (worth - 2)'],
        `joined.clicks: some outcomes cannot be used: ${came.filter(({ worth }) => worth === 2).length} rows without a valid reward. decision `,
      ],
      [
        ['--decisions', 'joined.shown', '--outcomes', '(SELECT impression_id, worth FROM joined.clicks UNION ALL SELECT impression_id, 7 FROM joined.clicks)', ...WORTH], // prettier-ignore
        'Some decisions have several outcomes, and the query of outcomes has no times to show which came first.',
      ],
    ]
    for (const [args, message] of wrong) {
      const { code, stderr } = await asReader(['evaluate', address(), '--target', 'uniform', ...args])
      expect(onOneLine(stderr)).toContain(message)
      expect(code).toBe(2)
    }
  })
})
