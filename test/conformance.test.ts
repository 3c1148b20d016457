import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BadRowsError } from '../src/log/bad-rows.js'
import { zstdOf } from '../src/log/bytes/example-zstd.js'
import { bytesInput } from '../src/log/bytes/input.js'
import { parquetBytes } from '../src/log/write/parquet.js'
import { csvText, ndjsonText } from '../src/log/write/text.js'
import { readLogFile } from '../src/node/read-log.js'
import type { ReadOptions } from '../src/read/plan.js'
import { readLog } from '../src/read/read-log.js'
import { toyWorld } from '../src/world/toy.js'

/**
 * The two ways to read a log, through DuckDB in Node and from bytes in a browser, give the same Log, or
 * complain about the same cells in the same words.
 */
let folder: string
let counter = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-conformance-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function bothWays(content: string | Uint8Array, options: ReadOptions = {}): Promise<string> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  const path = join(folder, `log-${counter++}`)
  await writeFile(path, bytes)
  const fromBytes = await outcome(readLog(bytesInput(path, bytes), options))
  const fromFile = await outcome(readLogFile(path, options))
  expect(fromFile).toEqual(fromBytes)
  return fromBytes
}

/** What reading gave, a line for each column of the log or each bad cell. */
async function outcome(reading: ReturnType<typeof readLog>): Promise<string> {
  try {
    const { log, skipped } = await reading
    const columns = Object.entries(log).map(([name, values]) => `${name}: ${shown(values)}`)
    return [...columns.toSorted(), `skipped: ${skipped}`].join('\n')
  } catch (error) {
    if (!(error instanceof BadRowsError)) return (error as Error).message.replaceAll(/\S*log-\d+/g, 'FILE')
    const cells = error.cells.map(({ line, column, value, reason }) =>
      JSON.stringify([line, column, value, reason]),
    )
    return [`${error.rows} bad rows`, ...cells].join('\n')
  }
}

const shown = (values: unknown): string =>
  ArrayBuffer.isView(values)
    ? asText(values)
    : JSON.stringify(values, (_key, value: unknown) => asText(value))

/** A typed array as text; all else as it is. */
const asText = <Value>(value: Value): Value extends ArrayBufferView ? string : Value =>
  (ArrayBuffer.isView(value)
    ? Array.from(value as unknown as Float64Array, String).join(' ')
    : value) as never

const header = 'user_id,item_id,reward,propensity'

