import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { appendFile, chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningStudio, startStudio } from '../src/node/studio/start-studio.js'
import { hindcastProcess, program } from './hindcast.js'

const SCRIPT = `export const answer = ${JSON.stringify('forty-two '.repeat(200))}\n`
const INDEX =
  '<!doctype html><title>page</title><script type="module" src="./assets/index-Cke-3J1L.js"></script>\n'

let folder: string
let logPath: string
let bytes: Buffer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-studio-'))
  await mkdir(join(folder, 'page', 'assets'), { recursive: true })
  await writeFile(join(folder, 'page', 'index.html'), INDEX)
  await writeFile(join(folder, 'page', 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await writeFile(join(folder, 'page', 'assets', 'index-Cke-3J1L.js'), SCRIPT)
  await writeFile(join(folder, 'secret.txt'), 'not for the page')
  await symlink(join(folder, 'secret.txt'), join(folder, 'page', 'link.txt'))
  await symlink(folder, join(folder, 'page', 'up'))
  // Longer than any buffer on the way, and no text.
  bytes = Buffer.from(Uint8Array.from({ length: 3_000_001 }, (_, k) => (k * k) % 251))
  logPath = join(folder, 'clicks of may.csv')
  await writeFile(logPath, bytes)
})
afterAll(() => rm(folder, { recursive: true }))

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** Asks as a program would: the path goes out as it stands, which `fetch` would tidy up first. */
function ask(
  studio: Pick<RunningStudio, 'port'>,
  path: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asking = request(
      { host: '127.0.0.1', port: studio.port, path, method, headers, agent: false },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () =>
          resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }),
        )
      },
    )
    asking.on('error', reject)
    asking.end()
  })
}

/** A server on a port of its own that is in nobody's way. */
function occupy(port = 0): Promise<{ server: Server; port: number }> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve({ server, port: (server.address() as AddressInfo).port }))
  })
}

