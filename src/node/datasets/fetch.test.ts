import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Dataset, datasetNamed } from './catalogue.js'
import { fetchDataset, fetchDescribed, sourceFile } from './fetch.js'

/** A zip archive with its files stored as they are. */
function zip(files: Record<string, string>): Buffer {
  const local: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const common = Buffer.alloc(26)
    common.writeUInt16LE(10, 0)
    common.writeUInt32LE(crc32(text), 10)
    common.writeUInt32LE(Buffer.byteLength(text), 14)
    common.writeUInt32LE(Buffer.byteLength(text), 18)
    common.writeUInt16LE(Buffer.byteLength(name), 22)
    const entry = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), Buffer.from(text)])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    local.push(entry)
    central.push(Buffer.from('PK\x01\x02\x0a\x03'), common, rest, Buffer.from(name))
    offset += entry.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(local.length, 8)
  end.writeUInt16LE(local.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...local, directory, end])
}

const hash = (algorithm: string, bytes: Buffer | string) => createHash(algorithm).update(bytes).digest('hex')

const ratings = '196\t242\t3\t881250949\n'.repeat(20_000)
const archive = zip({ 'ml-100k/u.data': ratings, 'ml-100k/README': 'read me' })
const md5 = hash('md5', archive)

/** MovieLens 100K with contents of our own making, and their checksums. */
const small: Dataset = {
  ...datasetNamed('ml-100k'),
  checksum: { kind: 'known', algorithm: 'md5', sum: md5 },
  contents: [{ file: 'u.data', algorithm: 'md5', sum: hash('md5', ratings) }],
}

let folder: string
let cache: string
let env: Record<string, string>
let requests: string[]
let server: Server | undefined
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'hindcast-fetch-'))
  cache = path.join(folder, 'cache')
  env = { HINDCAST_CACHE: cache }
  requests = []
})
afterEach(async () => {
  server?.closeAllConnections()
  server?.close()
  server = undefined
  await rm(folder, { recursive: true })
})

