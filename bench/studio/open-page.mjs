// The built studio, served by its own server, in Chromium.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright-core'
import { startStudio } from '../../dist/node/studio/start-studio.js'

const executablePath = [
  process.env.HINDCAST_CHROMIUM,
  ...process.env.PATH.split(delimiter).flatMap((folder) =>
    ['chromium', 'chromium-headless-shell', 'chromium-browser', 'google-chrome'].map((name) =>
      join(folder, name),
    ),
  ),
].find((path) => path !== undefined && existsSync(path))

/** Serves the studio and starts a browser; `open` gives a page with an empty cache. */
export async function openBrowser() {
  if (!executablePath) throw new Error('Chromium was not found: set HINDCAST_CHROMIUM to the program.')
  const studio = await startStudio({ port: 0 })
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  return {
    url: studio.url,
    version: `Chromium ${browser.version()}`,
    /** Opens the page at a link; options are those of a context of playwright. */
    async open(link = '', options = {}) {
      const context = await browser.newContext({ viewport: { width: 1440, height: 1000 }, ...options })
      context.setDefaultTimeout(300_000)
      const page = await context.newPage()
      await page.addInitScript(watchStalls)
      await page.goto(studio.url + link)
      return page
    },
    async close() {
      await browser.close()
      await studio.close()
    },
  }
}

/** Records every stall of more than 50 ms in which the page could not respond. */
function watchStalls() {
  globalThis.stalls = []
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) globalThis.stalls.push({ startTime, duration })
  }).observe({ type: 'longtask', buffered: true })
}

/** The longest stall since a time of the page's clock, in milliseconds; 0 if all were shorter than 50. */
export const longestStall = (page, since = 0) =>
  page.evaluate(
    (since) =>
      Math.max(
        0,
        ...globalThis.stalls.filter(({ startTime }) => startTime >= since).map(({ duration }) => duration),
      ),
    since,
  )

/** Chooses a file at the door, opens it as it was guessed but for `choose`, and waits for the view of the link. */
export async function openFile(page, path, choose = async () => {}) {
  await page.getByLabel('Log file').setInputFiles(path)
  const open = page.getByRole('button', { name: 'Open the log', exact: true })
  await open.waitFor()
  await choose()
  await open.click()
}

export const rounded = (value, digits = 3) => Number(value.toPrecision(digits))
