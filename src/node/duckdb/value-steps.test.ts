import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { computeValue } from '../../log/values/compute-value.js'
import { parseValue } from '../../log/values/origin.js'
import { quoted } from '../../sql/dialect.js'
import { Engine } from './engine.js'
import { ValueSteps } from './value-steps.js'

let engine: Engine
beforeAll(async () => {
  engine = await Engine.open({ files: [] })
})
afterAll(() => engine.dispose())

type Row = readonly [a: number, b: number]

/** The value of each row, by DuckDB. */
async function byEngine(text: string, rows: readonly Row[]): Promise<number[]> {
  await engine.connection.run('CREATE OR REPLACE TEMP TABLE numbers (a DOUBLE, b DOUBLE)')
  const appender = await engine.connection.createAppender('numbers')
  for (const [a, b] of rows) {
    appender.appendDouble(a)
    appender.appendDouble(b)
    appender.endRow()
  }
  appender.closeSync()
  const steps = new ValueSteps(['a', 'b'], ({ name }) => quoted(name))
  const value = steps.add(parseValue(text, 'reward'))
  const answer = await engine.connection.runAndReadAll(`SELECT ${value} FROM ${steps.around('numbers')}`)
  return answer.getRows().map(([number]) => number as number)
}

/** The value of each row, by the reader of bytes. */
function byBytes(text: string, rows: readonly Row[]): number[] {
  const compute = computeValue<Row>(parseValue(text, 'reward'), (row, { name }) => row[name === 'a' ? 0 : 1])
  return rows.map(compute)
}

const EDGES = [0, -0, 1, -1, 0.5, 2, 1e-320, 5e-324, 2.2250738585072014e-308, Number.MAX_VALUE, Infinity, NaN]

describe('values that DuckDB computes', () => {
  it.each([
    'a / 100',
    '1 / a',
    '-a',
    'a + b * a - b / a',
    'exp(a)',
    'log(a)',
    'exp(log(a) - log(b))',
    'min(a, b, 0.5)',
    'max(a, b) / min(a, b)',
    'a >= b',
    '(a < b) + (a = b) + (a > b)',
    '(a <= b) * (a != b)',
    '1 / (a - b) > 0',
    'min(1, 1 / a)',
    'exp(1000 * a) > 1',
  ])('%s has the bits of the reader of bytes', async (text) => {
    const number = fc.oneof(
      fc.double({ min: -800, max: 800, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double(),
      fc.constantFrom(...EDGES),
    )
    const sample = fc.sample(fc.tuple(number, number), { numRuns: 3000 })
    const rows: Row[] = [...sample, ...EDGES.flatMap((a) => EDGES.map((b): Row => [a, b]))]
    const [theirs, ours] = [await byEngine(text, rows), byBytes(text, rows)]
    const different = rows.filter((_, k) => !Object.is(theirs[k], ours[k]))
    expect(different).toEqual([])
  })

  it('has no exact case that is only equal by chance: e⁰ = 1, ln 1 = 0, 3/4, and no value for 1/0', async () => {
    expect(await byEngine('exp(a) + log(b)', [[0, 1]])).toEqual([1])
    expect(
      await byEngine('a / b', [
        [3, 4],
        [1, 0],
        [NaN, 1],
      ]),
    ).toEqual([0.75, NaN, NaN])
  })
})
