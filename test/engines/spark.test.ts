import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sourceConformance } from '../../src/estimate/source/conformance.js'
import { spark } from '../../src/sql/dialects/spark.js'
import { joinConformance } from '../join-conformance.js'
import { bucketChecks, chosenChecks, chosenJoins } from './chosen-checks.js'
import { dialectFacts, hostileTexts } from './dialect-facts.js'
import { engineSums, joinedSums } from './engine-sums.js'
import { MODEL_CHECKS, modelCheck } from './model-checks.js'
import { printedOnEngine } from './printed-on-engine.js'
import { PythonEngine, pythonPackage } from './python-engine.js'

const OLDEST_JAVA = 17

/** Spark inside Python: its dialect, run. */
const found = hasJava()
  ? pythonPackage('pyspark', '4.3.0')
  : { lacking: `it needs Java ${OLDEST_JAVA} or later` }
if ('lacking' in found) console.log(`Spark's dialect is not run: ${found.lacking}.`)

let [folder, engine]: [string, PythonEngine] = ['', undefined!]

function hasJava(): boolean {
  const home = process.env['JAVA_HOME']
  const { status, stderr } = spawnSync(home ? join(home, 'bin', 'java') : 'java', ['-version'], {
    encoding: 'utf8',
  })
  return status === 0 && Number(/version "(\d+)/.exec(stderr)?.[1]) >= OLDEST_JAVA
}

describe.skipIf('lacking' in found)('Spark', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hindcast-spark-'))
    engine = new PythonEngine(
      spark,
      (found as { folder: string }).folder,
      (name, path) => ({
        make: `CREATE TEMPORARY VIEW ${name} USING parquet OPTIONS (path ${spark.literal(path)})`,
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
    chosenChecks(sourceConformance((...asked) => engineSums(engine, folder)(...asked))).map(
      ({ name, run }) => [name, run] as const,
    ),
  )('gets right: %s', (_name, run) => run())

  it.each(
    bucketChecks(sourceConformance((...asked) => engineSums(engine, folder, 10)(...asked))).map(
      ({ name, run }) => [name, run] as const,
    ),
  )('gets right by bucket: %s', (_name, run) => run())

  it.each(
    chosenJoins(joinConformance((...asked) => joinedSums(engine, folder)(...asked))).map(
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
