// The studio as a person waits for it: first paint, a file of a million rows, a slider, an epoch. About five minutes;
// needs Chromium, and HINDCAST_DATA with ml-100k.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeLogFile } from '../../dist/node/index.js'
import { timeEpochs } from './epochs.mjs'
import { timeFirstEstimate } from './first-estimate.mjs'
import { openBrowser } from './open-page.mjs'
import { timeSlider } from './slide.mjs'
import { sliderLog } from './slider-log.mjs'
import { weighPage } from './weight.mjs'

const MOVES = 50

export async function bench({ runs }) {
  const folder = mkdtempSync(join(tmpdir(), 'hindcast-studio-'))
  const browser = await openBrowser()
  try {
    const log = sliderLog()
    const [csv, parquet] = ['csv', 'parquet'].map((kind) => join(folder, `log.${kind}`))
    for (const path of [csv, parquet]) await writeLogFile(path, log)
    const few = { runs: Math.min(runs, 3) }
    const parts = {
      'before any data': () => weighPage(browser, { runs: 3 * runs }),
      'first estimate, CSV': () => timeFirstEstimate(browser, csv, few),
      'first estimate, Parquet': () => timeFirstEstimate(browser, parquet, few),
      slider: () => timeSlider(browser, parquet, { moves: MOVES }),
      'epoch, 1 thread': () => timeEpochs(browser, 1),
      'epoch, 2 threads': () => timeEpochs(browser, 2),
    }
    const results = {}
    for (const [what, measure] of Object.entries(parts)) {
      results[what] = await measure()
      console.log(what, JSON.stringify(results[what]))
    }
    const { rows, userIds, itemIds } = log
    return {
      browser: browser.version,
      rows,
      users: userIds.length,
      items: itemIds.length,
      yardstick: 'hindcast evaluate on the same file, and hindcast train, in Node on the same machine',
      results,
    }
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true })
  }
}
