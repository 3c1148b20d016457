import { describe, expect, it } from 'vitest'
import { csvText, toyWorld } from '../../src/index.js'
import { answerOf, appears, choose, goTo, linkOf, named, says, textOf } from './at-the-page.js'
import { useStudio } from './open-studio.js'

const studio = useStudio()
const csv = [...csvText(toyWorld({ seed: 3, users: 60, items: 12 }).draw())].join('')

describe('a link', () => {
  it.each([
    '#log?log-view.chart=click-rate&log-view.from=50&log-view.item=150&log.door=toy&log.seed=2',
    '#evaluate?evaluate.estimators=snips,switch-dr&evaluate.rule=softmax=0.5&evaluate.target=popularity&evaluate.with=logging&log.door=toy',
    '#bias?bias.seeds=1&bias.target=taste&bias.temperature=0.5&log.door=toy',
  ])('gives the same view and numbers when it is opened again: %s', async (link) => {
    const page = await studio.open(link)
    const answer = await answerOf(page)
    expect(await linkOf(page)).toBe(link)
    await page.reload()
    expect(await answerOf(page)).toBe(answer)
  })

  it('keeps what was set in each view, and is copied whole', async () => {
    const page = await studio.open('#log?log.door=toy', {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await answerOf(page)
    await page.getByRole('button', { name: 'Tail', exact: true }).click()
    await goTo(page, 'Train')
    await answerOf(page, 'No model is trained yet.')
    await named(page, 'spinbutton', 'Maximum epochs').fill('17')
    await goTo(page, 'Evaluate')
    await answerOf(page, 'Choose the policy')
    await named(page, 'combobox', 'Target policy').selectOption('logging')
    await answerOf(page, 'The logging policy')
    await page.getByRole('button', { name: 'Copy link' }).click()
    await says(page, 'Copied.')
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(decodeURIComponent(copied)).toMatch(
      /#evaluate\?evaluate\.target=logging&log-view\.from=\d+&log\.door=toy&train\.epochs=17$/,
    )
    const other = await studio.open(new URL(copied).hash)
    expect(await answerOf(other)).toBe(await answerOf(page))
    await goTo(other, 'Train')
    await answerOf(other, 'No model is trained yet.')
    expect(await named(other, 'spinbutton', 'Maximum epochs').inputValue()).toBe('17')
  })

  it('is returned to with the back button of the browser', async () => {
    const page = await studio.open('#log?log.door=toy')
    const answer = await answerOf(page)
    await goTo(page, 'Evaluate')
    await answerOf(page, 'Choose the policy')
    await page.goBack()
    expect(await answerOf(page, 'impressions of')).toBe(answer)
  })

  it('to a file asks for it, and continues where it left off', async () => {
    const page = await studio.open('#evaluate?evaluate.target=logging&log.door=file&log.file=may.csv')
    await appears(page, 'Open that file below to continue where the link left off')
    await choose(page, 'may.csv', csv)
    await page.getByRole('button', { name: 'Open the log', exact: true }).click()
    expect(await answerOf(page)).toMatch(/^The logging policy earned/)
  })

  it.each(['', '&log.door=mars', '&log.door=file'])(
    'without a log says so, and continues with one: %s',
    async (log) => {
      const page = await studio.open(`#evaluate?evaluate.target=logging${log}`)
      await appears(page, 'The log of this link cannot be opened here')
      await page.getByRole('button', { name: 'Open the toy world' }).click()
      expect(await answerOf(page)).toMatch(/^The logging policy earned/)
    },
  )

  it('that makes no sense falls back on the defaults', async () => {
    const page = await studio.open(
      '#nowhere?log.door=toy&log.seed=x&evaluate.target=best&evaluate.confidence=7&train.epochs=&evaluate.tuning=constructor&bias.seeds=1e400&bias.exposures=1e400&log-view.from=9e9&a=b&=&%%',
    )
    expect(await answerOf(page)).toContain('5,000 impressions')
    for (const [view, words] of Object.entries({
      Evaluate: 'Choose the policy',
      Train: 'No model is trained yet.',
      Bias: 'At temperature 1',
    })) {
      await goTo(page, view)
      await answerOf(page, words)
      expect(await page.getByRole('alert').count()).toBe(0)
    }
    expect(await textOf(page.locator('main'))).not.toMatch(/NaN|undefined/)
  })
})
