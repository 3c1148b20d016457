// The view of a log, with each of its charts.
import { isAnswered, look, openLog, press, unfold } from './at-the-page.mjs'
import { bare, damaged, dated } from './tables.mjs'

const CHARTS = ['exposure', 'click-rate', 'users', 'propensities']

export const log = {
  ...Object.fromEntries(
    CHARTS.map((chart) => [`log-${chart}`, [`#log?log.door=movielens&log-view.chart=${chart}`, isAnswered]]),
  ),
  'log-item': ['#log?log.door=movielens&log-view.chart=click-rate&log-view.item=100', isAnswered],
  'log-tail': [
    '#log?log.door=toy',
    async (page) => {
      await isAnswered(page)
      await press(page, 'Tail')
      await page.getByLabel('Find an item').fill('x19')
      await page.keyboard.press('Enter')
      await unfold(page, 'Table')
    },
  ],
  'log-of-file': ['#log', (page) => openLog(page, 'dated.csv', dated)],
  'log-findings': [
    '#log',
    async (page) => {
      await look(page, 'damaged.csv', damaged)
      await press(page, 'Use propensity = propensity / 100')
      await page.getByText('look at this before').waitFor()
      await press(page, 'Open the log')
      await isAnswered(page)
    },
  ],
  'log-bare': [
    '#log',
    async (page) => {
      await page.getByLabel('Log file').waitFor({ state: 'attached' })
      await openBare(page)
    },
  ],
  'evaluate-bare': ['#evaluate?evaluate.target=uniform', openBare],
}

async function openBare(page) {
  await page
    .getByLabel('Log file')
    .setInputFiles({ name: 'bare.csv', mimeType: 'text/csv', buffer: Buffer.from(bare) })
  await page.getByRole('radio', { name: /^none/ }).check()
  await press(page, 'Open the log')
  await page.getByRole('navigation', { name: 'Views' }).waitFor()
  await page.waitForTimeout(1000)
}
