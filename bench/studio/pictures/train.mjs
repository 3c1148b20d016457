// Trainings and exposure bias.
import { isAnswered, openLog, press, unfold } from './at-the-page.mjs'
import { renamed } from './tables.mjs'

async function started(page) {
  await isAnswered(page)
  await page.evaluate(() => (document.querySelector('.bench > details').open = true))
  await press(page, 'Train')
}
const isDone = (page, run) =>
  page.getByRole('status').getByText(`${run} is done.`).waitFor({ state: 'attached' })

export const train = {
  train: ['#train?log.door=toy', isAnswered],
  'train-in-progress': [
    '#train?log.door=movielens&train.loss=ips-bpr&train.epochs=500&train.patience=500',
    async (page) => {
      await started(page)
      await page
        .getByText(/Epoch ([3-9]|\d\d) of/)
        .first()
        .waitFor()
    },
  ],
  trained: [
    '#train?log.door=toy',
    async (page) => {
      await started(page)
      await isDone(page, 'IPS-softmax + PR #1')
      await unfold(page, 'More about')
      await isAnswered(page)
    },
  ],
  'trained-several': [
    '#train?log.door=toy&train.epochs=20',
    async (page) => {
      await isAnswered(page)
      await page.evaluate(() => (document.querySelector('.bench > details').open = true))
      await press(page, 'Train all three to compare')
      await isDone(page, 'IPS-BPR + PR #3')
      await isAnswered(page)
    },
  ],
  'trained-many': [
    '#train?train.epochs=3&train.dim=8',
    async (page) => {
      await openLog(page, 'clicks.csv', renamed)
      for (let k = 0; k < 6; k++) await press(page, 'Train')
      await isDone(page, 'IPS-softmax + PR #6')
      await isAnswered(page)
    },
  ],
}

async function curve(page) {
  await isAnswered(page)
  await page.getByText('The curve rests on').waitFor()
  await isAnswered(page)
}

export const bias = {
  bias: ['#bias?log.door=toy&bias.seeds=2', curve],
  'bias-strong': ['#bias?log.door=movielens&bias.seeds=1&bias.temperature=0.2', curve],
  'bias-of-file': [
    '#bias?bias.seeds=1',
    async (page) => {
      await openLog(page, 'clicks.csv', renamed)
      await curve(page)
    },
  ],
}