describe('text tables', () => {
  it.each([
    ['plain', `${header}\n1,a,0,0.5\n2,b,1,0.25\n`],
    ['without a last line end', `${header}\n1,a,0,0.5\n2,b,1,0.25`],
    ['with Windows line ends', `${header}\r\n1,a,0,0.5\r\n2,b,1,0.25\r\n`],
    ['with mixed line ends', `${header}\r\n1,a,0,0.5\n2,b,1,0.25\r\n`],
    ['with blank lines', `\n${header}\n\n1,a,0,0.5\n\n\n2,b,1,0.25\n\n`],
    ['with a byte-order mark', `\ufeff${header}\n1,a,0,0.5\n`],
    ['with quotes', `${header}\n"1","a ""b"", c",0,"0.5"\n "2" , b ,1,0.25\n`],
    ['with line breaks in quotes', `${header}\n1,"a\nb",0,0.5\n2,"a\r\nb",1,0.25\n`],
    [
      'with numbers in odd dress',
      `${header}\n1,a, 0 ,5e-1\n2,b,+1,.25\n3,c,1.,1E-2\n4,d,true,1\n5,e,FALSE,0.1\n`,
    ],
    [
      'with ids that only look like numbers',
      `${header}\n007,1.0,0,0.5\n7,1,1,0.25\n-0,+1,1,0.25\n9007199254740993,1e3,0,0.1\n`,
    ],
    ['with ids that are numbers', `${header}\n10,-5,0,0.5\n9,20,1,0.25\n-3,100,1,0.25\n`],
    ['with huge ids', `${header}\n18446744073709551615,1,0,0.5\n9223372036854775807,2,1,0.25\n`],
    ['with semicolons', `${header.replaceAll(',', ';')}\n1;a;0;0.5\n2;b;1;0.25\n`],
    ['with a line for Excel', `sep=;\r\n${header.replaceAll(',', ';')}\r\n1;a;0;0.5\r\n2;;1;0.25\r\n`],
    ['with comments above', `# made "today, by a\n#\n${header}\n1,a,0,0.5\n2,,1,0.25\n`],
    ['with tabs', `${header.replaceAll(',', '\t')}\n1\ta\t0\t0.5\n2\tb\t1\t0.25\n`],
    ['with Unicode', `${header}\nÅsa,日本,0,0.5\n𝒳,ﬃ,1,0.25\n`],
    ['with more columns than are needed', `a,${header},b\nx,1,a,0,0.5,y\nx,2,b,1,0.25,\n`],
    ['with odd column names', `"user ""id""",${header},\nx,1,a,0,0.5,y\n`],
    [
      'with every optional column',
      `${header},target_prob,slate_id,position,timestamp,cluster,weight\n1,a,0,0.5,0.1,s1,1,2024-05-01,c,2\n2,b,1,0.25,0.9,s2,2,2024-05-01T10:00:00+02:00,d,3.5\n`,
    ],
    [
      'with dates of all kinds',
      `${header},timestamp\n${['2019-11-24 00:01:03.979311+00:00', '2024-02-29', '2024-05-01 12:30', '2024-05-01T12:30:45Z', '2024-05-01T12:30:45.123456789-03:30', '2024-05-01 12:30:45+05', '1714566645', '1.5e3'].map((time, k) => `${k},a,0,0.5,${time}`).join('\n')}\n`,
    ],
    [
      'with dates that are none',
      `${header},timestamp\n${['2023-02-29', '2024-13-01', '2024-05-01 24:00:00', '2024-05-01 12:60:00', '2024-5-1', '12:30', 'true', '2024-05-01T12:30 X', ''].map((time, k) => `${k},a,0,0.5,${time}`).join('\n')}\n`,
    ],
    [
      'with numbers that are none',
      `${header}\n${['1_000', '0x1F', '+-1', '1,5', '1e', 'e5', 'nan', '-inf', 'Infinity', '1e400', '--1', '1 2', '1\u00a0', '٣', ''].map((reward, k) => `${k},a,"${reward}",0.5`).join('\n')}\n`,
    ],
    [
      'with times as warehouses write them',
      `${header},timestamp\n${['2026-03-01 00:01:17.000000 UTC', '2026-03-01 00:01:17 UTC', '2026-03-01 00:01:17+00', '2026-03-01 00:01:17.5 +0000', '2026-03-01 00:01:17 -08:00', '2026-03-01T00:01:17.000+0000', '2026-03-01T00:01Z', '2026-03-01 00:01 GMT', '2026-03-01', '1772323277', '1772323277000', '1772323277000000', '1772323277000000000', '1772323277.25'].map((time, k) => `${k},a,0,0.5,${time}`).join('\n')}\n`,
    ],
    [
      'with times that are none',
      `${header},timestamp\n${['2026-03-01 00:01:17 CET', '2026-03-01 00:01:17 Europe/Berlin', '03/01/2026', '2026-03-01 UTC', '2026-03-01 00:01:17  UTC', '2026-03-01 25:01:17 UTC', 'yesterday', 'NULL'].map((time, k) => `${k},a,0,0.5,${time}`).join('\n')}\n`,
    ],
    ['with missing cells', `${header}\n,a,0,0.5\n1,,0,0.5\n1,a,,0.5\n1,a,0,\n"",a,0,0.5\n`],
    ['cut off', `${header}\n1,a,0,0.5\n2,b`],
    ['with a field too many', `${header}\n1,a,0,0.5,9\n2,b,1,0.25\n`],
    ['with text behind a quote', `${header}\n"1"x,a,0,0.5\n2,b,1,0.25\n`],
    ['with a quote that does not end', `${header}\n1,a,0,0.5\n2,"b,1,0.25\n`],
    ['with a header and no rows', `${header}\n`],
    ['without a header', `1,2,0,0.5\n2,3,1,0.25\n`],
    ['empty', ''],
    ['blank', '\n\n'],
  ])('%s', async (_name, text) => {
    expect(await bothWays(text)).toMatchSnapshot()
  })

  it('named by --header and --columns', async () => {
    const result = await bothWays('1;2;1;0.5\n2;3;0;0.25\n', {
      header: ['u', 'i', 'r', 'p'],
      columns: { user: 'u', item: 'i', reward: 'r', propensity: 'p' },
    })
    expect(result).toMatchSnapshot()
  })

  it('bad rows left out', async () => {
    const result = await bothWays(`${header}\n1,a,0,0.5\n2,b,1,7\n3\n4,c,1,0.1\n`, { onBadRow: 'skip' })
    expect(result).toMatchSnapshot()
  })

  it('whatever the cells hold', async () => {
    const cell = fc.oneof(
      fc.double({ noDefaultInfinity: true }).map(String),
      fc.integer().map(String),
      fc.constantFrom(
        '',
        ' ',
        '0.5',
        '1',
        'a',
        '007',
        'true',
        'nan',
        '"',
        'x"y',
        "it's",
        '1_0',
        '-',
        '.',
        'é',
      ),
      fc.string({ maxLength: 6 }).filter((text) => !/[\r\n\0]/.test(text)),
    )
    const quoted = fc
      .tuple(cell, fc.boolean())
      .map(([text, quote]) => (quote || /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text))
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(quoted, quoted, quoted, quoted), { minLength: 1, maxLength: 12 }),
        async (rows) => {
          await bothWays(`${header}\n${rows.map((cells) => cells.join(',')).join('\n')}\n`, {
            onBadRow: 'keep',
          })
        },
      ),
      { numRuns: 60, seed: 42 },
    )
  }, 60_000)
})

