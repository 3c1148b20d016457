import { expect } from 'vitest'
import { md5Bucket } from '../../src/md5.js'
import { idBucket, idBucketSql } from '../../src/sql/id-bucket.js'
import { randomStream } from '../../src/random/stream.js'
import type { SqlEngine } from '../../src/sql/engine.js'

/** A thousand texts made of what could end a text or a name, begin a comment or another statement. */
export const HOSTILE: readonly string[] = Array.from({ length: 1000 }, (_, seed) => {
  const { uniform } = randomStream(seed, 'conformance')
  const pieces = [
    "'",
    '"',
    '`',
    '\\',
    ';',
    '--',
    '/*',
    '*/',
    '\n',
    '\r',
    '$$',
    'é',
    '😀',
    ' OR 1=1',
    ')',
    '%',
    '#',
  ]
  const count = 1 + Math.floor(uniform() * 6)
  return Array.from({ length: count }, () => pieces[Math.floor(uniform() * pieces.length)]).join('')
})

/** The hostile texts that an engine does not give back as they were: none, if no text can leave its place. */
export async function hostileTexts(engine: SqlEngine): Promise<string[]> {
  const { dialect } = engine
  const wrong: string[] = []
  for (let first = 0; first < HOSTILE.length; first += 100) {
    const texts = HOSTILE.slice(first, first + 100)
    const rows = texts.map((text, k) => `(${k}, ${dialect.literal(text)})`)
    const found = await engine.texts(
      `SELECT hostile FROM (VALUES ${rows.join(', ')}) AS texts (place, hostile) ORDER BY place`,
    )
    texts.forEach((text, k) => {
      if (found[k] !== text) wrong.push(text)
    })
  }
  return wrong
}

/** What every dialect promises, asked of a real engine. */
export async function dialectFacts(engine: SqlEngine): Promise<void> {
  const { dialect } = engine
  const one = async (expression: string): Promise<number | null> =>
    (await engine.numbers(`SELECT ${dialect.double(expression)} AS x`))[0]![0]!
  for (const value of [0.1 + 0.2, 5e-324, -1, 0, 1e23, 1.7976931348623157e308, 2 ** 53, Infinity, -Infinity])
    expect(await one(dialect.number(value)), `${value}`).toBe(value)
  for (const text of ['', 'a', 'é', '😀', '007', '9007199254740993'])
    expect(await one(dialect.bucket(dialect.text(dialect.literal(text))))).toBe(md5Bucket(text))
  for (const text of ['', 'a', '0', '007', '-5', '٣', '9007199254740993', '1234567890123456789'])
    expect(await one(idBucketSql(dialect, dialect.literal(text), false)), text).toBe(idBucket(text))
  for (const id of ['0', '7', '-5', '9007199254740993', '1234567890123456789'])
    expect(await one(idBucketSql(dialect, `CAST(${dialect.literal(id)} AS BIGINT)`, true)), id).toBe(
      idBucket(id),
    )
  const isNumber = async (value: string): Promise<number | null> =>
    one(`CASE WHEN ${dialect.isNumber(value)} THEN 1 WHEN NOT ${dialect.isNumber(value)} THEN 0 END`)
  const nan = `(${dialect.number(Infinity)} - ${dialect.number(Infinity)})`
  expect(await isNumber(dialect.double('NULL'))).toBe(0)
  expect(await isNumber(nan)).toBe(0)
  expect(await isNumber(dialect.number(Infinity))).toBe(1)
  expect(await isNumber(dialect.number(0))).toBe(1)
  expect(await one(dialect.floor(dialect.number(-1.5)))).toBe(-2)
  expect(await one(dialect.floor(dialect.number(1e300)))).toBe(1e300)
  expect(await one(dialect.log10(dialect.number(1000)))).toBeCloseTo(3, 14)
  for (const [text, value] of PARSED)
    expect(await one(dialect.parsed(dialect.text(dialect.literal(text)))), `“${text}”`).toBe(value)
  for (const [kind, value] of Object.entries(TIMES[dialect.name]!))
    expect(await one(dialect.milliseconds(value, kind as 'time')), kind).toBeCloseTo(
      kind === 'date' ? 1593561600000 : 1593606896123.456,
      2,
    )
}

const PARSED: readonly (readonly [text: string, value: number | null])[] = [
  ['1', 1],
  [' 0.30000000000000004 ', 0.30000000000000004],
  ['-1e-3', -0.001],
  ['+.5', 0.5],
  ['5.', 5],
  ['1d', null],
  ['NaN', null],
  ['0x10', null],
  ['', null],
  ['x', null],
]

/** 2020-07-01 12:34:56.123456, as each kind of column. */
const TIMES: Readonly<Record<string, Partial<Record<'time' | 'instant' | 'date', string>>>> = {
  trino: {
    time: "TIMESTAMP '2020-07-01 12:34:56.123456'",
    instant: "TIMESTAMP '2020-07-01 14:34:56.123456 +02:00'",
    date: "DATE '2020-07-01'",
  },
  spark: {
    time: "TIMESTAMP_NTZ '2020-07-01 12:34:56.123456'",
    instant: "TIMESTAMP '2020-07-01 14:34:56.123456+02:00'",
    date: "DATE '2020-07-01'",
  },
  clickhouse: {
    instant: "toDateTime64('2020-07-01 21:34:56.123456', 6, 'Asia/Tokyo')",
    date: "toDate('2020-07-01')",
  },
}
