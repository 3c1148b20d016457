import { existsSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as core from '../src/index.js'

/** The library in a real browser gives what it gives in Node. */
const executablePath = [
  process.env['HINDCAST_CHROMIUM'],
  ...process.env['PATH']!.split(delimiter).flatMap((folder) =>
    ['chromium', 'chromium-browser', 'google-chrome'].map((name) => join(folder, name)),
  ),
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
].find((path) => path !== undefined && existsSync(path))

let browser: Browser
let server: Server
beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../src/index.ts', import.meta.url))],
    outdir: '/',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  })
  const served = new Map(outputFiles.map(({ path, contents }) => [path.split('/').at(-1), contents]))
  server = createServer((request, response) => {
    const file = served.get(request.url!.slice(1))
    response.setHeader('content-type', file ? 'text/javascript' : 'text/html')
    response.end(file ?? '<!doctype html><title>test</title>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] })
}, 60_000)
afterAll(async () => {
  await browser?.close()
  server?.close()
})

/** Runs the same work here and in the page. */
async function inBrowser<T>(work: (hindcast: typeof core) => Promise<T>): Promise<T> {
  const page = await browser.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  // As text, because the test runner rewrites what it compiles.
  const result = await page.evaluate(`import('/index.js').then((hindcast) => (${work.toString()})(hindcast))`)
  await page.close()
  expect(problems.filter((text) => !text.includes('favicon'))).toEqual([])
  return result as T
}

describe('in Chromium', () => {
  it('a world draws the same log and has the same value', async () => {
    const work = async (hindcast: typeof core): Promise<unknown> => {
      const world = hindcast.toyWorld({ seed: 7, users: 100, items: 50 })
      return { csv: [...hindcast.csvText(world.draw())].join(''), value: world.value(world.logging) }
    }
    expect(await inBrowser(work)).toEqual(await work(core))
  })

  it('a dropped Parquet file, CSV file and gzip file are read and described alike', async () => {
    const work = async (hindcast: typeof core): Promise<unknown> => {
      const log = hindcast.toyWorld({ seed: 1, users: 200, items: 30 }).draw()
      const csv = new Blob([...hindcast.csvText(log)])
      const files: [string, Blob][] = [
        ['toy.csv', csv],
        ['toy.parquet', new Blob([(await hindcast.parquetBytes(log)) as Uint8Array<ArrayBuffer>])],
        ['toy.csv.gz', await new Response(csv.stream().pipeThrough(new CompressionStream('gzip'))).blob()],
      ]
      const described = []
      for (const [name, blob] of files) {
        const read = await hindcast.readLog(hindcast.blobInput(name, blob))
        described.push([hindcast.describeLog(read.log), (await hindcast.diagnose(read)).clean])
      }
      return described
    }
    expect(await inBrowser(work)).toEqual(await work(core))
  })

  it('bad rows are named as on the command line', async () => {
    const work = async (hindcast: typeof core): Promise<unknown> => {
      const blob = new Blob(['user_id,item_id,reward,propensity\n1,a,0,0.5\n2,b,1,1.5\n'])
      try {
        await hindcast.readLog(hindcast.blobInput('bad.csv', blob))
        return 'read'
      } catch (error) {
        return (error as core.BadRowsError).cells
      }
    }
    expect(await inBrowser(work)).toEqual(await work(core))
    expect(await work(core)).toMatchObject([{ line: 3, column: 'propensity', value: '1.5' }])
  })
})
