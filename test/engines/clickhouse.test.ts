import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sourceConformance } from '../../src/estimate/source/conformance.js'
import { clickhouse } from '../../src/sql/dialects/clickhouse.js'
import { joinConformance } from '../join-conformance.js'
import { bucketChecks } from './chosen-checks.js'
import { dialectFacts, hostileTexts } from './dialect-facts.js'
import { engineSums, joinedSums } from './engine-sums.js'
import { MODEL_CHECKS, modelCheck } from './model-checks.js'
import { printedOnEngine } from './printed-on-engine.js'
import { PythonEngine, pythonPackage } from './python-engine.js'

/** ClickHouse inside Python: its dialect, run. */
const found = pythonPackage('chdb', '4.4.0')
if ('lacking' in found) console.log(`ClickHouse's dialect is not run: ${found.lacking}.`)

let [folder, engine]: [string, PythonEngine] = ['', undefined!]

describe.skipIf('lacking' in found)('ClickHouse', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hindcast-clickhouse-'))
    engine = new PythonEngine(
      clickhouse,
      (found as { folder: string }).folder,
      (name, path) => ({
        make: `CREATE TABLE ${name} ENGINE = Memory AS SELECT * FROM file(${clickhouse.literal(path)}, Parquet)`,
        from: name,
      }),
      { folder },
    )
    await engine.ready()
  })
  afterAll(async () => {
    engine.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it.each(
    sourceConformance((...asked) => engineSums(engine, folder)(...asked)).map(
      ({ name, run }) => [name, run] as const,
    ),
  )('gets right: %s', (_name, run) => run())

  it.each(
    bucketChecks(sourceConformance((...asked) => engineSums(engine, folder, 10)(...asked))).map(
      ({ name, run }) => [name, run] as const,
    ),
  )('gets right by bucket: %s', (_name, run) => run())

  it.each(
    joinConformance((...asked) => joinedSums(engine, folder)(...asked)).map(
      ({ name, run }) => [name, run] as const,
    ),
  )('joins as memory does: %s', (_name, run) => run())

  it.each(MODEL_CHECKS)('predicts as memory does: %s', (_name, asked) => modelCheck(engine, folder, asked))

  it('gets the verdict of the rows from the statement that is printed for it', () =>
    printedOnEngine(engine, folder))

  it('says what its dialect promises', async () => {
    await dialectFacts(engine)
  })

  it('keeps a thousand hostile texts in their place', async () => {
    expect(await hostileTexts(engine)).toEqual([])
  })
})
