import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { HindcastError } from '../../src/error.js'
import { sourceConformance } from '../../src/estimate/source/conformance.js'
import { parseAddress, type WarehouseAddress } from '../../src/node/warehouse/address.js'
import { connectTrino } from '../../src/node/warehouse/trino/trino-warehouse.js'
import { TrinoSession } from '../../src/node/warehouse/trino/trino-session.js'
import type { ConnectOptions, Warehouse } from '../../src/node/warehouse/warehouse.js'
import { trino } from '../../src/sql/dialects/trino.js'
import { startTrino, TrinoUnavailable } from '../../scripts/trino.mjs'
import { joinConformance } from '../join-conformance.js'
import { bucketChecks, chosenChecks, chosenJoins } from './chosen-checks.js'
import { dialectFacts, HOSTILE, hostileTexts } from './dialect-facts.js'
import { droppingProxy } from './dropping-proxy.js'
import { engineSums, type FileEngine, joinedSums } from './engine-sums.js'
import type { TableFile } from './log-files.js'
import { MODEL_CHECKS, modelCheck } from './model-checks.js'
import { printedOnEngine } from './printed-on-engine.js'
import { begunOnTrino, commandLineOnTrino } from './trino-command-line.js'

/** Trino itself: coordinator and worker, two processes on loopback. */
const PASSWORD = 'correct horse bättery staple'
const keys = await mkdtemp(join(tmpdir(), 'hindcast-keys-'))
const certificate = await selfSigned()
const server = await startTrino({
  isQuick: true,
  ...(certificate && { tls: { pem: certificate.pem, users: { reader: PASSWORD } } }),
}).catch((error: unknown) => {
  if (!(error instanceof TrinoUnavailable)) throw error
  console.log(`Trino is not run: ${error.message}`)
  return undefined
})

/** A certificate for 127.0.0.1 and its key in one file, and the certificate alone; undefined where there is no openssl. */
async function selfSigned(): Promise<{ pem: string; authority: string } | undefined> {
  const [key, authority, pem] = ['key', 'certificate', 'both'].map((name) => join(keys, `${name}.pem`))
  const words = `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 -keyout ${key} -out ${authority}`
  if (spawnSync('openssl', words.split(' ')).status !== 0) return undefined
  await writeFile(pem!, `${await readFile(key!, 'utf8')}${await readFile(authority!, 'utf8')}`)
  return { pem: pem!, authority: authority! }
}

const addressOf = (port: number, rest: string): WarehouseAddress =>
  parseAddress(`trino://reader@127.0.0.1:${port}${rest}`)

const connected = (
  options: ConnectOptions = {},
  port = server!.port,
  rest = '/tpch/tiny',
): Promise<Warehouse> => connectTrino(addressOf(port, rest), options)

/** The error that some work ends with. */
async function failure(work: () => Promise<unknown>): Promise<HindcastError> {
  const error = await work().then(
    () => undefined,
    (cause: unknown) => cause,
  )
  expect(error).toBeInstanceOf(HindcastError)
  return error as HindcastError
}

const SLOW = 'SELECT count(*) FROM tpch.sf1000.lineitem WHERE sin(orderkey) > 0.5'
/** How many queries run that are not this one. */
const RUNNING =
  "SELECT CAST(count(*) AS DOUBLE) FROM system.runtime.queries WHERE state NOT IN ('FINISHED', 'FAILED') AND query NOT LIKE '%system.runtime.queries%'"

