import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { memorySums } from '../src/estimate/source/memory-sums.js'
import { type Known, isLacking } from '../src/estimate/source/source.js'
import { itemMean } from '../src/estimate/reward/reward-model.js'
import { sqlSums } from '../src/estimate/source/sql-sums.js'
import { one, weightedReward } from '../src/estimate/term.js'
import type { Log } from '../src/log/log.js'
import type { Warehouse } from '../src/node/warehouse/warehouse.js'
import { randomStream } from '../src/random/stream.js'
import { literal } from '../src/sql/dialect.js'
import { postgresql } from '../src/sql/dialects/postgresql.js'
import { tableOfLog } from './postgres-log.js'
import { type PostgresServer, postgresServer } from './postgres-server.js'
import { askSums } from '../src/estimate/source/example-asks.js'

const server = await postgresServer()
const { admin, connect, table } = server as PostgresServer

/** What ends a text, a name or a statement somewhere, or begins something else. */
const PIECES = [
  `'`, `"`, `''`, `""`, `;`, `--`, `/*`, `*/`, `\\`, `\\'`, `$$`, `$1`, `$a$`, `\n`, `\r\n`, `\t`, ` `, `)`, `(`, `,`, `.`,
  `E'`, `U&"`, `%s`, '${x}', ':x', '?', '`', '[', ']', '=', ' OR 1=1', '; DROP TABLE victims', 'é', '日本', '🙂', '\u202e', '\u200b', 'NULL',
] // prettier-ignore

/** So many different names of a few pieces, at most 60 bytes each: PostgreSQL cuts longer ones. */
function hostileNames(count: number): string[] {
  const { uniform } = randomStream(5, 'hostile names')
  const names = new Set<string>(PIECES.filter((piece) => piece.trim() !== ''))
  while (names.size < count) {
    const pieces = Array.from({ length: 1 + Math.floor(uniform() * 4) }, () => PIECES[Math.floor(uniform() * PIECES.length)]!) // prettier-ignore
    const name = `${pieces.join('')}${names.size}`
    if (Buffer.byteLength(name) <= 60) names.add(name)
  }
  return [...names]
}

const NAMES = hostileNames(1000)
const COLUMNS = 50

describe.skipIf(typeof server === 'string')('a thousand hostile names', () => {
  let warehouse: Warehouse
  const tables: { from: string; names: readonly string[] }[] = []
  beforeAll(async () => {
    await admin('CREATE TABLE victims (x integer); GRANT ALL ON victims TO reader')
    for (let k = 0; k < NAMES.length; k += COLUMNS) {
      const names = NAMES.slice(k, k + COLUMNS)
      // A name with a dot would have a schema in front.
      const name = names.at(-1)!.replaceAll('.', '_')
      const columns = Object.fromEntries(names.map((column) => [column, 'text']))
      tables.push({ from: await table(name, columns, [names]), names })
    }
    warehouse = await connect()
  })
  afterAll(async () => {
    await warehouse.close()
    // Other files share the server.
    await admin(`DROP TABLE victims, ${tables.map(({ from }) => from).join(', ')}`)
  })

  it('of tables and columns stay names, and as values stay values', async () => {
    const { identifier, text } = postgresql
    for (const { from, names } of tables) {
      expect((await warehouse.columnsOf(from)).map(({ name }) => name)).toEqual(names)
      const cells = names.map((name) => text(identifier(name))).join(', ')
      for await (const batch of warehouse.rows(`SELECT ${cells} FROM ${from}`)) expect(batch).toEqual([names])
      const equal = names.map((name) => `${identifier(name)} = ${literal(name)}`).join(' AND ')
      expect(await warehouse.numbers(`SELECT count(*) FROM ${from} WHERE ${equal}`)).toEqual([[1]])
    }
    expect(await warehouse.numbers('SELECT count(*) FROM victims')).toEqual([[0]])
  })

  it('that are not there are errors, and nothing else', async () => {
    for (const name of NAMES.slice(0, 100)) {
      const missing = postgresql.identifier(`no ${name}`)
      await expect(warehouse.numbers(`SELECT ${missing} FROM victims`)).rejects.toMatchObject({
        code: 'missing-column',
      })
    }
    await expect(
      warehouse.columnsOf(postgresql.identifier(`'; DROP TABLE victims; --`)),
    ).rejects.toMatchObject({
      code: 'unknown-name',
      message: expect.stringContaining(
        `There is no table '; DROP TABLE victims; -- in database shop.`,
      ) as string,
    })
    expect(await warehouse.numbers('SELECT count(*) FROM victims')).toEqual([[0]])
  })

  it('of users, items and loggers give the sums of memory', async () => {
    const ids = NAMES
    const { uniform } = randomStream(6, 'hostile names')
    const rows = 3 * ids.length
    const some = Uint32Array.from({ length: rows }, (_, row) => row % ids.length)
    const log: Log = {
      rows,
      user: some,
      item: some.toReversed(),
      userIds: ids,
      itemIds: ids,
      catalogueKnown: false,
      reward: Float64Array.from({ length: rows }, () => Math.round(uniform())),
      propensity: Float64Array.from({ length: rows }, () => 0.1 + 0.9 * uniform()),
      propensitySource: 'logged',
      labels: { 'logger\'s "name"; --': { index: some.map((k) => k % 2), ids: [`';`, `"--`] } },
    }
    const loggers = { column: 'logger\'s "name"; --' }
    const target = { kind: 'uniform' } as const
    const fresh = await connect()
    const sql = sqlSums(fresh, await tableOfLog(server as PostgresServer, fresh, log, { target, loggers }))
    const memory = memorySums(log, { target, seed: 0, rewardModel: itemMean })
    const terms = [one, weightedReward]
    const summed = <T>(fact: Known<T>): T => {
      if (isLacking(fact)) throw new Error(fact.lacking)
      return fact
    }
    for (const by of ['user', `column:${loggers.column}`] as const) {
      const [found, expected] = [
        summed(await askSums(sql, terms, by)),
        summed(await askSums(memory, terms, by)),
      ]
      const sorted = (moments: typeof found): unknown[] =>
        Array.from(moments.keys, (key, g) => [
          key,
          ...terms.map((term) => moments.sums(term)[g]!.toFixed(9)),
        ]).toSorted((a, b) => Number(a[0]) - Number(b[0]))
      expect(sorted(found)).toEqual(sorted(expected))
    }
    await fresh.close()
  })
})
