import { connect as connectTo, createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { evaluateFile } from '../src/node/evaluate-file.js'
import type { WarehouseLog } from '../src/node/warehouse/warehouse-log.js'
import { withEnvironment } from './environment.js'
import { type PostgresServer, postgresServer } from './postgres-server.js'

const server = await postgresServer()
const { address, connect, connections, reader, port, table } = server as PostgresServer

/** A way to the server that can fall silent: no byte passes, and nothing is closed. */
interface Way {
  readonly port: number
  /** Ways that are open now fall silent; with `all`, later ones are too. */
  mute(which: 'open' | 'all'): void
  speak(): void
  close(): void
}

async function silentWay(): Promise<Way> {
  const pairs = new Set<readonly [Socket, Socket]>()
  let isMute = false
  const way = createServer((socket) => {
    const onward = connectTo(port, '127.0.0.1')
    const pair = [socket, onward] as const
    pairs.add(pair)
    for (const end of pair) end.on('error', () => undefined)
    socket.on('close', () => onward.destroy())
    if (isMute) return
    socket.on('data', (bytes) => onward.write(bytes))
    onward.on('data', (bytes) => socket.write(bytes))
  })
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve))
  return {
    port: (way.address() as { port: number }).port,
    mute(which) {
      for (const end of [...pairs].flat()) end.removeAllListeners('data').on('data', () => undefined)
      isMute = which === 'all'
    },
    speak: () => (isMute = false),
    close: () => {
      for (const end of [...pairs].flat()) end.destroy()
      way.close()
    },
  }
}

describe.skipIf(typeof server === 'string')('a network that falls silent', () => {
  let way: Way
  beforeAll(async () => {
    way = await silentWay()
  })
  afterAll(() => way?.close())

  const through = (notes: string[] = []): ReturnType<typeof connect> =>
    connect({ silence: 1.2, onNote: (note) => notes.push(note) }, address('reader', { port: way.port }))

  it('ends in an error that says how far it was', async () => {
    const warehouse = await through()
    expect(await warehouse.numbers('SELECT 1')).toEqual([[1]])
    const answer = warehouse.numbers('SELECT 2 FROM pg_sleep(30)').catch((error: unknown) => error)
    await wait(200)
    way.mute('all')
    const started = performance.now()
    expect(await answer).toMatchObject({
      code: 'data-unavailable',
      message: expect.stringMatching(/^The connection to postgres:\S+ was lost after 1 query\.$/) as string,
    })
    expect(performance.now() - started).toBeLessThan(10_000)
    way.speak()
    await warehouse.close()
  })

  it('for one connection alone is noticed: an answer that was lost is asked for again', async () => {
    const notes: string[] = []
    const warehouse = await through(notes)
    way.mute('open')
    expect(await warehouse.numbers('SELECT 3')).toEqual([[3]])
    expect(notes).toEqual(['The connection was lost and re-established.'])
    await warehouse.close()
  })

  it('is told from a query that takes its time', async () => {
    const notes: string[] = []
    const warehouse = await through(notes)
    expect(await warehouse.numbers('SELECT 4 FROM pg_sleep(2.2)')).toEqual([[4]])
    expect(notes).toEqual([])
    await warehouse.close()
  })
})

describe.skipIf(typeof server === 'string')('two hundred evaluations in a row', () => {
  it('leave no connection behind, those that fail neither', async () => {
    await table(
      'shop.few',
      { user_id: 'int4', item_id: 'int4', reward: 'float8', propensity: 'float8' },
      Array.from({ length: 60 }, (_, row) => [row % 20, row % 3, (row * 7) % 4 === 0 ? 1 : 0, 1 / 3]),
    )
    const before = await connections()
    let [most, failed] = [0, 0]
    await withEnvironment({ PGPASSWORD: reader.password }, async () => {
      for (let run = 0; run < 200; run++) {
        const log: WarehouseLog = {
          address: `postgres://reader@127.0.0.1:${port}/shop`,
          rows: { table: run % 10 === 9 ? 'shop.fewer' : 'shop.few' },
        }
        const reading = { target: { kind: 'uniform' as const } }
        const asked = { estimators: ['ips'], interval: 'normal' } as const
        const value = await evaluateFile(log, reading, asked, async ({ evaluation }) =>
          run % 20 === 0 ? (most = Math.max(most, await connections())) : evaluation.estimates.length,
        ).catch(() => failed++)
        expect(value).toBeDefined()
      }
    })
    expect(failed).toBe(20)
    // Connections of the tests above may still be ending: there may be fewer than before, never more.
    expect(most).toBeLessThanOrEqual(before + 1)
    await expect.poll(() => connections()).toBeLessThanOrEqual(before)
  }, 120_000)
})