async function serve(listener: RequestListener): Promise<string> {
  server = createServer((request, response) => {
    requests.push(request.url!)
    listener(request, response)
  })
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mirror`
}

const serveFiles = (files: Record<string, Buffer | string>) =>
  serve((request, response) => {
    const file = files[path.posix.basename(request.url!)]
    if (file === undefined) response.writeHead(404).end()
    else response.end(file)
  })

const left = async () => (await readdir(cache)).toSorted()

describe('fetchDataset', () => {
  it('downloads, checks and unpacks, and the next time finds it in the cache', async () => {
    const mirror = await serveFiles({ 'ml-100k.zip': archive })
    const seen = new Set<string>()
    const first = await fetchDescribed(small, { env, mirror, progress: ({ what }) => seen.add(what) })
    expect(first).toEqual({
      name: 'ml-100k',
      path: path.join(cache, 'ml-100k'),
      from: 'download',
      licence: expect.stringContaining('Harper'),
      archive: { bytes: archive.length, md5, sha256: hash('sha256', archive), verified: true },
      notice: undefined,
    })
    expect(await readFile(path.join(first.path, 'u.data'), 'utf8')).toBe(ratings)
    expect(await left()).toEqual(['ml-100k'])
    expect([...seen]).toEqual(['downloading', 'unpacking'])
    expect(requests).toEqual(['/mirror/ml-100k.zip'])

    const second = await fetchDescribed(small, { env, mirror })
    expect(second).toMatchObject({ path: first.path, from: 'cache', archive: undefined })
    expect(requests.length).toBe(1)
  })

  it('takes what is in HINDCAST_DATA without a request', async () => {
    await mkdir(path.join(folder, 'data', 'ml-100k'), { recursive: true })
    await writeFile(path.join(folder, 'data', 'ml-100k', 'u.data'), '')
    const both = { ...env, HINDCAST_DATA: path.join(folder, 'data') }
    expect(await fetchDataset('ml-100k', { env: both })).toMatchObject({
      path: path.join(folder, 'data', 'ml-100k'),
      from: 'HINDCAST_DATA',
    })
  })

  it('keeps nothing of an archive with another checksum than the published one', async () => {
    const mirror = await serveFiles({ 'ml-100k.zip': archive })
    const published = '0e33842e24a9c977be4e0107933c0723'
    await expect(fetchDataset('ml-100k', { env, mirror })).rejects.toMatchObject({
      code: 'data-unavailable',
      message: expect.stringContaining(`its md5 is ${md5}, expected ${published}`),
      remedy: expect.stringContaining(`md5 ${published}`),
    })
    expect(await left()).toEqual([])
  })

  it('keeps nothing of an archive with other contents than the published ones', async () => {
    const mirror = await serveFiles({ 'ml-100k.zip': archive })
    const { contents } = datasetNamed('ml-100k')
    await expect(fetchDescribed({ ...small, contents }, { env, mirror })).rejects.toMatchObject({
      code: 'data-unavailable',
      message: expect.stringMatching(/^u\.data in .* expected 6e47046882bad158b0efbb84cd5cb987/),
    })
    expect(await left()).toEqual([])
  })

  it('says which file to put where if the server cannot be reached', async () => {
    const mirror = await serve(() => {})
    server!.close()
    const failure = fetchDataset('ml-1m', { env: { ...env, HINDCAST_MIRROR: mirror } })
    await expect(failure).rejects.toMatchObject({
      code: 'data-unavailable',
      message: expect.stringContaining(`${mirror}/ml-1m.zip could not be downloaded`),
      remedy:
        'Download https://files.grouplens.org/datasets/movielens/ml-1m.zip ' +
        '(6 MB; md5 c4d9eecfca2ab87c1945afe126590906) by other means, then either save the zip as ' +
        `${path.join(cache, 'ml-1m.zip')} or unpack it to a folder named ml-1m and set HINDCAST_DATA to the ` +
        'folder that holds ml-1m, and run the command again.',
    })
    const nowhere = path.join(folder, 'nowhere')
    await expect(
      fetchDataset('open-bandit', { env: { ...env, HINDCAST_MIRROR: mirror, HINDCAST_DATA: nowhere } }),
    ).rejects.toMatchObject({
      remedy: expect.stringMatching(
        /413 MB; ZOZO publishes no checksum.*unpack it as .*nowhere.open-bandit.*not a folder\./,
      ),
    })
    expect(await left()).toEqual([])
  })

  it('passes on a 404 and a body that ends early, and keeps nothing', async () => {
    let cut = false
    const mirror = await serve((_, response) => {
      if (!cut) return response.writeHead(404).end()
      response.writeHead(200, { 'content-length': archive.length })
      response.write(archive.subarray(0, 1000), () => setTimeout(() => response.destroy(), 20))
    })
    await expect(fetchDescribed(small, { env, mirror })).rejects.toMatchObject({
      code: 'data-unavailable',
      message: expect.stringContaining('404'),
    })
    cut = true
    await expect(fetchDescribed(small, { env, mirror })).rejects.toMatchObject({
      code: 'data-unavailable',
      message: expect.stringContaining(`1,000 of ${archive.length.toLocaleString('en-US')} bytes`),
    })
    expect(await left()).toEqual([])
  })

  it('checks an archive that changes against the md5 file beside it', async () => {
    const csv = zip({ 'ml-latest-small/ratings.csv': 'userId,movieId,rating,timestamp\n' })
    const files: Record<string, Buffer | string> = {
      'ml-latest-small.zip': csv,
      'ml-latest-small.zip.md5': `MD5 (ml-latest-small.zip) = ${'0'.repeat(32)}\n`,
    }
    const mirror = await serveFiles(files)
    await expect(fetchDataset('ml-latest-small', { env, mirror })).rejects.toThrow(
      `expected ${'0'.repeat(32)}`,
    )
    expect(await left()).toEqual([])
    files['ml-latest-small.zip.md5'] = `${hash('md5', csv)}  ml-latest-small.zip\n`
    const fetched = await fetchDataset('ml-latest-small', { env, mirror })
    expect(fetched).toMatchObject({ from: 'download', archive: { verified: true }, notice: undefined })
  })

  it('says that an archive without a published checksum was not verified, and records its own', async () => {
    const bytes = zip({
      'open_bandit_dataset/random/men/men.csv': 'x',
      'open_bandit_dataset/bts/men/men.csv': 'x',
    })
    const mirror = await serveFiles({ 'open_bandit_dataset.zip': bytes })
    const fetched = await fetchDataset('open-bandit', { env, mirror })
    const sha256 = hash('sha256', bytes)
    expect(fetched.notice).toBe(
      'open_bandit_dataset.zip could not be verified, because ZOZO publishes no checksum for it. ' +
        `Its sha256 is ${sha256}.`,
    )
    expect(JSON.parse(await readFile(path.join(fetched.path, sourceFile), 'utf8'))).toMatchObject({
      schema: 'hindcast-dataset-source/1',
      dataset: 'open-bandit',
      address: `${mirror}/open_bandit_dataset.zip`,
      sha256,
      verified: false,
    })
    expect((await readdir(fetched.path)).toSorted()).toEqual(['bts', sourceFile, 'random'])
  })

  it('refuses a download that holds something else or leaves its folder, and does not keep it', async () => {
    const files = { 'open_bandit_dataset.zip': zip({ 'other/readme': 'x' }) }
    const mirror = await serveFiles(files)
    await expect(fetchDataset('open-bandit', { env, mirror })).rejects.toMatchObject({
      code: 'bad-file',
      message: expect.stringContaining('there is no random or bts in it'),
    })
    files['open_bandit_dataset.zip'] = zip({ 'random/men.csv': 'x', '../../evil': 'evil' })
    await expect(fetchDataset('open-bandit', { env, mirror })).rejects.toMatchObject({
      code: 'bad-file',
      message: expect.stringContaining("'../../evil'"),
    })
    expect(await left()).toEqual([])
    expect(await readdir(folder)).toEqual(['cache'])
  })

  it('unpacks a zip placed in the cache folder by hand, and leaves the zip there', async () => {
    await mkdir(cache)
    await writeFile(path.join(cache, 'ml-100k.zip'), archive)
    const fetched = await fetchDescribed(small, { env, mirror: 'http://127.0.0.1:9' })
    expect(fetched).toMatchObject({ from: 'archive', archive: { verified: true } })
    expect(await left()).toEqual(['ml-100k', 'ml-100k.zip'])
  })

  it('refuses a zip placed by hand that is not the published one, and says what to do', async () => {
    await mkdir(cache)
    const placed = path.join(cache, 'ml-100k.zip')
    await writeFile(placed, archive)
    await expect(fetchDataset('ml-100k', { env })).rejects.toMatchObject({
      code: 'data-unavailable',
      message: expect.stringContaining(md5),
      remedy: expect.stringContaining(`Delete ${placed}. Download https://files.grouplens.org/`),
    })
    expect(await left()).toEqual(['ml-100k.zip'])
  })

  it('says that a zip put there by hand could not be verified without its md5 file', async () => {
    await mkdir(cache)
    const bytes = zip({ 'ml-latest-small/ratings.csv': '' })
    await writeFile(path.join(cache, 'ml-latest-small.zip'), bytes)
    const fetched = await fetchDataset('ml-latest-small', { env })
    expect(fetched.archive?.verified).toBe(false)
    expect(fetched.notice).toMatch(/ml-latest-small\.zip\.md5 is not beside it/)
  })

  it('stops midway when asked to and leaves nothing', async () => {
    const mirror = await serve((_, response) => {
      response.writeHead(200, { 'content-length': archive.length })
      response.write(archive.subarray(0, 5000))
    })
    const stop = new AbortController()
    const work = fetchDescribed(small, { env, mirror, signal: stop.signal, progress: () => stop.abort() })
    await expect(work).rejects.toMatchObject({ code: 'interrupted' })
    expect(await left()).toEqual([])
  })

  it('can run several times at once', async () => {
    const mirror = await serve((_, response) => {
      response.write(archive.subarray(0, 50_000))
      setTimeout(() => response.end(archive.subarray(50_000)), 20 * (requests.length % 3))
    })
    const all = await Promise.all(Array.from({ length: 6 }, () => fetchDescribed(small, { env, mirror })))
    expect(new Set(all.map((fetched) => fetched.path))).toEqual(new Set([path.join(cache, 'ml-100k')]))
    expect(await readFile(path.join(cache, 'ml-100k', 'u.data'), 'utf8')).toBe(ratings)
    expect(await left()).toEqual(['ml-100k'])
  })

  it('does not download when another folder is in the way', async () => {
    await mkdir(path.join(cache, 'ml-100k'), { recursive: true })
    await writeFile(path.join(cache, 'ml-100k', 'notes.txt'), 'mine')
    const mirror = await serveFiles({ 'ml-100k.zip': archive })
    await expect(fetchDescribed(small, { env, mirror })).rejects.toMatchObject({
      code: 'write-failed',
      remedy: expect.stringContaining(path.join(cache, 'ml-100k')),
    })
    expect(requests).toEqual([])
  })

  it('refuses a mirror that is not a web address', async () => {
    await expect(fetchDataset('ml-100k', { env, mirror: '/srv/data' })).rejects.toMatchObject({
      code: 'bad-option',
    })
  })
})
