// Reports as they are saved from the page.
import { readFile } from 'node:fs/promises'
import { isAnswered, openLog, press, slide } from './at-the-page.mjs'
import { dated } from './tables.mjs'

/** Replaces the studio by the report that it offers; `part` is what follows the # of its address. */
async function saveReport(page, part = '') {
  await isAnswered(page)
  const offered = page.waitForEvent('download')
  await press(page, 'Report (HTML)')
  const html = await readFile(await (await offered).path(), 'utf8')
  await page.route('**/report.html', (route) => route.fulfill({ contentType: 'text/html', body: html }))
  await page.goto(new URL(`/report.html${part}`, page.url()).href)
}

/** The frame that the docs recommend. */
const EMBEDDED = { sizes: [{ width: 800, height: 530 }] }

const answer = async (page) => {
  await saveReport(page, '#answer')
}

export const reports = {
  report: [
    '#evaluate?log.door=toy&evaluate.target=popularity&evaluate.rule=softmax=1',
    async (page) => {
      await saveReport(page)
      await page.getByRole('slider').first().fill('4')
    },
  ],
  'report-segments': [
    '#evaluate?evaluate.target=uniform&segments.by=device',
    async (page) => {
      await openLog(page, 'dated.csv', dated)
      await page.getByText('Estimating each segment').waitFor({ state: 'detached' })
      await saveReport(page)
      await slide(page, /Γ/, 5)
    },
  ],
  'report-refused': ['#evaluate?evaluate.target=uniform&log.door=movielens&log.temperature=0.3', saveReport],
  'report-compared': [
    '#evaluate?log.door=toy&evaluate.target=popularity&evaluate.rule=softmax=1&evaluate.with=logging&evaluate.more=uniform,popularity@softmax=2',
    saveReport,
  ],
  'report-log': ['#log?log.door=toy', saveReport],
  'report-training': [
    '#train?log.door=toy&train.epochs=20',
    async (page) => {
      await isAnswered(page)
      await press(page, 'Train')
      await page.getByRole('status').getByText('is done.').waitFor({ state: 'attached' })
      await saveReport(page)
    },
  ],
  'report-bias': [
    '#bias?log.door=toy&bias.seeds=1',
    async (page) => {
      await page.getByText('The curve rests on').waitFor()
      if (await page.getByRole('button', { name: 'Report (HTML)' }).count()) await saveReport(page)
    },
  ],
  'answer-embedded': [
    '#evaluate?log.door=toy&evaluate.target=popularity&evaluate.rule=softmax=1',
    answer,
    EMBEDDED,
  ],
  'answer-embedded-refused': [
    '#evaluate?evaluate.target=uniform&log.door=movielens&log.temperature=0.3',
    answer,
    EMBEDDED,
  ],
}
