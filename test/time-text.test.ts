import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cellTime } from '../src/log/cell.js'
import { DuckDbAnswers } from '../src/node/duckdb/duckdb-answers.js'
import { Engine } from '../src/node/duckdb/engine.js'
import type { Warehouse } from '../src/node/warehouse/warehouse.js'
import { randomStream } from '../src/random/stream.js'
import { duckdb } from '../src/sql/dialects/duckdb.js'
import { postgresql } from '../src/sql/dialects/postgresql.js'
import { timeTextSql } from '../src/sql/time-text.js'
import { type PostgresServer, postgresServer } from './postgres-server.js'

const server = await postgresServer()

const TEXTS = [
  '2026-03-01',
  '2026-03-01T00:01',
  '2026-03-01 00:01:17',
  '2026-03-01T00:01:17Z',
  '2026-03-01T00:01:17.5',
  '2026-03-01 00:01:17.000000 UTC',
  '2026-03-01 00:01:17.123456789GMT',
  '2026-03-01 00:01:17+00',
  '2026-03-01 00:01:17 -0800',
  '2026-03-01T00:01+05:45',
  '2026-03-01 00:01-11',
  '2026-03-01 23:59:59.999999-23:59',
  '2024-02-29',
  '2000-02-29 12:00',
  '0001-01-01',
  '9999-12-31 23:59:59',
  '1969-12-31T23:59:59.999Z',
  '1772323277',
  '1.7e12',
  ' 12 ',
  // What is no time.
  '2023-02-29',
  '1900-02-29',
  '2026-04-31',
  '2026-13-01',
  '2026-00-10',
  '2026-03-00',
  '2026-03-01T24:00',
  '2026-03-01 12:60',
  '2026-03-01 12:00:60',
  '2026-03-01  12:00',
  '2026-03-01 12',
  '2026-03-01T12:00 CET',
  '2026-03-01Z',
  '2026-3-1',
  ' 2026-03-01',
  '20260301',
  'tomorrow',
  '',
]
/** Dates by chance, most of them with something behind. */
const DRAWN = Array.from({ length: 2000 }, (_, seed) => {
  const { uniform } = randomStream(seed, 'times as text')
  const upTo = (most: number): number => Math.floor(uniform() * (most + 1))
  const two = (value: number): string => String(value).padStart(2, '0')
  const one = <Value>(values: readonly Value[]): Value => values[upTo(values.length - 1)]!
  const date = `${one(['1970', '1999', '2000', '2024', '2026', '2100'])}-${two(upTo(13))}-${two(upTo(32))}`
  const clock = one(['', `${one(['T', ' '])}${two(upTo(24))}:${two(upTo(60))}`])
  const seconds = clock && one(['', `:${two(upTo(60))}`])
  const fraction = seconds && one(['', `.${'123456789'.slice(0, upTo(9))}`])
  const zone = one(['', 'Z', ' UTC', 'GMT', '+01', ' -0330', '+12:45', '+', 'z'])
  return `${date}${clock}${seconds}${fraction}${zone}`
})
const ALL = [...TEXTS, ...DRAWN]
const expected = ALL.map((text) => {
  const time = cellTime(text)
  return Number.isNaN(time) ? null : time
})

describe('a time that is a text', () => {
  it('is one in half of these', () => {
    const known = expected.filter((time) => time !== null).length
    expect(known / ALL.length).toBeGreaterThan(0.3)
    expect(known / ALL.length).toBeLessThan(0.8)
  })

  it('is to DuckDB what it is in a file', async () => {
    const engine = await Engine.open({ files: [], memoryMegabytes: 200 })
    try {
      const rows = ALL.map((text, place) => `(${place}, ${duckdb.literal(text)})`).join(', ')
      const query = `SELECT ${timeTextSql(duckdb, 'word')} FROM (VALUES ${rows}) AS words(place, word) ORDER BY place`
      const found = await new DuckDbAnswers(engine, { file: 'words', unchanged: async () => {} }).numbers(
        query,
      )
      expect(found.map(([time], k) => [ALL[k], time])).toEqual(expected.map((time, k) => [ALL[k], time]))
    } finally {
      engine.dispose()
    }
  })

  describe.skipIf(typeof server === 'string')('is to PostgreSQL', () => {
    const { table, connect } = server as PostgresServer
    let warehouse: Warehouse
    let words: string
    beforeAll(async () => {
      words = await table(
        'times.words',
        { place: 'integer', word: 'text' },
        ALL.map((text, place) => [place, text]),
      )
      warehouse = await connect()
    })
    afterAll(() => warehouse.close())

    it('what it is in a file', async () => {
      const time = timeTextSql(postgresql, postgresql.text('word'))
      const found = await warehouse.numbers(`SELECT ${time} FROM ${words} ORDER BY place`)
      expect(found.map(([at], k) => [ALL[k], at])).toEqual(expected.map((at, k) => [ALL[k], at]))
    })
  })
})