describe('NDJSON', () => {
  it.each([
    [
      'plain',
      '{"user_id":1,"item_id":"a","reward":0,"propensity":0.5}\n{"user_id":"2","item_id":"b","reward":true,"propensity":"0.25"}\n',
    ],
    [
      'with keys in another order and blank lines',
      '{"propensity":0.5,"reward":0,"item_id":7,"user_id":3}\n\n{"user_id":4,"item_id":7,"reward":1,"propensity":1e-2}',
    ],
    [
      'with numbers that are no ids',
      '{"user_id":1.5,"item_id":1e3,"reward":0,"propensity":0.5}\n{"user_id":12345678901234567890,"item_id":2.0,"reward":1,"propensity":0.5}\n',
    ],
    [
      'with missing and null cells',
      '{"user_id":1,"item_id":"a","reward":null,"propensity":0.5}\n{"user_id":null,"item_id":"a","reward":1}\n',
    ],
    ['with nested cells', '{"user_id":{"a":1},"item_id":"a","reward":[1],"propensity":0.5}\n'],
    [
      'with dates',
      '{"user_id":1,"item_id":"a","reward":0,"propensity":0.5,"timestamp":"2024-05-01T10:00:00.123456Z"}\n{"user_id":1,"item_id":"a","reward":0,"propensity":0.5,"timestamp":1714566645}\n',
    ],
    ['cut off', '{"user_id":1,"item_id":"a","reward":0,"propensity":0.5}\n{"user_id":1,"it'],
    [
      'with lines that are no objects',
      '{"user_id":1,"item_id":"a","reward":0,"propensity":0.5}\n[1]\n"x"\n7\n',
    ],
    ['with escapes', '{"user_id":"\\u00e9\\n","item_id":"a\\"b","reward":0,"propensity":0.5}\n'],
  ])('%s', async (_name, text) => {
    expect(await bothWays(text)).toMatchSnapshot()
  })
})