describe.skipIf(!server)('Trino', () => {
  let warehouse: Warehouse & FileEngine
  beforeAll(async () => {
    const plain = await connected({}, server!.port, '/hive/default')
    await plain.numbers('CREATE SCHEMA IF NOT EXISTS hive.default')
    warehouse = Object.assign(plain, {
      load: async (name: string, path: string, { columns }: TableFile): Promise<string> => {
        const place = path.slice(server!.folder.length).replace(/\/[^/]*$/, '')
        const typed = columns.map((column) => `${trino.identifier(column.name)} ${column.type}`)
        await plain.numbers(
          `CREATE TABLE ${name} (${typed.join(', ')}) WITH (external_location = 'local://${place}', format = 'PARQUET')`,
        )
        return name
      },
      cells: async (statement: string): Promise<(string | null)[][]> => {
        const session = new TrinoSession(addressOf(server!.port, '/hive/default'), {}, undefined)
        const found: (string | null)[][] = []
        // What the statement says is to be sent first, for it alone.
        const settings = trino.beforehand!.replace('SET SESSION', 'WITH SESSION')
        for await (const { data = [] } of session.pages(`${settings}\n${statement}`))
          found.push(...data.map((row) => row.map((cell) => (cell === null ? null : String(cell)))))
        await session.close()
        return found
      },
    })
  })
  afterAll(async () => {
    await warehouse?.close()
    await server?.stop()
    await rm(keys, { recursive: true, force: true })
  })

  const logs = (): string => join(server!.folder, 'logs')
  const sums = (most?: number): ReturnType<typeof sourceConformance> =>
    sourceConformance((...asked) => engineSums(warehouse, logs(), most)(...asked))

  it.each(chosenChecks(sums()).map(({ name, run }) => [name, run] as const))('gets right: %s', (_name, run) =>
    run(),
  )

  it.each(
    chosenJoins(joinConformance((...asked) => joinedSums(warehouse, logs())(...asked))).map(
      ({ name, run }) => [name, run] as const,
    ),
  )('joins as memory does: %s', (_name, run) => run())

  it.each(bucketChecks(sums(10)).map(({ name, run }) => [name, run] as const))(
    'gets right by bucket: %s',
    (_name, run) => run(),
  )

  it.each(MODEL_CHECKS)('predicts as memory does: %s', (_name, asked) => modelCheck(warehouse, logs(), asked))

  it('gets the verdict of the rows from the statement that is printed for it', () =>
    printedOnEngine(warehouse, logs()))

  it('says what its dialect promises', () => dialectFacts(warehouse))

  it('keeps a thousand hostile texts and names in their place', async () => {
    expect(await hostileTexts(warehouse)).toEqual([])
    await warehouse.numbers('CREATE TABLE IF NOT EXISTS victims (x integer)')
    const names = HOSTILE.map((text, k) => `${text}${k}`)
    for (let first = 0; first < names.length; first += 100) {
      const some = names.slice(first, first + 100)
      const columns = some.map((name, k) => `${k} AS ${trino.identifier(name)}`).join(', ')
      const found = await warehouse.columnsOf(`(SELECT ${columns}) AS hostile`)
      expect(found.map(({ name }) => name)).toEqual(some)
    }
    for (const name of ['x"; DROP TABLE victims; --', "x' OR 1=1 --", '"', 'a.b', ...HOSTILE.slice(0, 20)])
      expect((await failure(() => warehouse.columnsOf(trino.identifier(name)))).code).toBe('not-found')
    expect(await warehouse.tables()).toContain('victims')
  })

  it('gives every number back to its last bit', async () => {
    const asked =
      'SELECT nan(), infinity(), -infinity(), 5e-324, 1.7976931348623157e308, CAST(NULL AS DOUBLE), 0.30000000000000004e0'
    expect(await warehouse.numbers(asked)).toEqual([
      [NaN, Infinity, -Infinity, 5e-324, 1.7976931348623157e308, null, 0.30000000000000004],
    ])
    const rows: unknown[] = []
    const query =
      "SELECT 9007199254740993, 0.1e0, TIMESTAMP '2020-01-01 00:00:00.123456', DECIMAL '1.50', true, ARRAY[1], NULL"
    for await (const batch of warehouse.rows(query)) rows.push(...batch)
    expect(rows).toEqual([
      ['9007199254740993', '1.0E-1', '2020-01-01 00:00:00.123456', '1.50', 'true', '[1]', null],
    ])
  })

  it('reads rows in batches, and tells how many crossed', async () => {
    const other = await connected()
    let [rows, batches] = [0, 0]
    for await (const batch of other.rows('SELECT orderkey, comment FROM orders')) {
      rows += batch.length
      batches++
    }
    expect(rows).toBe(15_000)
    expect(batches).toBeGreaterThan(1)
    expect(other.crossed.rows).toBe(15_000)
    expect(other.crossed.bytes).toBeGreaterThan(500_000)
    await other.close()
  })

  it('knows the columns of a table of billions of rows without reading it', async () => {
    const begun = Date.now()
    const columns = await warehouse.columnsOf('tpch.sf1000.lineitem')
    expect(Date.now() - begun).toBeLessThan(20_000)
    expect(columns).toContainEqual({ name: 'shipdate', type: 'date', kind: 'date' })
    expect(columns).toContainEqual({ name: 'quantity', type: 'double', kind: 'number' })
  })

  it('says what is wrong with a name, and what was meant', async () => {
    const other = await connected()
    await other.columnsOf('nation')
    const told = async (query: string): Promise<string> => {
      const { message, remedy } = await failure(() => other.numbers(query))
      return `${message} ${remedy}`
    }
    expect(await told('SELECT 1 FROM natoin')).toMatch(/the table .*natoin.* Did you mean nation\?/)
    expect(await told('SELECT 1 FROM tpch.tinny.nation')).toMatch(/the schema tinny.* Did you mean tiny\?/)
    expect(await told('SELECT 1 FROM tpc.tiny.nation')).toMatch(/the catalog tpc\. Did you mean tpch\?/)
    expect(await told('SELECT nmae FROM nation')).toMatch(/the column nmae\. Did you mean name\?/)
    expect(await told('SELECT FROM nation')).toMatch(/cannot read the SQL/)
    expect(await told('SELECT 1 / (nationkey - nationkey) FROM nation')).toMatch(/Division by zero.*nullif/)
    await other.close()
  })

  it('ends a query that takes longer than it may', async () => {
    const other = await connected({ timeout: 2 })
    const begun = Date.now()
    expect((await failure(() => other.numbers(SLOW))).message).toMatch(/took longer than allowed/)
    expect(Date.now() - begun).toBeLessThan(15_000)
    await other.close()
  })

  it('cancels what runs within two seconds, in the engine too', async () => {
    const stop = new AbortController()
    const other = await connected({ signal: stop.signal })
    const slow = failure(() => other.numbers(SLOW))
    await vi.waitFor(async () => expect(await warehouse.numbers(RUNNING)).toEqual([[1]]), 20_000)
    const begun = Date.now()
    stop.abort()
    expect((await slow).code).toBe('interrupted')
    expect(Date.now() - begun).toBeLessThan(2000)
    await vi.waitFor(async () => expect(await warehouse.numbers(RUNNING)).toEqual([[0]]), 2000)
    await other.close()
  })

  it('cancels what runs when it is closed, and what nobody reads to its end', async () => {
    const other = await connected()
    const slow = failure(() => other.numbers(SLOW))
    await vi.waitFor(async () => expect(await warehouse.numbers(RUNNING)).toEqual([[1]]), 20_000)
    for await (const _batch of other.rows('SELECT orderkey FROM tpch.sf100.orders')) break
    expect(await other.groups('SELECT orderkey, 0, 0 FROM tpch.sf100.orders', 0, 100)).toBeUndefined()
    await other.close()
    expect((await slow).code).toBe('interrupted')
    await vi.waitFor(async () => expect(await warehouse.numbers(RUNNING)).toEqual([[0]]), 2000)
  })

  it('survives a connection that is dropped, and says so', async () => {
    const proxy = await droppingProxy(server!.port)
    const notes: string[] = []
    const other = await connected({ onNote: (note) => notes.push(note) }, proxy.port)
    const counted = other.numbers(
      'SELECT CAST(count(*) AS DOUBLE) FROM tpch.sf1.lineitem WHERE sin(orderkey) > 2',
    )
    await sleep(1000)
    proxy.drop()
    expect(await counted).toEqual([[0]])
    expect(notes.join(' ')).toMatch(/was lost and re-established/)
    await other.close()
    await proxy.close()
  })

  it('says how far it was when the network is cut', async () => {
    const proxy = await droppingProxy(server!.port)
    const other = await connected({}, proxy.port)
    await other.numbers('SELECT 1')
    const slow = failure(() => other.numbers(SLOW))
    await sleep(2500)
    proxy.cut()
    const { message, remedy } = await slow
    expect(message).toMatch(/was lost in a query that was .*, after 1 query that was answered and 1 row\./)
    expect(remedy).toMatch(/nothing was changed/)
    await other.close()
    await proxy.close()
    await warehouse.numbers("CALL system.runtime.kill_query((SELECT max(query_id) FROM system.runtime.queries WHERE state = 'RUNNING' AND query LIKE '%sin(%'), 'gone')").catch(() => undefined) // prettier-ignore
  })

  it('leaves no connection behind, two hundred times over', async () => {
    const proxy = await droppingProxy(server!.port)
    for (let round = 0; round < 200; round++) {
      const other = await connected({}, proxy.port)
      await other.close()
    }
    await vi.waitFor(() => expect(proxy.open).toBe(0), 2000)
    expect(proxy.opened).toBeGreaterThanOrEqual(200)
    await proxy.close()
  })

  describe.skipIf(!certificate)('with passwords, over TLS', () => {
    const signedIn = async (
      environment: Record<string, string>,
      options: ConnectOptions = {},
      tls = `?ca=${certificate?.authority}&tls=on`,
    ): Promise<Warehouse> => {
      for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
      try {
        return await connected(options, server!.httpsPort, `/tpch/tiny${tls}`)
      } finally {
        vi.unstubAllEnvs()
      }
    }

    it('takes a password from the environment, or asks for it', async () => {
      const asked: string[] = []
      const askPassword = async (about: string): Promise<string> => {
        asked.push(about)
        return PASSWORD
      }
      for (const other of [
        await signedIn({ TRINO_PASSWORD: PASSWORD }),
        await signedIn({}, { askPassword }),
      ]) {
        expect(await other.numbers('SELECT 1')).toEqual([[1]])
        await other.close()
      }
      expect(asked).toHaveLength(1)
      expect(asked[0]).toMatch(/reader/)
    })

    it('says that a password or token is wrong, and never which', async () => {
      const wrong = 'an expired secret'
      const askPassword = async (): Promise<string> => wrong
      const errors = [
        await failure(() => signedIn({ TRINO_PASSWORD: wrong })),
        await failure(() => signedIn({ TRINO_TOKEN: wrong })),
        await failure(() => signedIn({}, { askPassword })),
        await failure(() => signedIn({})),
      ]
      expect(errors.map(({ message }) => message)).toEqual([
        expect.stringMatching(/does not accept the password in TRINO_PASSWORD for reader/),
        expect.stringMatching(/does not accept the token in TRINO_TOKEN/),
        expect.stringMatching(/does not accept this password for reader/),
        expect.stringMatching(/asks for a password or a token for reader/),
      ])
      for (const error of errors) {
        const whole = `${error.stack}${error.remedy}${JSON.stringify(error)}${String(error.cause)}`
        expect(whole).not.toContain(wrong)
        expect(whole).not.toContain(Buffer.from(wrong).toString('base64'))
      }
    })

    it('trusts no certificate that it does not know', async () => {
      const { message, remedy } = await failure(() => signedIn({ TRINO_PASSWORD: PASSWORD }, {}, '?tls=on'))
      expect(`${message} ${remedy}`).toMatch(/certificate that cannot be trusted.*ca=FILE/)
      const other = await signedIn({ TRINO_PASSWORD: PASSWORD }, {}, '?tls=unverified')
      await other.close()
    })
  })

  commandLineOnTrino(() => ({ port: server!.port, warehouse }))

  it('says how far it was when the server is killed, on the command line too', async () => {
    const other = await connected()
    const { ended } = await begunOnTrino({ port: server!.port, warehouse })
    const slow = failure(() => other.numbers(SLOW))
    await sleep(2500)
    server!.kill('coordinator')
    expect((await slow).message).toMatch(/was lost in a query/)
    const { code, stderr } = await ended
    expect(code).toBe(2)
    expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(/was lost in a query .*nothing was changed/)
    expect((await failure(() => connected())).message).toMatch(/refuses connections/)
    await other.close()
  })
})
