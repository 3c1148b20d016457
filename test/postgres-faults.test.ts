import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect as connectTo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectPostgres } from '../src/node/warehouse/postgres/postgres-warehouse.js'
import type { ConnectOptions, Warehouse } from '../src/node/warehouse/warehouse.js'
import { withEnvironment } from './environment.js'
import { type PostgresServer, postgresServer } from './postgres-server.js'

const server = await postgresServer()
const { address, admin, connect, connections, reader, port } = server as PostgresServer

/** A query that takes minutes, with a mark to find it by. */
const slow = (mark: string): string => `SELECT count(*) /* ${mark} */ FROM pg_sleep(120)`

/** How many connections run a query with a mark. */
const running = async (mark: string): Promise<number> => {
  const rows = await admin(
    `SELECT pid FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%/* ' || $1 || ' */%' AND pid <> pg_backend_pid()`,
    [mark],
  )
  return rows.length
}

/** Waits until something is so; fails after five seconds. */
async function until(what: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 5000
  while (!(await what())) {
    if (Date.now() > end) throw new Error('It never came to be.')
    await wait(20)
  }
}

/** Ends the connections of the reader, as an administrator does. */
const terminate = (): Promise<unknown> =>
  admin(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'reader'`)

describe.skipIf(typeof server === 'string')('a query that is cancelled', () => {
  it('is gone from the server within two seconds, and the error is that of an interruption', async () => {
    const stop = new AbortController()
    const warehouse = await connect({ signal: stop.signal })
    const answer = warehouse.numbers(slow('cancelled')).catch((error: unknown) => error)
    const queued = warehouse.numbers('SELECT 1').catch((error: unknown) => error)
    await until(async () => (await running('cancelled')) === 1)
    const started = performance.now()
    stop.abort()
    expect(await answer).toMatchObject({ code: 'interrupted', message: 'Interrupted.' })
    expect(await queued).toMatchObject({ code: 'interrupted' })
    expect(await running('cancelled')).toBe(0)
    expect(performance.now() - started).toBeLessThan(2000)
    await warehouse.close()
  })

  it('never starts where it was cancelled before', async () => {
    const signal = AbortSignal.abort()
    await expect(connect({ signal })).rejects.toMatchObject({ code: 'interrupted' })
  })

  it('is gone too where the connection is closed', async () => {
    const warehouse = await connect()
    const answer = warehouse.numbers(slow('closed')).catch((error: unknown) => error)
    await until(async () => (await running('closed')) === 1)
    await warehouse.close()
    expect(await answer).toMatchObject({ code: 'interrupted' })
    expect(await running('closed')).toBe(0)
    await expect(warehouse.numbers('SELECT 1')).rejects.toMatchObject({ code: 'interrupted' })
  })

  it('by the limit of its time says so, and the next is answered', async () => {
    const warehouse = await connect({ timeout: 0.2 })
    await expect(warehouse.numbers(slow('late'))).rejects.toMatchObject({
      code: 'data-unavailable',
      message: 'A query took longer than 0.2 s, and was cancelled.',
    })
    expect(await warehouse.numbers('SELECT 1')).toEqual([[1]])
    const answer = connect().then(async (other) => {
      const error = await other.numbers(slow('ended')).catch((one: unknown) => one)
      await other.close()
      return error
    })
    await until(async () => (await running('ended')) === 1)
    await admin(
      `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query LIKE '%/* ended */%' AND pid <> pg_backend_pid()`,
    )
    expect(await answer).toMatchObject({
      message: 'The query was cancelled on the server, by an administrator or one of its limits.',
    })
    await warehouse.close()
  })
})

/** A way to the server that can be cut. */
async function proxy(): Promise<{ port: number; cut(): void; open(is: boolean): void; close(): void }> {
  const sockets = new Set<Socket>()
  let isOpen = true
  const way = createServer((socket) => {
    if (!isOpen) return void socket.destroy()
    const onward = connectTo(port, '127.0.0.1')
    for (const end of [socket, onward]) {
      sockets.add(end)
      end.on('error', () => undefined).on('close', () => sockets.delete(end))
    }
    socket.pipe(onward).pipe(socket)
    socket.on('close', () => onward.destroy())
    onward.on('close', () => socket.destroy())
  })
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve))
  const cut = (): void => sockets.forEach((socket) => socket.destroy())
  return {
    port: (way.address() as { port: number }).port,
    cut,
    open: (is) => (isOpen = is),
    close: () => {
      cut()
      way.close()
    },
  }
}

describe.skipIf(typeof server === 'string')('a connection that is lost', () => {
  const noted = async (): Promise<{ warehouse: Warehouse; notes: string[] }> => {
    const notes: string[] = []
    return { warehouse: await connect({ onNote: (note) => notes.push(note) }), notes }
  }

  it('between two queries is made again, with a note', async () => {
    const { warehouse, notes } = await noted()
    await terminate()
    expect(await warehouse.numbers('SELECT 1')).toEqual([[1]])
    expect(notes).toEqual(['The connection was lost and re-established.'])
    expect(await warehouse.texts('SHOW transaction_read_only')).toEqual(['on'])
    await warehouse.close()
  })

  it('in the middle of a query is made again once; a second loss says how far it was', async () => {
    const { warehouse, notes } = await noted()
    expect(await warehouse.numbers('SELECT 1')).toEqual([[1]])
    const answer = warehouse.numbers(slow('killed')).catch((error: unknown) => error)
    await until(async () => (await running('killed')) === 1)
    await terminate()
    await until(async () => notes.length === 1 && (await running('killed')) === 1)
    await terminate()
    expect(await answer).toMatchObject({
      code: 'data-unavailable',
      message: expect.stringMatching(/^The connection to postgres:\S+ was lost after 1 query\.$/) as string,
    })
    expect(notes).toEqual([
      'The connection was lost and re-established. Rows that changed meanwhile may be counted in part.',
    ])
    // The next question finds a new connection.
    expect(await warehouse.numbers('SELECT 2')).toEqual([[2]])
    await warehouse.close()
  })

  it('where the network is cut is made again, and given up where it stays cut', async () => {
    const way = await proxy()
    const notes: string[] = []
    const options: ConnectOptions = { onNote: (note) => notes.push(note) }
    const warehouse = await connect(options, address('reader', { port: way.port }))
    const answer = warehouse.numbers(`SELECT 7 /* cut */ FROM pg_sleep(0.5)`)
    await until(async () => (await running('cut')) === 1)
    way.cut()
    expect(await answer).toEqual([[7]])
    expect(notes).toHaveLength(1)
    way.open(false)
    way.cut()
    await expect(warehouse.numbers('SELECT 1')).rejects.toMatchObject({
      code: 'data-unavailable',
      message: expect.stringMatching(/ was lost after 1 query\.$/) as string,
    })
    await warehouse.close()
    way.close()
  })

  it('in the middle of rows says how many had come', async () => {
    const { warehouse } = await noted()
    const read = async (): Promise<void> => {
      for await (const batch of warehouse.rows('SELECT k FROM generate_series(1, 30000) AS k'))
        if (batch.length > 0) await terminate()
    }
    await expect(read()).rejects.toMatchObject({
      message: expect.stringMatching(/ was lost after 10,000 rows\.$/) as string,
    })
    await warehouse.close()
  })
})

describe.skipIf(typeof server === 'string')('connections', () => {
  it('are not left behind by 200 in a row, some of which fail', async () => {
    await until(async () => (await connections()) === 0)
    for (let k = 0; k < 200; k++) {
      const warehouse = await connect()
      if (k % 3 === 0) await warehouse.numbers('SELECT 1 / 0').catch(() => undefined)
      else expect(await warehouse.numbers(`SELECT ${k}`)).toEqual([[k]])
      await warehouse.close()
    }
    for (let k = 0; k < 20; k++)
      await withEnvironment({ PGPASSWORD: 'wrong' }, () => connectPostgres(address(), {})).catch(
        () => undefined,
      )
    await until(async () => (await connections()) === 0)
  })

  it('that the server has no place for say so', async () => {
    await admin('ALTER ROLE reader CONNECTION LIMIT 1')
    const warehouse = await connect()
    await expect(connect()).rejects.toMatchObject({
      message: 'PostgreSQL at 127.0.0.1 has no free connection.',
    })
    await warehouse.close()
    await admin('ALTER ROLE reader CONNECTION LIMIT -1')
  })
})

describe.skipIf(typeof server === 'string')('a password', () => {
  let folder: string
  let file: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hindcast-passwords-'))
    file = join(folder, 'pass:file')
    await writeFile(file, `# of this test\nother:*:*:*:no\n127.0.0.1:*:shop:reader:${reader.password}\n`)
    await chmod(file, 0o600)
  })
  afterAll(() => rm(folder, { recursive: true }))
  const none = { PGPASSWORD: undefined, PGPASSFILE: '/nowhere', PGUSER: undefined }
  /** Connects and answers; otherwise the error. Everything that anybody sees is in `seen`. */
  const attempt = async (
    environment: Readonly<Record<string, string | undefined>>,
    options: ConnectOptions = {},
    to = address(),
  ): Promise<{ error?: { message: string; remedy?: string }; seen: string; notes: string[] }> => {
    const notes: string[] = []
    const onNote = (note: string): void => void notes.push(note)
    return withEnvironment({ ...none, ...environment }, async () => {
      try {
        const warehouse = await connectPostgres(to, { ...options, onNote })
        expect(await warehouse.numbers('SELECT 1')).toEqual([[1]])
        const seen = [inspect(warehouse, { depth: 9, showHidden: true }), JSON.stringify(warehouse)]
        await warehouse.close()
        return { seen: [...seen, ...notes].join('\n'), notes }
      } catch (error) {
        const seen = [inspect(error, { depth: 9, showHidden: true }), JSON.stringify(error), String(error)]
        return { error: error as Error, seen: [...seen, ...notes].join('\n'), notes }
      }
    })
  }

  it('is taken from PGPASSWORD, the file of passwords or the prompt, in this order', async () => {
    const asked: string[] = []
    const askPassword = async (about: string): Promise<string> => {
      asked.push(about)
      return reader.password
    }
    expect((await attempt({ PGPASSWORD: reader.password }, { askPassword })).error).toBeUndefined()
    expect((await attempt({ PGPASSFILE: file }, { askPassword })).error).toBeUndefined()
    expect(asked).toEqual([])
    expect((await attempt({}, { askPassword })).error).toBeUndefined()
    expect(asked).toEqual([`Password of reader at postgres://reader@127.0.0.1:${port}/shop: `])
    expect((await attempt({})).error).toMatchObject({
      message: 'PostgreSQL at 127.0.0.1 asks for the password of user reader.',
      remedy: 'Set it in PGPASSWORD or in ~/.pgpass.',
    })
    const unnamed = { ...address(), user: undefined } as unknown as ReturnType<typeof address>
    expect((await attempt({ PGPASSFILE: file, PGUSER: 'reader' }, {}, unnamed)).error).toBeUndefined()
  })

  it('that others can read is not used, with a note', async () => {
    await chmod(file, 0o640)
    const { error, notes } = await attempt({ PGPASSFILE: file })
    expect(error).toMatchObject({ message: 'PostgreSQL at 127.0.0.1 asks for the password of user reader.' })
    expect(notes).toEqual([
      `The passwords in ${file} were not used: others on this machine can read it. Run chmod 600 ${file}.`,
    ])
    await chmod(file, 0o600)
  })

  it('that is wrong or has expired is refused, with where it came from', async () => {
    expect((await attempt({ PGPASSWORD: 'a wrong one' })).error).toMatchObject({
      code: 'data-unavailable',
      message:
        'PostgreSQL at 127.0.0.1 did not accept the password of user reader: it is wrong or has expired.',
      remedy:
        'It was taken from PGPASSWORD. Check the name of the user, and set the password in PGPASSWORD or ~/.pgpass.',
    })
    await admin(`CREATE ROLE old_reader LOGIN PASSWORD 'once good' VALID UNTIL '2020-01-01';
      CREATE ROLE barred NOLOGIN PASSWORD 'once good'`)
    expect((await attempt({ PGPASSWORD: 'once good' }, {}, address('old_reader'))).error?.message).toMatch(
      /did not accept the password of user old_reader: it is wrong or has expired\.$/,
    )
    expect((await attempt({ PGPASSWORD: 'once good' }, {}, address('barred'))).error?.message).toBe(
      'PostgreSQL at 127.0.0.1 does not let user barred into database shop from here.',
    )
  })

  it('appears nowhere: not in errors, notes or JSON', async () => {
    const wrong = 'Secret-0123456789'
    const askPassword = async (): Promise<string> => wrong
    const everything = [
      await attempt({ PGPASSWORD: wrong }),
      await attempt({ PGPASSWORD: wrong }, {}, address('nobody_here')),
      await attempt({ PGPASSWORD: wrong }, {}, address('reader', { port: 1 })),
      await attempt({}, { askPassword }),
      await attempt({ PGPASSWORD: reader.password }),
      await attempt({ PGPASSFILE: file }),
      await attempt({ PGPASSWORD: reader.password }, {}, address('reader', { database: 'nowhere' })),
    ].map(({ seen }) => seen)
    expect(everything.every((seen) => seen.length > 50)).toBe(true)
    expect(everything.filter((seen) => seen.includes(wrong) || seen.includes(reader.password))).toEqual([])
  })
})
