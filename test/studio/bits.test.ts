import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { appears, commandOf } from './at-the-page.js'
import { type Served, useStudio } from './open-studio.js'
import { runTyped } from './run-typed.js'
import { modelFiles, train } from './trained.js'

const LINK = '#train?log.door=toy&train.epochs=1&train.backend=wasm'
/** The same on the command line, as the page must say it. */
const LINES = [
  'hindcast simulate toy --out toy.csv --seed 7 --catalogue toy-items.csv',
  'hindcast train toy.csv --out model --epochs 1 --backend wasm --catalogue toy-items.csv',
].join('\n')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-typed-'))
  await runTyped(LINES, folder)
}, 60_000)
afterAll(() => rm(folder, { recursive: true }))
const typed = (name: string): Promise<Buffer> => readFile(join(folder, 'model', name))

/** A training without the times that it took. */
const withoutTimes = (json: Uint8Array): unknown =>
  JSON.parse(Buffer.from(json).toString(), (key, value: unknown) =>
    /seconds$/i.test(key) ? undefined : value,
  )

const reportWithoutTimes = (html: Uint8Array): string =>
  Buffer.from(html)
    .toString()
    .replaceAll(/[\d.]+ s</g, '<')

/** The model of the command line to the bit, all its numbers, and its report. */
async function expectSameTraining(page: Page): Promise<void> {
  const files = await modelFiles(page)
  expect(await commandOf(page)).toBe(LINES)
  expect((await typed('embeddings.safetensors')).equals(files['embeddings.safetensors']!)).toBe(true)
  expect(withoutTimes(files['training.json']!)).toEqual(withoutTimes(await typed('training.json')))
  const report = reportWithoutTimes(await typed('report.html'))
  expect(reportWithoutTimes(files['report.html']!) === report).toBe(true)
}

describe('a model trained in the page', () => {
  const studio = useStudio()

  it.each([1, 2])('on %i threads is the one of the command line, bit by bit', async (threads) => {
    const page = await studio.open(`${LINK}&train.threads=${threads}`)
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true)
    await train(page)
    await appears(page, `WebAssembly, ${threads} thread`)
    await expectSameTraining(page)
  })
})

describe('on a static host that knows nothing of the studio', () => {
  const studio = useStudio({ serve: servePlainly })

  it('the page works, and trains the same model on one thread', async () => {
    const page = await studio.open(`${LINK}&train.threads=2`)
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(false)
    await train(page)
    await appears(page, 'WebAssembly, 1 thread')
    await expectSameTraining(page)
  })

  it('the page offers no log of the host’s', async () => {
    const page = await studio.open()
    await appears(page, 'Choose a file')
    expect(await page.getByText('The log that this studio was started with.').count()).toBe(0)
  })
})

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
}

/** The built page in a folder of a host that sends no headers of its own. */
async function servePlainly(): Promise<Served> {
  const built = fileURLToPath(new URL('../../dist/studio', import.meta.url))
  const server = createServer((request, response) => {
    const path = request.url!.replace(/^\/some\/folder/, '').replace(/\/$/, '/index.html')
    readFile(join(built, path)).then(
      (bytes) => response.setHeader('content-type', TYPES[extname(path)]!).end(bytes),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/some/folder/`,
    close: () => new Promise((resolve) => (server.close(() => resolve()), server.closeAllConnections())),
  }
}
