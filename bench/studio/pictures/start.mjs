// The first page, and a file that is looked at before it is opened.
import { choose, isAnswered, look, openLog, press, slide, unfold, upload } from './at-the-page.mjs'
import { bare, broken, clicks, damaged, numbered, renamed, shown, stars } from './tables.mjs'

const firstLook = (page) => page.getByRole('slider', { name: 'Temperature of the policy' }).waitFor()
const next = (page) => press(page, 'Next')

async function tour(page, stop) {
  await firstLook(page)
  await press(page, 'Open the shop world')
  for (let k = 1; k < stop; k++) await next(page)
  await isAnswered(page)
}

export const start = {
  doors: ['', firstLook],
  'doors-refused': [
    '',
    async (page) => {
      await firstLook(page)
      await slide(page, 'Temperature of the policy', 20)
    },
  ],
  'doors-link': ['#evaluate?log.door=file&log.file=may.csv', firstLook],
  'doors-no-log': ['#evaluate?evaluate.target=logging', firstLook],
  'doors-sessions': [
    '',
    async (page) => {
      await openLog(page, 'clicks.csv', renamed)
      await page.waitForTimeout(2000)
      await press(page, 'Another log')
      await firstLook(page)
    },
  ],
  'tour-1': ['', (page) => tour(page, 1)],
  'tour-2': ['', (page) => tour(page, 2)],
  'tour-3': ['', (page) => tour(page, 3)],
  file: ['', (page) => look(page, 'clicks.csv', renamed)],
  'file-findings': ['', (page) => look(page, 'damaged.csv', damaged)],
  'file-mended': [
    '',
    async (page) => {
      await look(page, 'damaged.csv', damaged)
      await press(page, 'Use propensity = propensity / 100')
      await press(page, 'Leave out the copies')
      await page.getByText('Left out').waitFor()
      await page.getByText('→ in the log').waitFor()
    },
  ],
  'file-stars': ['', (page) => choose(page, 'stars.csv', stars)],
  'file-bare': ['', (page) => choose(page, 'bare.csv', bare)],
  'file-numbered': ['', (page) => choose(page, 'numbered.csv', numbered)],
  'file-broken': [
    '',
    async (page) => {
      await look(page, 'broken.csv', broken)
      await press(page, 'Open the log')
      await page.getByRole('alert').first().waitFor()
    },
  ],
  'file-join': ['', join],
  'file-joined': [
    '#log',
    async (page) => {
      await join(page)
      await press(page, 'Open the log')
      await isAnswered(page)
    },
  ],
  'file-picture': [
    '',
    (page) => choose(page, 'picture.png', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')),
  ],
  'file-empty': ['', (page) => choose(page, 'empty.csv', '')],
}

async function join(page) {
  await choose(page, 'shown.csv', shown)
  const file = page.getByLabel('File with the outcomes')
  if (!(await file.isVisible())) await unfold(page, 'Clicks or orders are separate events')
  await file.setInputFiles(upload('clicks.csv', clicks))
  await page.getByRole('button', { name: 'The reward is a column after all' }).waitFor()
  await page.getByText('rows checked').waitFor()
}
