import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { startStudio } from '../../src/node/studio/start-studio.js'
import { openChromium } from '../chromium.js'
import { program } from '../hindcast.js'

/** The studio as a person meets it: the built page, looked at in Chromium. */
export interface Studio {
  /** A folder for the files of these tests. */
  readonly folder: string
  /** Opens the page at a link, in a window of its own; whatever it complains about fails the test. */
  open(link?: string, options?: BrowserContextOptions): Promise<Page>
}

/** The folder of the built page. */
const PAGE = fileURLToPath(new URL('../../dist/studio/', import.meta.url))

/** Milliseconds that a page may take to answer: on a busy machine many, and within those of a test. */
const PATIENCE = 50_000

/**
 * Serves the studio for the tests of a file. After each test its pages must have been silent: no message on the
 * console, no error, no violation of the policy, no request that left the server.
 *
 * @param log what `hindcast studio --log` is started with, in a process of its own; without one it is served from here
 * @param serve starts another server than that of `hindcast studio`
 */
export function useStudio({
  log,
  serve = () => startStudio({ port: 0, folder: PAGE }),
}: {
  log?: { readonly name: string; readonly text: string }
  serve?: () => Promise<Served>
} = {}): Studio {
  let served: Served
  let browser: Browser
  let folder: string
  let contexts: BrowserContext[] = []
  let complaints: string[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hindcast-page-'))
    if (log) await writeFile(join(folder, log.name), log.text)
    ;[served, browser] = await Promise.all([
      log ? serveByCommand(['--log', join(folder, log.name)]) : serve(),
      openChromium(),
    ])
  }, 60_000)
  afterAll(async () => {
    await served?.close()
    await rm(folder, { recursive: true, force: true })
  })
  afterEach(async () => {
    await Promise.all(contexts.map((context) => context.close()))
    const said = complaints
    ;[contexts, complaints] = [[], []]
    expect(said).toEqual([])
  })

  return {
    get folder() {
      return folder
    },
    async open(link = '', options = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
      context.setDefaultTimeout(PATIENCE)
      contexts.push(context)
      const complain = (what: string): void => void complaints.push(what)
      context.on('console', (message) => {
        // The browser says so itself when a page asks for a GPU that is not there.
        if (message.text() !== 'No available adapters.') complain(`${message.type()}: ${message.text()}`)
      })
      context.on('weberror', (error) => complain(String(error.error())))
      context.on('request', (request) => {
        const { protocol, origin } = new URL(request.url())
        if (protocol.startsWith('http') && origin !== new URL(served.url).origin)
          complain(`request to ${request.url()}`)
      })
      context.on('requestfailed', (request) => {
        // A desk that ends while it loads gives up what it asked for.
        if (request.failure()?.errorText !== 'net::ERR_ABORTED') complain(`no answer for ${request.url()}`)
      })
      const page = await context.newPage()
      await page.goto(served.url + link)
      return page
    },
  }
}

/** A server that is running. */
export interface Served {
  readonly url: string
  close(): Promise<void>
}

/** Runs `hindcast studio` in a process of its own. */
async function serveByCommand(args: readonly string[]): Promise<Served> {
  const child = spawn(process.execPath, [program, 'studio', '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const url = await addressOf(child)
  return {
    url,
    close: async () => {
      child.kill('SIGINT')
      await ended
    },
  }
}

/** Where a studio says that it is. */
function addressOf({ stdout, stderr }: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let [output, errors] = ['', '']
    stderr!.on('data', (chunk: Buffer) => (errors += chunk.toString()))
    stdout!.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const found = /^Studio: (\S+)$/m.exec(output)?.[1]
      if (found) resolve(found)
    })
    stdout!.on('close', () => reject(new Error(`hindcast studio ended: ${errors}`)))
  })
}
