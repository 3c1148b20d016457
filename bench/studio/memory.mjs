// What files that were open before leave behind in the page: memory, nodes, listeners and workers.
import { openFile, rounded } from './open-page.mjs'

/** Once everything that is loaded on first use is there. */
const WARM_UP = 2

/** Opens the file so many times in a row, each time evaluated; what there is more of than after the second. */
export async function weighFiles(browser, path, { files = 10 } = {}) {
  const page = await browser.open('#evaluate')
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const taken = []
  for (let file = 0; file < files; file++) {
    if (file > 0) await page.getByRole('button', { name: 'Another log', exact: true }).click()
    await page.getByLabel('Log file').waitFor({ state: 'attached' })
    await openFile(page, path)
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Evaluate' }).click()
    await page.locator('.answer[aria-busy=false]').getByText('would have earned').waitFor()
    await page.waitForFunction(() => !document.querySelector('[aria-busy=true], .stale'))
    taken.push(await takeStock(page, session))
  }
  await page.context().close()
  const [early, late] = [taken[WARM_UP - 1], taken.at(-1)]
  return {
    files,
    megabytes: rounded(late.bytes / 1e6),
    moreMegabytes: rounded((late.bytes - early.bytes) / 1e6),
    moreNodes: late.nodes - early.nodes,
    moreListeners: late.listeners - early.listeners,
    workers: late.workers,
  }
}

async function takeStock(page, session) {
  // Figures that are no longer shown are let go one after another.
  await page.waitForTimeout(500)
  for (let times = 0; times < 3; times++) await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  const valueOf = (name) => metrics.find((metric) => metric.name === name).value
  return {
    bytes: valueOf('JSHeapUsedSize'),
    nodes: valueOf('Nodes'),
    listeners: valueOf('JSEventListeners'),
    workers: page.workers().length,
  }
}
