import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { datasetNamed } from './catalogue.js'
import { fingerprint } from './checksum.js'
import { exists, listDatasets, locateDataset } from './locate.js'
import { cacheFolder, dataFolder } from './places.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'hindcast-locate-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function put(file: string): Promise<void> {
  await mkdir(path.dirname(path.join(folder, file)), { recursive: true })
  await writeFile(path.join(folder, file), '')
}

describe('locateDataset', () => {
  it('looks in HINDCAST_DATA before the cache', async () => {
    const env = { HINDCAST_DATA: path.join(folder, 'data'), HINDCAST_CACHE: path.join(folder, 'cache') }
    expect(await locateDataset('ml-100k', { env })).toBeUndefined()
    await put('cache/ml-100k/u.data')
    expect(await locateDataset('ml-100k', { env })).toEqual({
      path: path.join(folder, 'cache', 'ml-100k'),
      from: 'cache',
    })
    await put('data/ml-100k/u.data')
    expect(await locateDataset('ml-100k', { env })).toEqual({
      path: path.join(folder, 'data', 'ml-100k'),
      from: 'HINDCAST_DATA',
    })
  })

  it('finds a data set under any of its folder names', async () => {
    const env = { HINDCAST_DATA: folder, HINDCAST_CACHE: path.join(folder, 'none') }
    await put('obd/bts/men/men.csv')
    expect((await locateDataset('open-bandit', { env }))?.path).toBe(path.join(folder, 'obd'))
  })

  it('does not mistake a folder without the marker file for the data set', async () => {
    await put('ml-1m/README')
    expect(await locateDataset('ml-1m', { env: { HINDCAST_CACHE: folder } })).toBeUndefined()
  })

  it('refuses a name it does not know', async () => {
    await expect(locateDataset('ml-2m')).rejects.toMatchObject({ code: 'unknown-name' })
  })
})

describe('listDatasets', () => {
  it('lists every data set and says which are present', async () => {
    await put('ml-latest-small/ratings.csv')
    const list = await listDatasets({ env: { HINDCAST_CACHE: folder } })
    expect(list.map(({ name }) => name)).toEqual(['ml-100k', 'ml-1m', 'ml-latest-small', 'open-bandit'])
    expect(list.map(({ present }) => present)).toEqual([
      undefined,
      undefined,
      path.join(folder, 'ml-latest-small'),
      undefined,
    ])
  })
})

describe('cacheFolder', () => {
  const home = path.resolve('/home/ada')
  it.each([
    [{ HINDCAST_CACHE: home, XDG_CACHE_HOME: path.resolve('/xdg') }, 'linux', home],
    [{ HOME: home, XDG_CACHE_HOME: path.resolve('/xdg') }, 'linux', path.resolve('/xdg/hindcast')],
    [{ HOME: home, XDG_CACHE_HOME: 'relative' }, 'linux', path.join(home, '.cache', 'hindcast')],
    [{ HOME: home, HINDCAST_CACHE: '' }, 'linux', path.join(home, '.cache', 'hindcast')],
    [{ HOME: home }, 'darwin', path.join(home, 'Library', 'Caches', 'hindcast')],
    [{ LOCALAPPDATA: home }, 'win32', path.join(home, 'hindcast')],
    [{ USERPROFILE: home }, 'win32', path.join(home, 'AppData', 'Local', 'hindcast')],
  ])('%o on %s is %s', (env, platform, expected) => {
    expect(cacheFolder(env, platform)).toBe(expected)
  })
})

const data = dataFolder()
const real = data !== undefined && (await exists(path.join(data, 'ml-100k')))
describe.skipIf(!real)('the real data in HINDCAST_DATA', () => {
  it('holds MovieLens 100K with the checksum of the catalogue', async () => {
    const [contents] = datasetNamed('ml-100k').contents
    const located = await locateDataset('ml-100k')
    expect(located?.from).toBe('HINDCAST_DATA')
    expect((await fingerprint(path.join(located!.path, contents!.file))).md5).toBe(contents!.sum)
  })
})
