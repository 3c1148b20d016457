import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { evaluateBy } from '../src/estimate/segments/memory-segments.js'
import { exampleSegments } from '../src/estimate/segments/example-segments.js'
import type { Segments } from '../src/estimate/evaluation.js'
import { parquetBytes } from '../src/log/write/parquet.js'
import { csvText } from '../src/log/write/text.js'
import { evaluateFileBy } from '../src/node/evaluate-file.js'
import { readLogFile } from '../src/node/read-log.js'
import type { ReadOptions } from '../src/read/plan.js'
import { segmentsSchema } from '../src/schemas/evaluation.js'

/** A log in memory and the same log on disk are divided alike, with the same verdicts. */
let folder: string
const paths: Record<string, string> = {}
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-segments-'))
  const log = exampleSegments({ users: 120, rowsEach: 20 })
  paths['csv'] = join(folder, 'log.csv')
  paths['parquet'] = join(folder, 'log.parquet')
  await writeFile(paths['csv'], [...csvText(log)].join(''))
  await writeFile(paths['parquet'], await parquetBytes(log))
})
afterAll(() => rm(folder, { recursive: true }))

/** Numbers to nine digits: engines add in orders of their own. */
const rounded = (segments: Segments): unknown =>
  JSON.parse(
    JSON.stringify(segments, (_key, value: unknown) =>
      typeof value === 'number' ? Number(value.toPrecision(9)) : value,
    ),
  )

describe('segments on disk are those of memory', () => {
  const target = { kind: 'uniform' } as const

  async function expectSame(
    kind: string,
    by: string,
    reading: Pick<ReadOptions, 'catalogue' | 'propensity' | 'clickFrom'> = {},
    most = 50,
  ): Promise<void> {
    const { log } = await readLogFile(paths[kind]!, { ...reading, labels: LABELS })
    const memory = await evaluateBy(log, { by, target, most })
    const disk = await evaluateFileBy(paths[kind]!, { target, ...reading }, { by, most })
    expect(rounded(disk)).toEqual(rounded(memory))
    expect(segmentsSchema.parse(disk)).toEqual(disk)
  }

  it.each([
    ['a label', 'parquet', 'device'],
    ['a label in a text table', 'csv', 'device'],
    ['a label of items', 'parquet', 'genre'],
    ['a label that tells the outcome', 'parquet', 'outcome'],
    ['a label with gaps', 'parquet', 'rare'],
    ['a label with gaps, the rest gathered', 'csv', 'rare', 1],
    ['position', 'parquet', 'position'],
    ['week', 'parquet', 'week'],
    ['day, most of them gathered', 'parquet', 'day', 2],
  ])('by %s', (_name, kind, by, most?: number) => expectSame(kind, by, {}, most))

  it.each([
    ['a catalogue with items that were never shown', { catalogue: ['i0', 'never', 'nor this'] }],
    ['propensities assumed to be uniform', { propensity: { kind: 'uniform' } }],
    ['rewards from ratings', { clickFrom: 1 }],
  ] as const)('with %s', async (_name, reading) => {
    for (const by of ['device', 'genre']) await expectSame('parquet', by, reading)
  })
})

const LABELS = ['device', 'genre', 'outcome', 'rare']

it('a column that the file lacks is an error that suggests the nearest', async () => {
  const asked = evaluateFileBy(paths['csv']!, { target: { kind: 'uniform' } }, { by: 'devise' })
  await expect(asked).rejects.toMatchObject({
    code: 'missing-column',
    remedy: expect.stringContaining('Did you mean device?') as string,
  })
})