describe('Parquet', () => {
  it('as Hindcast writes it', async () => {
    const log = toyWorld({ seed: 3, users: 50, items: 20 }).draw()
    const read = await bothWays(await parquetBytes(log))
    expect(read).toContain(`reward: ${shown(log.reward)}`)
    expect(read).toContain(`propensity: ${shown(log.propensity)}`)
  })

  it.each([
    [
      'of many types',
      `SELECT i::INTEGER AS user_id, 'item ' || (i % 3) AS item_id, i % 2 = 0 AS reward, (0.5 / (i + 1))::FLOAT AS propensity,
      TIMESTAMP '2024-05-01 10:00:00.123456' + INTERVAL (i) SECOND AS timestamp, i::TINYINT AS position FROM range(10) t(i)`,
    ],
    [
      'with spread ids',
      `SELECT (i * 1000000007) AS user_id, i AS item_id, 1.0 AS reward, 0.5 AS propensity FROM range(10) t(i)`,
    ],
    [
      'with ids as doubles',
      `SELECT i::DOUBLE AS user_id, i + 0.5 AS item_id, 1.0 AS reward, 0.5 AS propensity FROM range(3) t(i)`,
    ],
    [
      'with nulls',
      `SELECT CASE WHEN i <> 1 THEN i END AS user_id, 'a' AS item_id, CASE WHEN i <> 2 THEN 1.0 END AS reward, 0.5 AS propensity FROM range(4) t(i)`,
    ],
    ...['TIMESTAMP_S', 'TIMESTAMP_MS', 'TIMESTAMP', 'TIMESTAMP_NS', 'TIMESTAMPTZ', 'DATE', 'VARCHAR'].map(
      (type) => [
        `with times of type ${type}`,
        `SELECT i AS user_id, 'a' AS item_id, 1.0 AS reward, 0.5 AS propensity, CAST(t AS ${type}) AS timestamp FROM (SELECT i, TIMESTAMP '2026-03-01 00:01:17.123456' + INTERVAL (i) HOUR AS t FROM range(3) r(i))`,
      ],
    ),
    ...['s', 'ms', 'us', 'ns'].map((unit) => [
      `with times as whole numbers of ${unit}`,
      `SELECT i AS user_id, 'a' AS item_id, 1.0 AS reward, 0.5 AS propensity, epoch_${unit}(TIMESTAMP '2026-03-01 00:01:17' + INTERVAL (i) HOUR)::BIGINT AS timestamp FROM range(3) r(i)`.replace(
        'epoch_s(',
        'epoch(',
      ),
    ]),
    [
      'with several row groups',
      `SELECT i % 100 AS user_id, 'x' || (i % 7) AS item_id, (i % 5 = 0)::INT AS reward, 0.5 AS propensity FROM range(10000) t(i)`,
    ],
  ])('%s', async (_name, query) => {
    const path = join(folder, `made-${counter++}.parquet`)
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    await connection.run(`COPY (${query}) TO '${path}' (FORMAT parquet, ROW_GROUP_SIZE 2048)`)
    const result = await bothWays(await readFile(path))
    if (result.length < 2000) expect(result).toMatchSnapshot()
  })

  it('damaged in the middle', async () => {
    const bytes = await parquetBytes(toyWorld({ users: 400, items: 30 }).draw())
    bytes.fill(0xff, 100, 600)
    expect(await bothWays(bytes)).toContain('truncated or damaged')
  })

  it('cut off', async () => {
    const bytes = await parquetBytes(toyWorld({ users: 5, items: 3 }).draw())
    expect(await bothWays(bytes.slice(0, bytes.length - 20))).toContain('truncated or damaged')
  })
})

describe('labels', () => {
  const labels = ['device', 'shop "x"']
  const rows = ['phone,1', ',2', 'Phone,10', '"a, ""b""",', ' phone ,007', '0.50,-0', 'true,1e3', 'é,2']
  const table = `${header},device,"shop ""x"""\n${rows.map((row, k) => `${k},a,0,0.5,${row}`).join('\n')}\n`

  it('of a text table', async () => {
    expect(await bothWays(table, { labels })).toMatchSnapshot()
  })

  it('of a table that DuckDB rejects', async () => {
    expect(await bothWays(`${table}9,a\n`, { labels, onBadRow: 'skip' })).toContain('skipped: 1')
  })

  it('that the file lacks', async () => {
    expect(await bothWays(table, { labels: ['devise'] })).toBe('FILE has no column "devise".')
  })

  it('of NDJSON, whatever its cells are', async () => {
    const cells = ['"phone"', 'true', '7', '7.0', '0.50', '1e-7', '12345678901234567890', 'null', '[1]', '""']
    const lines = cells.map(
      (cell, k) => `{"user_id":${k},"item_id":1,"reward":0,"propensity":0.5,"device":${cell}}`,
    )
    lines.push('{"user_id":99,"item_id":1,"reward":0,"propensity":0.5}')
    expect(await bothWays(`${lines.join('\n')}\n`, { labels: ['device'] })).toMatchSnapshot()
  })

  it('of Parquet, whatever its columns are', async () => {
    const path = join(folder, `made-${counter++}.parquet`)
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    await connection.run(
      `COPY (SELECT i AS user_id, 1 AS item_id, 0.0 AS reward, 0.5 AS propensity, i % 2 = 0 AS flag, i / 4 AS quarter,
        (i / 10)::FLOAT AS tenth, CASE WHEN i % 3 > 0 THEN 'shop ' || (i % 3) END AS shop, i % 3 AS whole
        FROM range(10) t(i)) TO '${path}' (FORMAT parquet)`,
    )
    const options = { labels: ['flag', 'quarter', 'tenth', 'shop', 'whole'] }
    expect(await bothWays(await readFile(path), options)).toMatchSnapshot()
  })
})

