// What files that were open before leave behind in the page: memory, nodes, listeners and workers.
import { readFileSync } from 'node:fs'
import { rounded } from './open-page.mjs'

/** Once everything that is loaded on first use is there. */
const WARM_UP = 2

/** Opens the file so many times in a row, each time evaluated; what there is more of than after the second. */
export async function weighFiles(browser, path, { files = 10 } = {}) {
  const text = readFileSync(path, 'utf8')
  const page = await browser.open('#evaluate?evaluate.target=uniform')
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const taken = []
  for (let file = 0; file < files; file++) {
    await page.evaluate(drop, { text, name: `log-${file}.csv` })
    await page.getByRole('button', { name: 'Open the log', exact: true }).click()
    await page.locator('header').getByText(`log-${file}.csv`).waitFor()
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

/** Drops a file on the page. A file that a driver chooses keeps its input alive, and with it the page around it. */
function drop({ text, name }) {
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File([text], name))
  document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
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
