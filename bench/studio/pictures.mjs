// Takes a picture of every view and state of the studio and of its reports, at three widths, light and dark, into
// out/studio-pictures, and the one of docs/images. They are there to be looked at; what scrolls sideways is told at once.
// About ten minutes for all of them.
//   node bench/studio/pictures.mjs [start of a name …]
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openBrowser } from './open-page.mjs'
import { evaluate } from './pictures/evaluate.mjs'
import { log } from './pictures/log.mjs'
import { reports } from './pictures/reports.mjs'
import { start } from './pictures/start.mjs'
import { bias, train } from './pictures/train.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, 'out', 'studio-pictures')
const SIZES = [
  { width: 1440, height: 1000 },
  { width: 1024, height: 900 },
  { width: 390, height: 844 },
]

/** Each picture: its link, what is done there before it is taken, and what is unlike others: sizes, or settings that stay unfolded. */
const PICTURES = { ...start, ...log, ...evaluate, ...train, ...bias, ...reports }

const wanted = process.argv.slice(2)
mkdirSync(folder, { recursive: true })
const browser = await openBrowser()
for (const [name, picture] of Object.entries(PICTURES)) {
  if (wanted.length > 0 && !wanted.some((start) => name.startsWith(start))) continue
  const started = performance.now()
  // One state that cannot be reached should not hide the others.
  await takeAll(name, picture).catch((error) => {
    console.error(`${name}: ${error.message}`)
    process.exitCode = 1
  })
  console.log(`${name} ${((performance.now() - started) / 1000).toFixed(1)} s`)
}
await browser.close()

/** Widths are changed in one page: it is made ready once. */
async function takeAll(name, [link, prepare, { sizes = SIZES, isUnfolded = false } = {}]) {
  const page = await browser.open(link, { viewport: sizes[0] })
  page.setDefaultTimeout(60_000)
  try {
    await prepare(page)
    for (const viewport of sizes) {
      await page.setViewportSize(viewport)
      if (viewport.width <= 1200 && !isUnfolded) await foldSettings(page)
      await isStill(page)
      for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme })
        const path = join(folder, `${name}-${viewport.width}-${colorScheme}.png`)
        await page.screenshot({ path, fullPage: sizes === SIZES })
      }
      const wide = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      if (wide > 0) console.error(`${name} scrolls sideways by ${wide} px at ${viewport.width} px`)
    }
    if (name === 'compare') await takeForDocs(page)
  } finally {
    await page.context().close()
  }
}

/** Scrolls to the top, and waits until nothing that is drawn later makes the page longer. */
async function isStill(page) {
  let before = 0
  for (let height = -1; height !== before;) {
    before = height
    await page.waitForTimeout(500)
    height = await page.evaluate(() => (scrollTo(0, 0), document.documentElement.scrollHeight))
  }
}

/** A page that opens in a narrow window has its settings folded. */
function foldSettings(page) {
  return page.evaluate(() => document.querySelector('.bench > details')?.removeAttribute('open'))
}

async function takeForDocs(page) {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 960 })
  await page.evaluate(() => document.querySelector('.bench > details').setAttribute('open', ''))
  await page.screenshot({ path: join(root, 'docs', 'images', 'studio.png') })
}