describe('the server of the studio', () => {
  let studio: RunningStudio
  beforeAll(async () => {
    studio = await startStudio({
      folder: join(folder, 'page'),
      port: 0,
      log: { path: logPath, name: 'clicks of may.csv' },
    })
  })
  afterAll(() => studio.close())

  it('gives the page at its address, and its files by their types', async () => {
    expect(studio).toMatchObject({ url: `http://127.0.0.1:${studio.port}/`, isLocal: true })
    for (const path of ['/', '/index.html', '/?view=log']) {
      const { status, headers, body } = await ask(studio, path)
      expect([status, body.toString()]).toEqual([200, INDEX])
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
    }
    expect((await ask(studio, '/icon.svg')).headers['content-type']).toBe('image/svg+xml; charset=utf-8')
  })

  it('keeps the page to itself, whatever it answers', async () => {
    for (const path of ['/', '/assets/index-Cke-3J1L.js', '/log', '/nothing']) {
      const { headers } = await ask(studio, path)
      expect(headers).toMatchObject({
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-embedder-policy': 'require-corp',
        'cross-origin-resource-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      })
      const policy = headers['content-security-policy']!
      expect(policy).toContain("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; ")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toMatch(/script-src[^;]*unsafe-inline/)
      expect(headers['access-control-allow-origin']).toBeUndefined()
    }
  })

  it.each([
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/%2E%2E%2Fsecret.txt',
    '/..%2fsecret.txt',
    '/..\\secret.txt',
    '/..%5csecret.txt',
    '//etc/passwd',
    '/%00',
    '/index.html%00.txt',
    '/assets',
    '/assets/',
    '/link.txt',
    '/up/secret.txt',
    'http://127.0.0.1/index.html',
    '/constructor',
    '/__proto__',
  ])('opens nothing but the files of the page: %s', async (path) => {
    const { status, body } = await ask(studio, path)
    expect([status, body.toString()]).toEqual([404, 'Not found.\n'])
  })

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])('answers no %s', async (method) => {
    for (const path of ['/', '/log']) {
      const { status, headers } = await ask(studio, path, { method })
      expect([status, headers['allow']]).toEqual([405, 'GET, HEAD'])
    }
  })

  it('answers HEAD with the headers of GET alone', async () => {
    for (const path of ['/', '/log', '/log.json', '/nothing']) {
      const [head, get] = [await ask(studio, path, { method: 'HEAD' }), await ask(studio, path)]
      expect([head.status, head.body.length]).toEqual([get.status, 0])
      expect({ ...head.headers, date: '' }).toEqual({ ...get.headers, date: '' })
      expect(Number(get.headers['content-length'])).toBe(get.body.length)
    }
  })

  it('answers to its own address only, so that no other site can be made to lead to the log', async () => {
    const own = ['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]'].map((name) => `${name}:${studio.port}`)
    for (const host of own) expect((await ask(studio, '/log.json', { headers: { host } })).status).toBe(200)
    const others = [
      'evil.example',
      `evil.example:${studio.port}`,
      '127.0.0.1',
      `127.0.0.1:${studio.port + 1}`,
    ]
    for (const host of others) {
      const { status, body } = await ask(studio, '/log.json', { headers: { host } })
      expect([status, body.toString()], host).toEqual([
        403,
        'This server responds only under its own address.\n',
      ])
    }
  })

  it('lets browsers keep files that are named after their content, and asks about the others', async () => {
    const script = await ask(studio, '/assets/index-Cke-3J1L.js')
    expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    for (const path of ['/', '/icon.svg']) {
      const first = await ask(studio, path)
      expect(first.headers['cache-control']).toBe('no-cache')
      const tag = first.headers['etag']!
      const again = await ask(studio, path, { headers: { 'If-None-Match': `"other", ${tag}` } })
      expect([again.status, again.body.length]).toEqual([304, 0])
      expect((await ask(studio, path, { headers: { 'If-None-Match': '"other"' } })).status).toBe(200)
    }
  })

  it.each([
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip;q=0.5', 'gzip', gunzipSync],
    ['gzip, br;q=0', 'gzip', gunzipSync],
    ['identity', undefined, (body: Buffer) => body],
  ])('compresses for a client that takes %s', async (accepted, encoding, decode) => {
    const tags = new Set<string>()
    for (let time = 0; time < 2; time++) {
      const { headers, body } = await ask(studio, '/assets/index-Cke-3J1L.js', {
        headers: { 'Accept-Encoding': accepted },
      })
      expect([headers['content-encoding'], headers['vary']]).toEqual([encoding, 'Accept-Encoding'])
      expect(decode(body).toString()).toBe(SCRIPT)
      if (encoding !== undefined) expect(body.length).toBeLessThan(SCRIPT.length / 4)
      tags.add(headers['etag']!)
    }
    expect(tags.size).toBe(1)
    if (encoding !== undefined) expect([...tags][0]).toContain(encoding)
  })

  it('gives the log, byte by byte, and says how it is called and how long it is', async () => {
    const about = await ask(studio, '/log.json')
    expect(JSON.parse(about.body.toString())).toEqual({ name: 'clicks of may.csv', bytes: bytes.length })
    const { headers, body } = await ask(studio, '/log', { headers: { 'Accept-Encoding': 'gzip' } })
    expect(headers).toMatchObject({ 'content-length': String(bytes.length), 'cache-control': 'no-store' })
    expect(headers['content-encoding']).toBeUndefined()
    expect(body.equals(bytes)).toBe(true)
  })
})

