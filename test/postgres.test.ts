import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Warehouse } from '../src/node/warehouse/warehouse.js'
import { type PostgresServer, postgresServer } from './postgres-server.js'

const server = await postgresServer()
const isThere = typeof server !== 'string'
const { table, connect } = server as PostgresServer

describe.skipIf(!isThere)('PostgreSQL answers', () => {
  let warehouse: Warehouse
  let rows: string
  beforeAll(async () => {
    rows = await table(
      'answers.rows',
      {
        id: 'bigint',
        x: 'double precision',
        word: 'text',
        price: 'numeric(9, 2)',
        at: 'timestamptz',
        day: 'date',
        yes: 'boolean',
      },
      [
        ['9007199254740993', 0.1 + 0.2, 'é "quoted"', '1.50', '2024-03-01 12:00:00+02', '2024-03-01', true],
        [2, 'NaN', null, null, null, null, null],
        [3, 'Infinity', '', '2', '2024-03-01', '2024-03-02', false],
        [4, '-1.7976931348623157e308', '\\', '-3', null, null, null],
        [5, '5e-324', 'last', '0', null, null, null],
        [6, '-0', 'last', '0', null, null, null],
      ],
    )
    warehouse = await connect()
  })
  afterAll(() => warehouse.close())

  it('numbers to their last bit, NaN, infinities, and NULL', async () => {
    expect(
      await warehouse.numbers(`SELECT x, CAST(price AS double precision) FROM ${rows} ORDER BY id`),
    ).toEqual([
      [NaN, null],
      [Infinity, 2],
      [-Number.MAX_VALUE, -3],
      [5e-324, 0],
      [-0, 0],
      [0.1 + 0.2, 1.5],
    ])
  })
})