describe('values', () => {
  const table = 'uid;sku;rating;p;"ipw x";logp\n1;a;5;25;4;-0.5\n2;b;3;50;2;-1.25\n3;c;4;100;1;0\n'
  const columns = { user: 'uid', item: 'sku', reward: 'rating >= 4', propensity: 'p / 100' }

  it.each([
    ['by division', columns],
    ['by inversion', { ...columns, propensity: '1 / "ipw x"' }],
    ['of logarithms', { ...columns, propensity: 'exp(logp)', q: 'log(p) - logp' }],
    ['of several columns', { ...columns, propensity: 'min(p / 100, 1 / "ipw x")', weight: 'max(rating, 4)' }],
    ['of a column in quotes', { ...columns, propensity: '"ipw x"' }],
    ['for a time', { ...columns, time: 'p * 1e9' }],
    ['with a fault', { ...columns, propensity: 'p / / 100' }],
    ['of a column that is not there', { ...columns, propensity: 'pp / 100' }],
    ['for an id', { ...columns, user: 'uid + 1' }],
    ['that divide by zero', { ...columns, propensity: '1 / (p - 50)' }],
    ['that have no logarithm', { ...columns, propensity: 'exp(log(3 - rating))' }],
  ])('%s', async (_name, mapping) => {
    expect(await bothWays(table, { columns: mapping })).toMatchSnapshot()
  })

  it('of cells that are missing or text', async () => {
    const text = 'user_id,item_id,rating,propensity\n1,a,5,0.5\n2,b,,0.5\n3,c,good,0.5\n4,d,true,0.5\n'
    expect(await bothWays(text, { columns: { reward: 'rating >= 4' } })).toMatchSnapshot()
    expect(await bothWays(text, { columns: { reward: 'rating >= 4' }, onBadRow: 'skip' })).toMatchSnapshot()
  })

  it('of words, in text and in JSON', async () => {
    const words = ['Y', 'N', 'yes', 'NO', 't', 'F', '', 'y ', 'clicked', '1', 'NULL', 'None', String.raw`\N`]
    const text = `user_id,item_id,said,propensity\n${words.map((word, k) => `${k},a,${word},0.5`).join('\n')}\n`
    const lines = [...words, true, 7, null].map((said, k) =>
      JSON.stringify({ user_id: k, item_id: 'a', said, propensity: 0.5 }),
    )
    const rewards = [
      'said',
      'filled(said, 0)',
      "said = 'Y'",
      "said != 'Y'",
      "filled(said = 'clicked', 0)",
      "filled(said = 'None', 0)",
      "'true' = said",
    ]
    for (const reward of rewards) {
      expect(await bothWays(text, { columns: { reward }, onBadRow: 'skip' }), reward).toContain('skipped:')
      expect(await bothWays(lines.join('\n'), { columns: { reward }, onBadRow: 'skip' })).toContain(
        'skipped:',
      )
    }
    expect(await bothWays(text, { columns: { reward: 'said' }, onBadRow: 'skip' })).toContain(
      'reward: 1 0 1 0 1 0 1',
    )
  })

  it('of NDJSON', async () => {
    const lines = [
      '{"user_id":1,"item_id":"a","rating":5,"p":"25"}',
      '{"user_id":2,"item_id":"b","rating":true,"p":50.5}',
    ]
    expect(
      await bothWays(lines.join('\n'), { columns: { reward: 'rating >= 4', propensity: 'p / 100' } }),
    ).toMatchSnapshot()
  })

  it('of Parquet, whose columns may have the names of steps', async () => {
    const path = join(folder, `made-${counter++}.parquet`)
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    await connection.run(
      `COPY (SELECT i AS user_id, 'a' AS item_id, i AS "value 0", (-i / 3)::FLOAT AS "Value 1", (10 * i + 1)::DECIMAL(6,2) AS p
        FROM range(6) t(i)) TO '${path}' (FORMAT parquet)`,
    )
    const columns = { reward: '"value 0" / 2', propensity: 'p / 100', q: 'exp("Value 1")' }
    expect(await bothWays(await readFile(path), { columns })).toMatchSnapshot()
  })
})

