import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { logOfDays } from '../src/estimate/example-days.js'
import { evaluateSource } from '../src/estimate/evaluate-source.js'
import { itemMean } from '../src/estimate/reward/reward-model.js'
import { sourceConformance } from '../src/estimate/source/conformance.js'
import { memorySums } from '../src/estimate/source/memory-sums.js'
import { sqlSums } from '../src/estimate/source/sql-sums.js'
import type { Warehouse } from '../src/node/warehouse/warehouse.js'
import { repeatRows } from '../src/verdict/example-log.js'
import { sameByWays } from './by-ways.js'
import { tableOfLog } from './postgres-log.js'
import { type PostgresServer, postgresServer } from './postgres-server.js'

const server = await postgresServer()

describe.skipIf(typeof server === 'string')('sums in PostgreSQL are those of memory', () => {
  const { connect } = server as PostgresServer
  let warehouse: Warehouse
  beforeAll(async () => {
    warehouse = await connect()
  })
  afterAll(() => warehouse.close())

  it.each(
    sourceConformance(async (log, target, categories, loggers) => {
      // A connection sees the tables as they were at its first query.
      await warehouse.close()
      warehouse = await connect()
      const table = await tableOfLog(server as PostgresServer, warehouse, log, {
        target,
        categories,
        loggers,
      })
      return sqlSums(warehouse, table)
    }).map(({ name, run }) => [name, run] as const),
  )('%s', (_name, run) => run())

  // 40 users on 7 days.
  it.each([
    [10, ['bucket', 'cluster', 'bucket']],
    [100, ['cluster', 'cluster', 'bucket']],
    [1000, ['cluster', 'cluster', 'cluster']],
  ])('by users, days and the cells of both, of which at most %i come back', async (mostClusters, by) => {
    await warehouse.close()
    warehouse = await connect()
    const log = logOfDays(8, { rows: 900, users: 40, days: 7 })
    const target = { kind: 'column', name: 'target_prob' } as const
    const table = await tableOfLog(server as PostgresServer, warehouse, log, { target })
    const source = sqlSums(warehouse, { ...table, mostClusters })
    expect(await sameByWays(source, memorySums(log, { target, seed: 0, rewardModel: itemMean }))).toEqual(by)
  })

  it('copies of a log without times that was appended to itself, too', async () => {
    await warehouse.close()
    warehouse = await connect()
    const timed = logOfDays(8, { rows: 900, users: 90, days: 7 })
    const { time: _, ...doubled } = repeatRows(timed, () => true)
    const target = { kind: 'column', name: 'target_prob' } as const
    const table = await tableOfLog(server as PostgresServer, warehouse, doubled, { target })
    const memory = memorySums(doubled, { target, seed: 0, rewardModel: itemMean })
    const [found, expected] = await Promise.all(
      [sqlSums(warehouse, table), memory].map(async (source) => {
        const { verdict } = (await evaluateSource(source, { estimators: ['snips'] })).evaluation
        return verdict.reasons.find(({ code }) => code === 'copied-rows')
      }),
    )
    expect(found?.message).toMatch(/^900 rows are copies of others: the log seems to have been appended/)
    expect(found).toEqual(expected)
  })
})
