// The studio as a person waits for it: first paint, a file of a million rows, a slider, ten files in a row, an epoch. About
// six minutes; needs Chromium, and HINDCAST_DATA with ml-100k.
//   npm run bench -- studio
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
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

const program = fileURLToPath(new URL('../../bin/hindcast.js', import.meta.url))
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
    const saved = await trainedBefore(folder)
    const parts = {
      'before any data': () => weighPage(browser, { runs: 3 * runs }),
      'first estimate, CSV': () => timeFirstEstimate(browser, csv, { runs }),
      'first estimate, Parquet': () => timeFirstEstimate(browser, parquet, { runs }),
      slider: () => timeSlider(browser, parquet, { moves: MOVES, target: 'popularity' }),
      'slider, a model': () => timeSlider(browser, parquet, { moves: MOVES, target: 'model' }),
      'slider, a saved model': () =>
        timeSlider(browser, parquet, { moves: MOVES, target: 'saved', folder: saved }),
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

/** The folder of a model of the same users and items, trained on another log. */
async function trainedBefore(folder) {
  const [earlier, out] = [join(folder, 'earlier.parquet'), join(folder, 'saved')]
  await writeLogFile(earlier, sliderLog({ seed: 1, exposures: 20 }))
  const settings = ['--model', 'mf', '--loss', 'bpr', '--epochs', '2', '--seed', '0']
  execFileSync(process.execPath, [program, 'train', earlier, ...settings, '--out', out], { stdio: 'pipe' })
  return out
}

/** A row of the table: what was measured, and how much. */
const inWords = (result) =>
  Object.entries(result)
    .map(([name, value]) =>
      typeof value === 'object' ? `\n  ${name}: ${inWords(value)}` : `${name} ${value}`,
    )
    .join(', ')