describe('a studio', () => {
  const served = async <T>(path: string, work: (studio: RunningStudio) => Promise<T>): Promise<T> => {
    const studio = await startStudio({ folder: join(folder, 'page'), port: 0, log: { path, name: 'log' } })
    return work(studio).finally(() => studio.close())
  }

  it('without a log has none to give', async () => {
    const studio = await startStudio({ folder: join(folder, 'page'), port: 0 })
    for (const path of ['/log', '/log.json']) expect((await ask(studio, path)).status).toBe(404)
    await studio.close()
  })

  it('gives a log that has grown as it now is, and says so when it has gone', async () => {
    const path = join(folder, 'growing.csv')
    await writeFile(path, '')
    await served(path, async (studio) => {
      expect((await ask(studio, '/log')).body).toHaveLength(0)
      await appendFile(path, 'user_id\n')
      expect((await ask(studio, '/log')).body.toString()).toBe('user_id\n')
      expect(JSON.parse((await ask(studio, '/log.json')).body.toString()).bytes).toBe(8)
      await rm(path)
      const gone = await ask(studio, '/log')
      expect([gone.status, gone.body.toString()]).toEqual([404, 'The log no longer exists.\n'])
    })
  })

  it('goes on when a reader of the log leaves in the middle', async () => {
    await served(logPath, async (studio) => {
      await new Promise<void>((resolve) => {
        const socket = connect(studio.port, '127.0.0.1', () =>
          socket.write(`GET /log HTTP/1.1\r\nHost: 127.0.0.1:${studio.port}\r\n\r\n`),
        )
        socket.once('data', () => socket.destroy())
        socket.once('close', () => resolve())
      })
      expect((await ask(studio, '/log')).body.equals(bytes)).toBe(true)
    })
  })

  it('for other machines answers to addresses and to the names of this machine, to no other', async () => {
    const studio = await startStudio({ folder: join(folder, 'page'), port: 0, host: '0.0.0.0' })
    expect(studio).toMatchObject({ url: `http://localhost:${studio.port}/`, isLocal: false })
    const own = ['192.168.1.7', '[fe80::1]', 'localhost', hostname()].map((name) => `${name}:${studio.port}`)
    for (const host of [...own, '10.0.0.1', '10.0.0.1:8080'])
      expect((await ask(studio, '/', { headers: { host } })).status, host).toBe(200)
    const others = ['studio.example', 'localhost.evil.example', '1.2.3.4.evil.example', '1.2.3', ' ']
    for (const host of others) expect((await ask(studio, '/', { headers: { host } })).status, host).toBe(403)
    await studio.close()
  })

  it('does not follow a link that was put in place of the log, or of its folder', async () => {
    const place = join(folder, 'served')
    await mkdir(place)
    const path = join(place, 'log.csv')
    await writeFile(path, 'user_id\n')
    await served(path, async (studio) => {
      expect((await ask(studio, '/log')).status).toBe(200)
      await rm(path)
      await symlink(join(folder, 'secret.txt'), path)
      for (const address of ['/log', '/log.json']) {
        const { status, body } = await ask(studio, address)
        expect([status, body.toString()]).toEqual([404, 'The log no longer exists.\n'])
      }
      await rm(place, { recursive: true })
      await mkdir(join(folder, 'elsewhere'))
      await writeFile(join(folder, 'elsewhere', 'log.csv'), 'secret')
      await symlink(join(folder, 'elsewhere'), place)
      expect((await ask(studio, '/log')).status).toBe(404)
    })
  })

  it('follows the link that it was given at its start', async () => {
    const path = join(folder, 'named.csv')
    await symlink(logPath, path)
    await served(path, async (studio) => expect((await ask(studio, '/log')).body.equals(bytes)).toBe(true))
  })

  it('ends with its connections, idle ones and those it is answering', async () => {
    const studio = await startStudio({
      folder: join(folder, 'page'),
      port: 0,
      log: { path: logPath, name: 'log' },
    })
    const sockets = [connect(studio.port, '127.0.0.1'), connect(studio.port, '127.0.0.1')]
    const closed = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)))
    for (const socket of sockets) socket.on('error', () => undefined)
    // One has asked and does not read; the other says nothing at all.
    sockets[0]!.pause()
    sockets[0]!.write(`GET /log HTTP/1.1\r\nHost: 127.0.0.1:${studio.port}\r\n\r\n`)
    await ask(studio, '/')
    await studio.close()
    sockets[0]!.resume()
    await Promise.all(closed)
    await expect(ask(studio, '/')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('takes the next port if the default is in use, but never replaces one that was named', async () => {
    const usual = await startStudio({ folder: join(folder, 'page') })
    const next = await startStudio({ folder: join(folder, 'page') })
    expect(next.port).toBeGreaterThan(usual.port)
    await expect(startStudio({ folder: join(folder, 'page'), port: next.port })).rejects.toMatchObject({
      code: 'bad-option',
      message: `Port ${next.port} on 127.0.0.1 is in use.`,
      remedy: 'Choose another, or leave out port.',
    })
    await Promise.all([usual.close(), next.close()])
  })

  it('says what to do when its page has not been built, and when it cannot listen', async () => {
    for (const name of ['nowhere', '.'])
      await expect(startStudio({ folder: join(folder, name) })).rejects.toMatchObject({
        code: 'not-found',
        remedy: 'Run: npm run build',
      })
    await expect(startStudio({ folder: join(folder, 'page'), host: '192.0.2.1' })).rejects.toMatchObject({
      code: 'bad-option',
      message: expect.stringContaining('192.0.2.1 is not an address of this machine') as string,
    })
  })
})

