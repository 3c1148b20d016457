// The studio as a person waits for it: first paint, a file of a million rows, a slider, ten files in a row, an epoch. About
// six minutes; needs Chromium, and HINDCAST_DATA with ml-100k.
//   npm run bench -- studio
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { takeRows } from '../../dist/index.js'
import { writeLogFile } from '../../dist/node/index.js'
import { timeEpochs } from './epochs.mjs'
import { timeFirstEstimate } from './first-estimate.mjs'
import { weighFiles } from './memory.mjs'
import { openBrowser } from './open-page.mjs'
import { timeSlider } from './slide.mjs'
import { bench as timeEvaluations } from './slider.mjs'
import { sliderLog } from './slider-log.mjs'
import { weighPage } from './weight.mjs'

const MOVES = 50
/** Rows of each of the files that are opened in a row. */
const FEW_ROWS = 20_000

export async function bench({ runs }) {
  const folder = mkdtempSync(join(tmpdir(), 'hindcast-studio-'))
  const browser = await openBrowser()
  try {
    const log = sliderLog()
    const [csv, parquet] = ['csv', 'parquet'].map((kind) => join(folder, `log.${kind}`))
    for (const path of [csv, parquet]) await writeLogFile(path, log)
    const small = join(folder, 'small.csv')
    await writeLogFile(
      small,
      takeRows(
        log,
        Uint32Array.from({ length: FEW_ROWS }, (_, row) => row),
      ),
    )
    const parts = {
      'before any data': () => weighPage(browser, { runs: 3 * runs }),
      'first estimate, CSV': () => timeFirstEstimate(browser, csv, { runs }),
      'first estimate, Parquet': () => timeFirstEstimate(browser, parquet, { runs }),
      slider: () => timeSlider(browser, parquet, { moves: MOVES, target: 'popularity' }),
      'slider, a model': () => timeSlider(browser, parquet, { moves: MOVES, target: 'model' }),
      'ten files in a row': () => weighFiles(browser, small),
      'evaluations of the slider, in Node': async () => (await timeEvaluations()).results,
      'epoch, 1 thread': () => timeEpochs(browser, 1),
      'epoch, 2 threads': () => timeEpochs(browser, 2),
    }
    const results = {}
    for (const [what, measure] of Object.entries(parts)) {
      results[what] = await measure()
      console.log(what.padEnd(36), inWords(results[what]))
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

/** A row of the table: what was measured, and how much. */
const inWords = (result) =>
  Object.entries(result)
    .map(([name, value]) =>
      typeof value === 'object' ? `\n  ${name}: ${inWords(value)}` : `${name} ${value}`,
    )
    .join(', ')
