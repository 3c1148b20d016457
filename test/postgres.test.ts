import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cellNumber } from '../src/log/cell.js'
import { md5Bucket } from '../src/md5.js'
import { idBucket, idBucketSql } from '../src/sql/id-bucket.js'
import type { Warehouse } from '../src/node/warehouse/warehouse.js'
import { postgresql } from '../src/sql/dialects/postgresql.js'
import { numberSql, textSql } from '../src/sql/table-relation.js'
import { type PostgresServer, postgresServer } from './postgres-server.js'

const server = await postgresServer()
const { table, connect, admin, address } = server as PostgresServer

describe.skipIf(typeof server === 'string')('PostgreSQL answers', () => {
  let warehouse: Warehouse
  let rows: string
  let words: string
  const TEXTS = ['0.1', ' 1.5e3\t', '-.5', '1e308', '-1e400', '1e-400', '5e-324', 'Infinity', '-inf', 'NaN', 'true', '', 'é', '١', '\u00a01', '1_000', '0x10', '9'.repeat(99), '1e99999'] // prettier-ignore
  const IDS = ['', 'u1', 'é', '日本', "O'Brien", '\\', '🙂', ' a ', 'line\nbreak', 'A', 'a', '\u202e']
  beforeAll(async () => {
    const columns = {
      id: 'bigint',
      x: 'double precision',
      word: 'varchar(40)',
      price: 'numeric(9, 2)',
      at: 'timestamptz',
      day: 'date',
      yes: 'boolean',
    }
    rows = await table('answers.rows', columns, [
      [1, 0.1 + 0.2, 'é "quoted"', '1.50', '2024-03-01 12:00:00.123+02', '2024-03-01', true],
      [2, 'NaN', null, null, null, null, null],
      [3, 'Infinity', '', '2', '2024-03-01', '2024-03-02', false],
      [4, '-1.7976931348623157e308', '\\', '-3', null, null, null],
      [5, '5e-324', 'last', '0', null, null, null],
      ['9007199254740993', '-0', 'last', '0', null, null, null],
    ])
    words = await table('answers.words', { place: 'integer', word: 'text' }, [
      ...TEXTS.map((text, k) => [k, text]),
      ...IDS.map((text, k) => [1000 + k, text]),
    ])
    await admin(`CREATE TABLE answers.secret (x integer); CREATE SCHEMA hidden; CREATE TABLE hidden.rows (x integer);
      CREATE TABLE bare (x integer); GRANT SELECT ON bare TO reader; GRANT CREATE ON SCHEMA answers TO reader;
      GRANT INSERT ON answers.rows TO reader`)
    warehouse = await connect()
  })
  afterAll(() => warehouse.close())

  it('numbers to their last bit, NaN, infinities, and NULL', async () => {
    const { double } = postgresql
    expect(await warehouse.numbers(`SELECT x, ${double('price')} FROM ${rows} ORDER BY id`)).toEqual([
      [0.1 + 0.2, 1.5],
      [NaN, null],
      [Infinity, 2],
      [-Number.MAX_VALUE, -3],
      [5e-324, 0],
      [-0, 0],
    ])
  })

  it('texts that are not NULL, whole numbers in all their digits', async () => {
    expect(await warehouse.texts(`SELECT word FROM ${rows} ORDER BY id`)).toEqual([
      'é "quoted"',
      '',
      '\\',
      'last',
      'last',
    ])
    expect(await warehouse.texts(`SELECT max(id) FROM ${rows}`)).toEqual(['9007199254740993'])
  })

  it('sums by group, none where there are more than allowed, and never a zero for a NULL', async () => {
    const query = `SELECT word AS id, CAST(count(*) AS double precision) AS s0, 0 AS s1, sum(x) AS s2, CAST(NULL AS double precision) AS s3 FROM ${rows} WHERE word IS NOT NULL GROUP BY word ORDER BY word -- by word`
    const groups = await warehouse.groups(query, 2, 4)
    expect(groups).toEqual({
      ids: ['', '\\', 'last', 'é "quoted"'],
      broken: 5,
      unpredicted: 0,
      sums: [
        Float64Array.of(Infinity, -Number.MAX_VALUE, 5e-324, 0.1 + 0.2),
        Float64Array.of(NaN, NaN, NaN, NaN),
      ],
    })
    expect(await warehouse.groups(query, 2, 3)).toBeUndefined()
    expect(await warehouse.groups(query, 2, Infinity)).toEqual(groups)
  })

  it('the columns of a table and of a query, with their types, without reading rows', async () => {
    expect(await warehouse.columnsOf(rows)).toEqual([
      { name: 'id', type: 'bigint', kind: 'integer' },
      { name: 'x', type: 'double precision', kind: 'number' },
      { name: 'word', type: 'character varying(40)', kind: 'text' },
      { name: 'price', type: 'numeric(9,2)', kind: 'number' },
      { name: 'at', type: 'timestamp with time zone', kind: 'instant' },
      { name: 'day', type: 'date', kind: 'date' },
      { name: 'yes', type: 'boolean', kind: 'boolean' },
    ])
    const query = `(SELECT 1 / (id - id) AS never, ARRAY[1] AS list FROM ${rows}) AS asked`
    expect(await warehouse.columnsOf(query)).toEqual([
      { name: 'never', type: 'bigint', kind: 'integer' },
      { name: 'list', type: 'integer[]', kind: 'other' },
    ])
  })

  it('words of an enumeration as text, true and false as numbers, and decimals beyond a double', async () => {
    await admin(`CREATE TYPE answers.colour AS ENUM ('red', '7', 'TRUE');
      CREATE TABLE answers.odd (place integer, colour answers.colour, clicked text, price numeric);
      INSERT INTO answers.odd VALUES (1, 'red', 'True', '1e400'), (2, '7', 'false', '-1e400'), (3, 'TRUE', '0.5', '1e-400'), (4, NULL, 'yes', 'NaN'), (5, NULL, NULL, '1.5'), (6, NULL, NULL, NULL);
      GRANT SELECT ON answers.odd TO reader; GRANT USAGE ON SCHEMA answers TO reader`)
    // A connection sees what there was at its first question.
    const fresh = await connect()
    const columns = await fresh.columnsOf('answers.odd')
    expect(columns.map(({ kind }) => kind)).toEqual(['integer', 'text', 'text', 'number'])
    const [, colour, clicked, price] = columns
    const numbers = [colour!, clicked!, price!].map((column) => numberSql(postgresql, column))
    expect(await fresh.numbers(`SELECT ${numbers.join(', ')} FROM answers.odd ORDER BY place`)).toEqual([
      [null, 1, Infinity],
      [7, 0, -Infinity],
      [1, 0.5, 0],
      [null, null, NaN],
      [null, null, 1.5],
      [null, null, null],
    ])
    const ids = `SELECT ${textSql(postgresql, colour!)} FROM answers.odd ORDER BY place`
    expect(await fresh.texts(ids)).toEqual(['red', '7', 'TRUE'])
    await fresh.close()
  })

  it('the tables that can be read, as one types them', async () => {
    const tables = await warehouse.tables()
    expect(tables).toEqual(expect.arrayContaining(['answers.rows', 'answers.words', 'bare']))
    expect(tables).not.toEqual(expect.arrayContaining([expect.stringMatching(/secret|hidden|pg_/)]))
  })

  it('rows in batches, other queries between them, and as many as are wanted', async () => {
    const sizes: number[] = []
    for await (const batch of warehouse.rows(`SELECT k, NULL, 'é' FROM generate_series(1, 25000) AS k;`)) {
      if (sizes.length === 0) expect(batch[1]).toEqual(['2', null, 'é'])
      sizes.push(batch.length)
      expect(await warehouse.numbers('SELECT 1')).toEqual([[1]])
    }
    expect(sizes).toEqual([10_000, 10_000, 5000])
    for await (const batch of warehouse.rows(`SELECT k FROM generate_series(1, 20001) AS k`))
      if (batch.length > 0) break
    expect(await warehouse.texts(`SELECT name FROM pg_cursors WHERE name LIKE 'hindcast%'`)).toEqual([])
  })

  it('and counts what crossed', async () => {
    const other = await connect()
    try {
      await other.numbers(`SELECT k, 10 FROM generate_series(100, 199) AS k`)
      // A byte for the kind of message, four for its length, two for the number of cells, and four for the length of each.
      expect(other.crossed).toEqual({ queries: 1, rows: 100, bytes: 100 * (1 + 4 + 2 + 2 * 4 + 3 + 2) })
    } finally {
      await other.close()
    }
  })

  it('with times in UTC, whole milliseconds where they are', async () => {
    const { milliseconds } = postgresql
    const query = `SELECT ${milliseconds('at', 'instant')}, ${milliseconds('day', 'date')} FROM ${rows} WHERE day IS NOT NULL ORDER BY id`
    expect(await warehouse.numbers(query)).toEqual([
      [Date.parse('2024-03-01T10:00:00.123Z'), Date.parse('2024-03-01')],
      [Date.parse('2024-03-01'), Date.parse('2024-03-02')],
    ])
  })

  it('with the numbers in texts that memory sees, and no error for other texts', async () => {
    const found = await warehouse.numbers(
      `SELECT ${postgresql.parsed('word')} FROM ${words} WHERE place < 1000 ORDER BY place`,
    )
    // Words for 1 and 0, and exponents of more than three digits, are no numbers here: such cells count as missing.
    const expected = TEXTS.map(cellNumber).map((x, k) =>
      Number.isNaN(x) || ['true', '1e99999'].includes(TEXTS[k]!) ? [null] : [x],
    )
    expect(found).toEqual(expected)
  })

  it('with the buckets of memory for ids of any script', async () => {
    const found = await warehouse.numbers(
      `SELECT ${postgresql.bucket('word')} FROM ${words} WHERE place >= 1000 ORDER BY place`,
    )
    expect(found.flat()).toEqual(IDS.map(md5Bucket))
    const dealt = await warehouse.numbers(
      `SELECT ${idBucketSql(postgresql, 'word', false)} FROM ${words} WHERE place >= 1000 ORDER BY place`,
    )
    expect(dealt.flat()).toEqual(IDS.map(idBucket))
  })

  it('without telling two ids apart by anything but their bytes', async () => {
    await admin(`CREATE COLLATION answers.any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
      CREATE TABLE answers.cases (id text COLLATE answers.any_case); INSERT INTO answers.cases VALUES ('a'), ('A');
      GRANT SELECT ON answers.cases TO reader`)
    const other = await connect()
    const query = (id: string): string => `SELECT count(DISTINCT ${id}) FROM answers.cases`
    expect(await other.numbers(query('id'))).toEqual([[1]])
    expect(await other.numbers(query(postgresql.text('id')))).toEqual([[2]])
    await other.close()
  })

  it('from one moment: rows that are added between two queries are not seen', async () => {
    const counted = await table('answers.moments', { x: 'integer' }, [[1]])
    const other = await connect()
    expect(await other.numbers(`SELECT count(*) FROM ${counted}`)).toEqual([[1]])
    await admin(`INSERT INTO ${counted} VALUES (2)`)
    expect(await other.numbers(`SELECT count(*) FROM ${counted}`)).toEqual([[1]])
    await other.close()
  })

  describe('and changes nothing', () => {
    const writes = [
      'INSERT INTO answers.rows (id) VALUES (7) RETURNING id',
      'CREATE TABLE answers.mine (x integer)',
      'WITH added AS (INSERT INTO answers.rows (id) VALUES (7) RETURNING id) SELECT id FROM added',
      "SELECT nextval('answers.numbers')",
      'CREATE TEMPORARY TABLE mine (x integer); SELECT 1',
      'SELECT 1; COMMIT; INSERT INTO answers.rows (id) VALUES (7)',
    ]
    it.each(writes)('with %s', async (query) => {
      await admin(
        'CREATE SEQUENCE IF NOT EXISTS answers.numbers; GRANT ALL ON SEQUENCE answers.numbers TO reader',
      )
      await expect(warehouse.numbers(query)).rejects.toMatchObject({
        name: 'HindcastError',
        code: 'bad-option',
      })
      expect(await warehouse.numbers('SELECT count(*) FROM answers.rows')).toEqual([[6]])
      expect(await warehouse.tables()).not.toContain('answers.mine')
    })

    it('even where a query turns the setting off', async () => {
      for (const setting of ['transaction_read_only', 'default_transaction_read_only'])
        await warehouse.texts(`SELECT set_config('${setting}', 'off', false)`).catch(() => undefined)
      await expect(warehouse.numbers(writes[0]!)).rejects.toMatchObject({ code: 'bad-option' })
      expect(await warehouse.texts('SHOW transaction_read_only')).toEqual(['on'])
    })
  })

  describe('or says in our words why not', () => {
    const about = (query: string): Promise<unknown> =>
      warehouse.numbers(query).then(
        () => 'no error',
        ({ code, message, remedy }: { code: string; message: string; remedy: string }) => [
          code,
          message,
          remedy,
        ],
      )
    it('a table that is not there, with the one that was meant', async () => {
      const [code, message, remedy] = (await about('SELECT 1 FROM "answers"."rowz"')) as string[]
      expect([code, message]).toEqual([
        'unknown-name',
        'There is no table answers.rowz in database shop. Did you mean answers.rows?',
      ])
      expect(remedy).toMatch(/^User reader can read \S+, /)
      expect(await about('SELECT 1 FROM bares')).toContain(
        'There is no table bares in database shop. Did you mean bare?',
      )
      expect(await about('SELECT 1 FROM wordz')).toContain(
        'There is no table wordz in database shop. Did you mean answers.words?',
      )
    })
    it('a column that is not there, with the one that was meant', async () => {
      expect(await about('SELECT "wrod" FROM answers.words')).toEqual([
        'missing-column',
        'There is no column wrod. Did you mean word?',
        'Check the names in the query, the condition and the expressions of the columns.',
      ])
      expect(await about('SELECT "é🙂", x FROM answers.words')).toContain('There is no column é🙂.')
    })
    it('what may not be read, with the GRANT that is needed', async () => {
      expect(await about('SELECT * FROM answers.secret')).toEqual([
        'bad-option',
        'User reader may not read table answers.secret.',
        'Its owner can allow it: GRANT SELECT ON answers.secret TO reader. Reading is all that Hindcast needs.',
      ])
      expect(await about('SELECT * FROM hidden.rows')).toEqual([
        'bad-option',
        'User reader may not read schema hidden.',
        'Its owner can allow it: GRANT USAGE ON SCHEMA hidden TO reader. Reading is all that Hindcast needs.',
      ])
    })
    it('a query that cannot be read, with the place', async () => {
      expect(await about('SELECT 1 FORM answers.rows WHERE id = 1 AND word IS NOT NULL')).toContain(
        'PostgreSQL cannot read the query: syntax error at or near "answers". It is at: SELECT 1 FORM answers.rows WHERE id = 1 AND word IS NO…',
      )
      expect(await about("SELECT 'a\0'")).toContain(
        'A name or value has a NUL character, which PostgreSQL cannot store.',
      )
    })
    it('a value that it cannot compute with', async () => {
      expect(await about('SELECT 1 / (x - x) FROM answers.moments')).toEqual([
        'bad-rows',
        'A row has a value that the query cannot compute with: division by zero.',
        'Leave such rows out with a condition, or guard the expression with CASE.',
      ])
      expect(await about("SELECT CAST('a\u001b[31m' AS integer)")).toContain(
        'A row has a value that the query cannot compute with: invalid input syntax for type integer: "a [31m".',
      )
    })
    it('a server, a port, a database and a host that are not there', async () => {
      const refused = async (to: ReturnType<typeof address>): Promise<unknown> =>
        connect({}, to).then(
          () => 'connected',
          ({ message }: Error) => message,
        )
      expect(await refused(address('reader', { database: 'shopp' }))).toBe(
        'PostgreSQL at 127.0.0.1 has no database shopp.',
      )
      expect(await refused(address('reader', { port: 1 }))).toBe('No server listens at 127.0.0.1:1.')
      expect(await refused({ ...address(), host: 'nowhere.invalid' })).toBe(
        'There is no host nowhere.invalid.',
      )
      expect(await refused(address('reader', { search: '?tls=on' }))).toBe(
        `PostgreSQL at 127.0.0.1:${address().port} does not encrypt connections.`,
      )
    })
    it('and answers the next query', async () => {
      expect(await warehouse.numbers('SELECT 1')).toEqual([[1]])
    })
  })
})
