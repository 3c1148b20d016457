import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Progress } from '../../progress.js'
import { download, downloadText } from './download.js'

const body = Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(300_000, 'hindcast ')])
const md5 = createHash('md5').update(body).digest('hex')
const sha256 = createHash('sha256').update(body).digest('hex')

let folder: string
let target: string
const servers: Server[] = []
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'hindcast-download-'))
  target = path.join(folder, 'set.zip')
})
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
  await rm(folder, { recursive: true })
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/set.zip`
}

/** Sends the body from `start` to `end` with the length of the whole promised, then drops the connection. */
const cut: (end: number, headers?: Record<string, string>) => RequestListener =
  (end, headers = {}) =>
  (_, response) => {
    response.writeHead(200, { 'content-length': body.length, ...headers })
    response.write(body.subarray(0, end), () => setTimeout(() => response.destroy(), 20))
  }

const left = () => readdir(folder)

describe('download', () => {
  it('saves the file, reports progress and returns the checksums', async () => {
    const address = await serve((_, response) =>
      response.writeHead(200, { 'content-length': body.length }).end(body),
    )
    const seen: Progress[] = []
    const found = await download(address, target, {
      checksum: { algorithm: 'md5', sum: md5 },
      progress: (progress) => seen.push(progress),
    })
    expect(found).toEqual({ bytes: body.length, md5, sha256 })
    expect(body.equals(await readFile(target))).toBe(true)
    expect(await left()).toEqual(['set.zip'])
    expect(seen.at(-1)).toEqual({ what: 'downloading', done: body.length, total: body.length, unit: 'bytes' })
  })

  it('keeps nothing when the checksum is wrong, and gives both', async () => {
    const address = await serve((_, response) => response.end(body))
    const wrong = '0'.repeat(32)
    await expect(
      download(address, target, { checksum: { algorithm: 'md5', sum: wrong }, remedy: 'Do it by hand.' }),
    ).rejects.toMatchObject({
      code: 'data-unavailable',
      message: `${address} is not the published file: its md5 is ${md5}, expected ${wrong}.`,
      remedy: 'Do it by hand.',
    })
    expect(await left()).toEqual([])
  })

  it('resumes after a lost connection', async () => {
    const ranges: (string | undefined)[] = []
    const address = await serve((request, response) => {
      ranges.push(request.headers.range)
      if (ranges.length === 1) return cut(100_000, { etag: '"one"' })(request, response)
      expect(request.headers['if-range']).toBe('"one"')
      const start = Number(/\d+/.exec(request.headers.range!)![0])
      response.writeHead(206, { 'content-range': `bytes ${start}-${body.length - 1}/${body.length}` })
      response.end(body.subarray(start))
    })
    const found = await download(address, target)
    expect(found.sha256).toBe(sha256)
    expect(body.equals(await readFile(target))).toBe(true)
    expect(ranges).toEqual([undefined, 'bytes=100000-'])
  })

  it('starts again when the file changed between two connections', async () => {
    let requests = 0
    const address = await serve((request, response) => {
      if (++requests === 1) return cut(100_000, { etag: '"one"' })(request, response)
      response.writeHead(200, { etag: '"two"' }).end(body)
    })
    expect((await download(address, target)).sha256).toBe(sha256)
    expect(body.equals(await readFile(target))).toBe(true)
  })

  it('keeps nothing of a body that ends early, and says how much arrived', async () => {
    const address = await serve(cut(100_000))
    await expect(download(address, target)).rejects.toMatchObject({
      code: 'data-unavailable',
      message: expect.stringContaining(
        `the connection was lost (100,000 of ${body.length.toLocaleString('en-US')} bytes arrived)`,
      ),
    })
    expect(await left()).toEqual([])
  })

  it('gives up on a server that falls silent', async () => {
    const address = await serve((_, response) => {
      response.writeHead(200, { 'content-length': body.length })
      response.write(body.subarray(0, 1000))
    })
    await expect(download(address, target, { idleTimeout: 100 })).rejects.toMatchObject({
      code: 'data-unavailable',
      message: expect.stringContaining('no data arrived for 0.1 s'),
    })
    expect(await left()).toEqual([])
  })

  it('gives up on a server that never answers', async () => {
    const address = await serve(() => {})
    await expect(download(address, target, { idleTimeout: 100 })).rejects.toMatchObject({
      code: 'data-unavailable',
      message: expect.stringContaining('no data arrived for 0.1 s'),
    })
  })

  it('passes on what the server answered', async () => {
    const address = await serve((_, response) => response.writeHead(404).end('gone'))
    await expect(download(address, target)).rejects.toMatchObject({
      code: 'data-unavailable',
      message: `${address} could not be downloaded: the server answered 404 Not Found.`,
      remedy: expect.stringContaining(target),
    })
    expect(await left()).toEqual([])
  })

  it.each([
    ['a web page', { 'content-type': 'text/html; charset=utf-8' }, '<!doctype html>'],
    ['a web page', {}, '<html>'],
    ['an empty file', {}, ''],
    ['something else', {}, 'Rar!'],
  ])('refuses %s (%o, "%s")', async (what, headers, text) => {
    const address = await serve((_, response) => response.writeHead(200, headers).end(text))
    await expect(download(address, target)).rejects.toMatchObject({
      code: 'data-unavailable',
      message: `${address} returned ${what}; a zip archive was expected.`,
    })
    expect(await left()).toEqual([])
  })

  it('says that nothing is listening', async () => {
    const address = await serve(() => {})
    servers[0]!.close()
    await expect(download(address, target)).rejects.toMatchObject({
      code: 'data-unavailable',
      message: expect.stringMatching(/127\.0\.0\.1:\d+ refused the connection/),
      remedy: expect.stringContaining(address),
    })
    expect(await left()).toEqual([])
  })

  it('says that a name cannot be resolved', async () => {
    await expect(download('http://nowhere.invalid/set.zip', target)).rejects.toMatchObject({
      code: 'data-unavailable',
      message: expect.stringContaining('nowhere.invalid could not be resolved; this machine may be offline'),
    })
  })

  it('stops midway when asked to and leaves nothing', async () => {
    const stop = new AbortController()
    const address = await serve((_, response) => {
      response.writeHead(200, { 'content-length': body.length })
      response.write(body.subarray(0, 1000))
    })
    const work = download(address, target, { signal: stop.signal, progress: () => stop.abort() })
    await expect(work).rejects.toMatchObject({ code: 'interrupted' })
    expect(await left()).toEqual([])
  })

  it('says that the folder cannot be written', async () => {
    const address = await serve((_, response) => response.end(body))
    await writeFile(path.join(folder, 'file'), '')
    await expect(download(address, path.join(folder, 'file', 'set.zip'))).rejects.toMatchObject({
      code: 'write-failed',
      remedy: expect.stringContaining('HINDCAST_CACHE'),
    })
  })
})

describe('downloadText', () => {
  it('reads no more than the limit', async () => {
    const address = await serve((_, response) => response.end('x'.repeat(100_000)))
    expect(await downloadText(address, {}, 10)).toBe('xxxxxxxxxx')
  })
})