describe('cells as people write them', () => {
  const rows = ['1;a;0;0,25', '2;b;1;0,5', '3;c;1;1']
  const table = `${header.replaceAll(',', ';')}\n${rows.join('\n')}\n`

  it.each([
    ['with decimal commas', table],
    ['with decimal commas between tabs', table.replaceAll(';', '\t')],
    ['with decimal commas in quotes', `${header}\n1,a,0,"0,25"\n2,b,1,"0,5"\n`],
    ['with commas that may be thousands', `${header}\n1,a,"1,234",0.5\n2,b,"2,500",0.5\n`],
    ['with one decimal comma among points', `${header}\n1,a,0,"0,25"\n2,b,1,0.5\n`],
    ['with percent signs', `${header}\n1,a,0,3.2 %\n2,b,1,50%\n`],
    ['with a percent sign among others', `${header}\n1,a,0,3.2 %\n2,b,1,0.5\n`],
    ['with decimal commas and percent signs', `${header}\n1,a,0,"3,2 %"\n2,b,1,"50,0\u202f%"\n`],
    ['of NDJSON', '{"user_id":1,"item_id":2,"reward":"0,5","propensity":"5 %"}\n'],
  ])('%s', async (_name, text) => {
    expect(await bothWays(text)).toMatchSnapshot()
  })

  it('that break off behind the rows that were looked at', async () => {
    const many = Array.from({ length: 20_000 }, (_, k) => `${k};a;0;0,25`)
    const result = await bothWays(`${header.replaceAll(',', ';')}\n${many.join('\n')}\n9;b;1;0.5\n`)
    expect(result).toMatchSnapshot()
  })

  it('inside a value: commas are read, and a percent sign is for a person to say', async () => {
    const columns = { propensity: 'propensity / 2' }
    expect(await bothWays(table, { columns })).toMatchSnapshot()
    const percent = `${header}\n1,a,0,3.2 %\n2,b,1,50%\n`
    expect(await bothWays(percent, { columns })).toMatchSnapshot()
    expect(await bothWays(percent, { columns: { propensity: 'percent(propensity) / 2' } })).toMatchSnapshot()
  })
})

describe('wrapped', () => {
  it.each(['csv', 'ndjson', 'parquet'])('of %s', async (kind) => {
    const log = toyWorld({ users: 20, items: 10 }).draw()
    const plain =
      kind === 'parquet'
        ? await parquetBytes(log)
        : Buffer.from([...(kind === 'csv' ? csvText(log) : ndjsonText(log))].join(''))
    expect(await bothWays(gzipSync(plain))).toEqual(await bothWays(plain))
    expect(await bothWays(zstdOf(plain))).toEqual(await bothWays(plain))
  })

  it('of text in UTF-16, and of a JSON array', async () => {
    const log = toyWorld({ users: 20, items: 10 }).draw()
    const [table, lines] = [[...csvText(log)].join(''), [...ndjsonText(log)].join('')]
    const utf16 = Buffer.from(`\uFEFF${table}`, 'utf16le')
    expect(await bothWays(utf16)).toEqual(await bothWays(table))
    expect(await bothWays(gzipSync(utf16))).toEqual(await bothWays(table))
    const array = `[\n${lines.trim().split('\n').join(',\n')}\n]`
    expect(await bothWays(array)).toEqual(await bothWays(lines))
    expect(
      await bothWays('[{"user_id":1,"item_id":"a","reward":0,"propensity":0.5},\n\n{"user_id":2}]'),
    ).toContain('[2,"item_id",null,"missing"]')
  })

  it('cut off', async () => {
    const whole = gzipSync(`${header}\n${'1,a,0,0.5\n'.repeat(50_000)}`)
    expect(await bothWays(whole.subarray(0, whole.length - 50))).toContain('gzip')
  })
})

describe('known layouts', () => {
  it.each([
    ['movielens', '196\t242\t3\t881250949\n186\t302\t4\t891717742\n'],
    ['movielens', '1::1193::5\n1::661::3\n'],
    ['movielens', '1::1193::5::978300760\n1::661::3::978302109\n'],
    ['movielens', 'userId,movieId,rating,timestamp\n1,31,2.5,1260759144\n1,1029,4.0,1260759179\n'],
    [
      'obd',
      ',timestamp,item_id,position,click,propensity_score,user_feature_0,user_feature_1,user_feature_2,user_feature_3\n0,2019-11-24 00:01:03.979311+00:00,2,2,0,0.045525,a,b,c,d\n1,2019-11-24 00:01:45.406608+00:00,9,3,1,0.059345,a,b,c,e\n',
    ],
  ])('%s', async (format, text) => {
    expect(await bothWays(text, { format })).toMatchSnapshot()
  })
})
