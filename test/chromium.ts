import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { type Browser, chromium } from 'playwright-core'
import { expect } from 'vitest'

const folders = process.env['PATH']!.split(delimiter)

/** The Chromium of this system, by preference the one without windows: a page opens in a quarter of the time. */
export const executablePath = [
  process.env['HINDCAST_CHROMIUM'],
  ...['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].flatMap((name) =>
    folders.map((folder) => join(folder, name)),
  ),
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
].find((path) => path !== undefined && existsSync(path))

let browser: Promise<Browser> | undefined

/**
 * The Chromium of all tests of this process. It starts when it is first asked for, and ends with the process; what a
 * test opens is a context of its own, and is closed by the test.
 */
export function openChromium(): Promise<Browser> {
  browser ??= chromium
    .launch({ executablePath: executablePath!, args: ['--no-sandbox'] })
    .then((launched) => launched.once('disconnected', () => (browser = undefined)))
  return browser
}

/** A page with the library in it. */
export interface BrowserPage<Library> {
  /** Runs work in the page, or in a worker of it; what it complains about is an error. */
  run<T>(work: (hindcast: Library) => Promise<T>, where?: 'page' | 'worker'): Promise<T>
  close(): Promise<void>
}

/** Headers under which a page may share memory between threads. */
const ISOLATED = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
}

/** Bundles an entrance of src, with constants of its own where `define` has some, and opens it in Chromium. */
export async function openInBrowser<Library>(
  entrance: string,
  { isolated = false, define = {} }: { isolated?: boolean; define?: Record<string, string> } = {},
): Promise<BrowserPage<Library>> {
  const { outputFiles } = await build({
    entryPoints: { index: fileURLToPath(new URL(`../src/${entrance}`, import.meta.url)) },
    outdir: '/',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    define,
    write: false,
  })
  const served = new Map(outputFiles.map(({ path, contents }) => [path.split('/').at(-1), contents]))
  let inWorker = ''
  const server = createServer((request, response) => {
    const name = request.url!.slice(1)
    const file = name === 'work.js' ? inWorker : served.get(name)
    if (isolated) for (const [header, value] of Object.entries(ISOLATED)) response.setHeader(header, value)
    response.setHeader('content-type', file === undefined ? 'text/html' : 'text/javascript')
    response.end(file ?? '<!doctype html><title>test</title>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const browser = await openChromium()
  return {
    async run<T>(work: (hindcast: Library) => Promise<T>, where = 'page'): Promise<T> {
      const page = await browser.newPage()
      const problems: string[] = []
      page.on('pageerror', (error) => problems.push(error.message))
      page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
      // As text, because the test runner rewrites what it compiles.
      const call = `import('/index.js').then((hindcast) => (${work.toString()})(hindcast))`
      inWorker = `${call}.then((result) => postMessage({ result }), (error) => postMessage({ error: String(error) }))`
      const result = await page.evaluate(
        where === 'page'
          ? call
          : `new Promise((resolve, reject) => {
              const worker = new Worker('/work.js', { type: 'module' })
              worker.onmessage = ({ data }) => (data.error ? reject(new Error(data.error)) : resolve(data.result))
              worker.onerror = (event) => reject(new Error(event.message))
            })`,
      )
      await page.close()
      expect(problems.filter((text) => !text.includes('favicon'))).toEqual([])
      return result as T
    },
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
