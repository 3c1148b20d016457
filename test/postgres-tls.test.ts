import { execFileSync } from 'node:child_process'
import { chmod, chown, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresServer, postgresServer } from './postgres-server.js'

const server = await postgresServer()
const { admin, address, connect } = server as PostgresServer

/** Makes certificates; where it is missing, these tests are skipped. */
const OPENSSL = 'openssl'

const hasOpenSsl = ((): boolean => {
  try {
    execFileSync(OPENSSL, ['version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

/** Turns encryption on or off, and waits until the server has heard of it. */
async function encrypt(is: 'on' | 'off'): Promise<void> {
  await admin(`ALTER SYSTEM SET ssl = ${is}`)
  await admin('SELECT pg_reload_conf()')
  for (let k = 0; k < 100 && (await admin('SHOW ssl'))[0]!['ssl'] !== is; k++) await wait(50)
}

describe.skipIf(typeof server === 'string' || !hasOpenSsl)('a server that encrypts', () => {
  let folder: string
  let certificate: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hindcast-tls-'))
    certificate = join(folder, 'server.crt')
    const key = join(folder, 'server.key')
    const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
    const made = [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-keyout',
      key,
      '-out',
      certificate,
    ]
    execFileSync(OPENSSL, [...made, ...subject], { stdio: 'ignore' })
    const [row] = await admin('SHOW data_directory')
    const { uid, gid } = await stat(row!['data_directory'] as string)
    await chmod(folder, 0o755)
    await chmod(key, 0o600)
    await chown(key, uid, gid)
    await admin(`ALTER SYSTEM SET ssl_cert_file = '${certificate}'`)
    await admin(`ALTER SYSTEM SET ssl_key_file = '${key}'`)
    await encrypt('on')
  })
  afterAll(async () => {
    await encrypt('off')
    await rm(folder, { recursive: true })
  })

  const encrypted = `SELECT CAST(ssl AS integer) FROM pg_stat_ssl WHERE pid = pg_backend_pid()`

  it('is not trusted by its word', async () => {
    await expect(connect({}, address('reader', { search: '?tls=on' }))).rejects.toMatchObject({
      message: `The certificate of 127.0.0.1:${address().port} is not signed by an authority that this machine trusts.`,
      remedy: 'Name the file with the certificate of its authority in the address: ?ca=FILE.',
    })
  })

  it('is trusted where its authority is named, and cancels as others do', async () => {
    const stop = new AbortController()
    const search = `?tls=on&ca=${encodeURIComponent(certificate)}`
    const warehouse = await connect({ signal: stop.signal }, address('reader', { search }))
    expect(await warehouse.numbers(encrypted)).toEqual([[1]])
    const answer = warehouse.numbers('SELECT 1 FROM pg_sleep(60)').catch((error: unknown) => error)
    await wait(200)
    const started = performance.now()
    stop.abort()
    expect(await answer).toMatchObject({ code: 'interrupted' })
    expect(performance.now() - started).toBeLessThan(1400)
    await warehouse.close()
  })

  it('of another name is not trusted', async () => {
    const to = {
      ...address('reader', { search: `?tls=on&ca=${encodeURIComponent(certificate)}` }),
      host: 'localhost',
    }
    await expect(connect({}, to)).rejects.toMatchObject({
      message: `The certificate of localhost:${to.port} is for another host.`,
    })
    await expect(connect({}, { ...to, authorities: '/nowhere.crt' })).rejects.toMatchObject({
      code: 'not-found',
    })
  })

  it('is used without a check only where the address says so', async () => {
    const warehouse = await connect({}, address('reader', { search: '?tls=unverified' }))
    expect(await warehouse.numbers(encrypted)).toEqual([[1]])
    await warehouse.close()
  })
})
