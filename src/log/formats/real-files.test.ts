import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ReadOptions } from '../../read/plan.js'
import { readLog } from '../../read/read-log.js'
import { bytesInput } from '../bytes/input.js'
import type { Log } from '../log.js'

const folder = process.env['HINDCAST_DATA']

async function read(file: string, options: ReadOptions): Promise<Log> {
  const { log } = await readLog(bytesInput(file, await readFile(path.join(folder!, file))), options)
  return log
}

const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0)

describe.skipIf(!folder)('real files, where HINDCAST_DATA names a folder that has them', () => {
  it('reads the sample of the Open Bandit Dataset', async () => {
    const log = await read('obd/bts/men/men.csv', { format: 'obd' })
    expect(log.rows).toBe(10_000)
    expect(log.itemIds).toHaveLength(34)
    expect(sum(log.reward) / log.rows).toBeCloseTo(0.0069, 10)
  })

  it('finds the uniform propensities of its random policy', async () => {
    const log = await read('obd/random/men/men.csv', { format: 'obd' })
    for (const value of log.propensity!) expect(value).toBeCloseTo(1 / 34, 5)
  })

  it('reads MovieLens 100K', async () => {
    const log = await read('ml-100k/u.data', { format: 'movielens' })
    expect(log.rows).toBe(100_000)
    expect(log.userIds).toEqual(Array.from({ length: 943 }, (_, k) => String(k + 1)))
    expect(log.itemIds).toEqual(Array.from({ length: 1682 }, (_, k) => String(k + 1)))
    expect(sum(log.reward)).toBe(55_375)
  })

  it("reads Vowpal Wabbit's decision-service JSON", async () => {
    const log = await read('vw/dsjson_cb.json', { format: 'vw-dsjson', columns: { item: 'tag' } })
    expect(log.itemIds).toEqual(['Cappucino', 'Cold brew', 'Iced mocha', 'Latte'])
    expect([log.rows, log.userIds.length]).toEqual([23, 23])
    for (const reward of log.reward) expect(reward === 1 || Object.is(reward, 0)).toBe(true)
  })

  it('weighs the event that stands for ten', async () => {
    const log = await read('vw/cb_simple_pdrop.json', { format: 'vw-dsjson' })
    expect(log.rows).toBe(1)
    expect([log.itemIds[0], log.reward[0], log.propensity![0]]).toEqual(['2', 1, 0.5])
    expect(log.weight![0]).toBeCloseTo(10, 12)
  })

  it("reads Vowpal Wabbit's events of several lines", async () => {
    const log = await read('vw/cb_load.dat', {
      format: 'vw-cb',
      columns: { item: 'features', user: 'context' },
    })
    expect(log.rows).toBe(113)
    expect(log.itemIds).toHaveLength(7)
    expect(log.userIds).toHaveLength(4)
  })
})
