// Takes a picture of every view of the studio, light and dark, on a desk and on a phone, into out/studio-pictures, and
// the one of docs/images. They are there to be looked at. About a minute.
//   node bench/studio/pictures.mjs [name …]
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { csvText, toyWorld } from '../../dist/index.js'
import { openBrowser } from './open-page.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, 'out', 'studio-pictures')
const SIZES = { desk: { width: 1440, height: 1000 }, phone: { width: 390, height: 844 } }

/** Each view: its link, and what is done there before the picture is taken. */
const VIEWS = {
  doors: ['', (page) => page.getByRole('button', { name: 'Choose a file' }).waitFor()],
  file: ['', chooseFile],
  log: ['#log?log.door=toy', isAnswered],
  item: ['#log?log.door=movielens&log-view.chart=click-rate&log-view.item=100', isAnswered],
  evaluate: ['#evaluate?log.door=toy', isAnswered],
  compare: [
    '#evaluate?log.door=movielens&evaluate.target=popularity&evaluate.temperature=2&evaluate.with=uniform',
    isAnswered,
  ],
  refused: ['#evaluate?log.door=movielens&log.temperature=0.3', isAnswered],
  train: ['#train?log.door=toy', isAnswered],
  trained: ['#train?log.door=toy&train.epochs=40', trainAll],
  bias: ['#bias?log.door=movielens&bias.seeds=2', fillCurve],
}

const wanted = process.argv.slice(2)
mkdirSync(folder, { recursive: true })
const browser = await openBrowser()
for (const [name, [link, prepare]] of Object.entries(VIEWS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  for (const [size, viewport] of Object.entries(SIZES)) {
    const page = await browser.open(link, { viewport })
    await prepare(page)
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`), fullPage: true })
    }
    if (name === 'compare' && size === 'desk') await takeForDocs(page)
    await page.context().close()
  }
}
await browser.close()

async function takeForDocs(page) {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 960 })
  await page.screenshot({ path: join(root, 'docs', 'images', 'studio.png') })
}

async function chooseFile(page) {
  const csv = [...csvText(toyWorld({ seed: 3, users: 100, items: 20 }).draw())].join('')
  const renamed = csv.replace('user_id,item_id,reward,propensity', 'visitor,sku,clicked,p')
  await page.getByLabel('Log file').setInputFiles({
    name: 'clicks.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(renamed.replaceAll(/,[^,\n]*$/gm, '')),
  })
  await page.getByText('rows checked').waitFor()
}

async function isAnswered(page) {
  await page.locator('.answer').waitFor()
  await page.waitForFunction(() => !document.querySelector('[aria-busy=true], .stale'))
}

async function trainAll(page) {
  await isAnswered(page)
  await page.evaluate(() => (document.querySelector('.bench > details').open = true))
  await page.getByRole('button', { name: 'Train all three to compare' }).click()
  await page.getByRole('status').getByText('IPS-BPR + PR #3 is done.').waitFor({ state: 'attached' })
}

async function fillCurve(page) {
  await page.getByText('The curve rests on').waitFor()
}
