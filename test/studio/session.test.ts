import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { csvText, toyWorld } from '../../src/index.js'
import { answerOf, appears, choose, goTo, linkOf, named } from './at-the-page.js'
import { useStudio } from './open-studio.js'

const studio = useStudio()
const csv = [...csvText(toyWorld({ seed: 3, users: 200, items: 12, exposures: 20, skew: 1 }).draw())].join('')
/** The log as somebody may have it: other names, and probabilities in percent. */
const percent = csv
  .replaceAll(/[^,\n]+$/gm, (cell) => (cell === 'propensity' ? 'p' : String(100 * Number(cell))))
  .replace('user_id,item_id,reward', 'visitor,sku,clicked')

/** Opens the log with a mapping that has to be chosen, and evaluates a policy on it. */
async function evaluated(page: Page): Promise<string> {
  await choose(page, 'may.csv', percent)
  await named(page, 'button', 'Use propensity = p / 100').click()
  await named(page, 'button', 'Open the log').click()
  await answerOf(page, 'impressions of')
  await goTo(page, 'Evaluate')
  await answerOf(page, 'A uniform policy')
  await named(page, 'combobox', 'Target policy').selectOption('popularity')
  return answerOf(page, 'popularity policy')
}

describe('a link to a file', () => {
  it('holds the mapping and the mends, gives the same numbers elsewhere, and notices another file', async () => {
    const page = await studio.open()
    const answer = await evaluated(page)
    const link = await page.evaluate(() => location.hash)
    expect(decodeURIComponent(link)).toMatch(/log\.print=\w+-\w{14}.*"propensity":"p \/ 100"/)

    const elsewhere = await studio.open(link)
    await appears(elsewhere, 'This link was made with may.csv')
    await elsewhere
      .getByLabel('Log file')
      .setInputFiles({ name: 'may (1).csv', mimeType: 'text/csv', buffer: Buffer.from(percent) })
    expect(await answerOf(elsewhere, 'popularity policy')).toBe(answer)

    const other = await studio.open(link)
    await choose(other, 'may.csv', `${percent.trimEnd()}\n`.replace(/\n[^\n]*\n$/, '\n'))
    await appears(other, /This link was made with another file: may\.csv had [\d,]+ bytes, this one has/)
    await named(other, 'button', 'Open the log').click()
    expect(await answerOf(other, 'popularity policy')).not.toBe(answer)
    await appears(other, 'This link was made with another file')
  }, 60_000)
})

describe('the back button', () => {
  it('goes through logs and views, and never leaves the page; its address is that of what is shown', async () => {
    const page = await studio.open()
    await page.getByRole('button', { name: 'Open the toy world' }).click()
    const toy = await answerOf(page, '5,000 impressions')
    await goTo(page, 'Evaluate')
    await answerOf(page, 'A uniform policy')
    await named(page, 'button', 'Another log').click()
    await appears(page, 'Would another policy have done better')
    await choose(page, 'may.csv', csv)
    expect(await linkOf(page)).toMatch(/^#file/)
    await page.goBack()
    await appears(page, 'Would another policy have done better')
    expect(await linkOf(page)).toBe('')
    await choose(page, 'may.csv', csv)
    await named(page, 'button', 'Open the log').click()
    const may = await answerOf(page, 'impressions of')
    await goTo(page, 'Train')
    await answerOf(page, 'No model is trained yet.')

    await page.goBack()
    expect(await answerOf(page, 'impressions of')).toBe(may)
    expect(await linkOf(page)).toContain('log.file=may.csv')
    await page.goBack()
    await appears(page, 'Would another policy have done better')
    await page.goBack()
    await answerOf(page, 'A uniform policy')
    expect(await linkOf(page)).toBe('#evaluate?log.door=toy')
    await page.goBack()
    expect(await answerOf(page, '5,000 impressions')).toBe(toy)
    await page.goBack()
    await appears(page, 'Would another policy have done better')
    for (let k = 0; k < 4; k++) await page.goForward()
    expect(await answerOf(page, 'impressions of')).toBe(may)
  }, 60_000)
})