const isBuilt = existsSync(fileURLToPath(new URL('../dist/studio/index.html', import.meta.url)))

describe.skipIf(!isBuilt)('hindcast studio, where its page has been built', () => {
  /** The command, once it has said where the page is. */
  async function start(
    args: string[],
    env: Record<string, string> = {},
  ): Promise<{ child: ChildProcess; url: string; errors: () => string; ended: Promise<number | null> }> {
    const child = spawn(process.execPath, [program, 'studio', ...args], { env: { ...process.env, ...env } })
    let [output, errors] = ['', '']
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        const found = /^Studio: (\S+)$/m.exec(output)?.[1]
        if (found) resolve(found)
      })
      void ended.then(() => reject(new Error(errors)))
    })
    return { child, url, errors: () => errors, ended }
  }

  it('serves the built page and the log, and Ctrl-C ends it well, with connections open', async () => {
    const { child, url, errors, ended } = await start(['--port', '0', '--log', logPath])
    // `fetch` keeps its connection, as browsers do.
    const html = await (await fetch(url)).text()
    const built = await readFile(new URL('../dist/studio/index.html', import.meta.url), 'utf8')
    expect(html).toBe(built)
    for (const [, asset] of html.matchAll(/(?:src|href)="\.\/([^"]+)"/g))
      expect((await fetch(url + asset!)).status, asset).toBe(200)
    expect(await (await fetch(`${url}log.json`)).json()).toEqual({
      name: 'clicks of may.csv',
      bytes: bytes.length,
    })
    expect(Buffer.from(await (await fetch(`${url}log`)).arrayBuffer()).equals(bytes)).toBe(true)
    expect(errors()).toContain('Press Ctrl-C to stop.')
    child.kill('SIGINT')
    expect(await ended).toBe(0)
  })

  it('warns that others can read the log if it is not served to this machine only', async () => {
    const { child, errors, ended } = await start(['--port', '0', '--host', '0.0.0.0', '--log', logPath])
    child.kill('SIGINT')
    await ended
    expect(errors()).toMatch(/Anyone who can reach port \d+ of this machine can read the page and the log\./)
  })

  it('opens the browser where there is one, and only says so where there is none', async () => {
    const opener = join(folder, 'xdg-open')
    const seen = join(folder, 'opened')
    await writeFile(opener, `#!/bin/sh\necho "$1" > '${seen}'\n`)
    await chmod(opener, 0o755)
    for (const [path, hasBrowser] of [
      [`${folder}${delimiter}${process.env['PATH']}`, true],
      [join(folder, 'page'), false],
    ] as const) {
      const { child, url, errors, ended } = await start(['--port', '0', '--open'], { PATH: path })
      const isDone = (): Promise<boolean> =>
        hasBrowser
          ? readFile(seen, 'utf8').then(
              (text) => text.trim() === url,
              () => false,
            )
          : Promise.resolve(errors().includes(`Go to ${url} yourself`))
      await expect.poll(isDone, { timeout: 10_000 }).toBe(true)
      child.kill('SIGINT')
      expect(await ended).toBe(0)
    }
  })

  it('refuses a port in use, a missing log and unknown options', async () => {
    const { server, port } = await occupy()
    const cases: [args: string[], says: string][] = [
      [['--port', String(port)], `Port ${port} on 127.0.0.1 is in use.`],
      [['--port', '70000'], '--port 70000 is not a valid port.'],
      [['--log', 'nothing.csv'], 'The file nothing.csv does not exist.'],
      [['--log', folder], 'is a folder'],
      [['clicks.csv'], 'To open a log, use --log clicks.csv.'],
      [['--prot', '1'], 'Did you mean --port?'],
    ]
    for (const [args, says] of cases) {
      const { code, stdout, stderr } = await hindcastProcess(['studio', ...args])
      expect(stderr).toContain(says)
      expect([code, stdout]).toEqual([2, ''])
    }
    server.close()
  })
})
