import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { csvText, toyWorld } from '../../src/index.js'
import { answerOf, appears, ask, choose, commandOf, goTo, named } from './at-the-page.js'
import { useStudio } from './open-studio.js'
import { runTyped } from './run-typed.js'

const studio = useStudio()
const log = toyWorld({ seed: 3, users: 200, items: 12, exposures: 20, skew: 1 }).draw()
const [header, ...rows] = [...csvText(log)].join('').trimEnd().split('\n')
const propensityPlace = header!.split(',').indexOf('propensity')

/** The log as somebody may have it: probabilities in percent, and every row twice. */
const percent = rows.map((row) =>
  row
    .split(',')
    .map((cell, place) => (place === propensityPlace ? String(Number(cell) * 100) : cell))
    .join(','),
)
const damaged =
  [`impression_id,${header}`, ...[...percent, ...percent].map((row, k) => `${k % rows.length},${row}`)] // prettier-ignore
    .join('\n')

describe('mends in the page', () => {
  it('are one button each, are written into the command, and give the numbers of the mended log', async () => {
    const page = await studio.open()
    await choose(page, 'damaged.csv', damaged)
    await named(page, 'button', 'Use propensity = propensity / 100').click()
    await named(page, 'button', 'Leave out the copies').click()
    await appears(page, /Repaired: .*Left out 4,000 copies of other rows\./)
    await named(page, 'button', 'Open the log').click()
    await answerOf(page)
    await goTo(page, 'Evaluate')
    await ask(page, 'uniform')
    const shown = await answerOf(page, 'A uniform policy')
    const command = await commandOf(page)
    expect(command).toMatch(
      /^hindcast doctor damaged\.csv .*propensity=propensity \/ 100.* --fix --out repaired\.csv\n/,
    )
    await writeFile(join(studio.folder, 'damaged.csv'), damaged)
    const printed = (await runTyped(command, studio.folder)).replaceAll(/\s+/g, ' ')
    expect(printed).toContain(/earned (0\.\d+) per impression/.exec(shown)![0])
  })

  it('show the values that they make, beside those of the file', async () => {
    const page = await studio.open()
    await choose(page, 'damaged.csv', damaged)
    await named(page, 'button', 'Use propensity = propensity / 100').click()
    const row = page.getByRole('row', { name: /^propensity/ })
    await row.getByText('→ in the log').waitFor()
    const cellOf = (all: readonly string[]): string => all[0]!.split(',')[propensityPlace]!
    const inLog = String(Number(Number(cellOf(rows)).toPrecision(12)))
    expect(await row.locator('code').allInnerTexts()).toEqual(
      expect.arrayContaining([cellOf(percent), inLog]),
    )
    // A column that is read as it is says its values once.
    expect(await page.getByText('→ in the log').count()).toBe(1)
    const after = page.getByRole('table').filter({ has: page.getByRole('columnheader', { name: 'propensity', exact: true }) }).last() // prettier-ignore
    expect(await after.getByRole('row').nth(1).locator('code').last().innerText()).toBe(inLog)
  })

  it('are in sight beside the columns on a wide screen', async () => {
    const page = await studio.open('', { viewport: { width: 1440, height: 900 } })
    await choose(page, 'damaged.csv', damaged)
    // Rows are looked at once their cells can be used.
    for (const mend of ['Use propensity = propensity / 100', 'Leave out the copies']) {
      await expect.poll(async () => (await named(page, 'button', mend).boundingBox())?.y).toBeLessThan(900)
      await named(page, 'button', mend).click()
    }
  })

  it('stay in place while they are checked again, so that the log is opened at the first press', async () => {
    const page = await studio.open('', { viewport: { width: 1200, height: 400 } })
    await choose(page, 'damaged.csv', damaged)
    await named(page, 'button', 'Use propensity = propensity / 100').click()
    await named(page, 'button', 'Leave out the copies').waitFor()
    await named(page, 'textbox', 'Value for propensity').fill('propensity * 0.01')
    const open = named(page, 'button', 'Open the log')
    await open.evaluate((button) => button.scrollIntoView({ block: 'start' }))
    // What is typed is taken when the pointer goes down elsewhere.
    await open.click()
    await answerOf(page, 'impressions of')
  })

  it('ask what ratings count as, before they are opened', async () => {
    const page = await studio.open()
    const stars = ['user_id,item_id,reward,propensity', ...Array.from({ length: 60 }, (_, k) => `${k % 20},${k % 7},${1 + (k % 5)},0.14`)].join('\n') // prettier-ignore
    await choose(page, 'stars.csv', stars)
    await appears(page, 'Choose what counts as a click: the rewards look like ratings.')
    expect(await named(page, 'button', 'Open the log').isDisabled()).toBe(true)
    await page.getByLabel('The rewards are not only 0 and 1').selectOption('clicks')
    await named(page, 'button', 'Open the log').click()
    expect(await answerOf(page)).toContain('40 %')
  })

  it('count words and ratings as clicks at the press of a button', async () => {
    for (const [name, cell, press] of [
      ['words', (k: number) => (k % 5 > 2 ? 'clicked' : 'viewed'), "Use reward = event = 'clicked'"],
      ['stars', (k: number) => String(1 + (k % 5)), 'Count 4 and more as clicks'],
    ] as const) {
      const page = await studio.open()
      const events = ['user_id,item_id,event,propensity', ...Array.from({ length: 60 }, (_, k) => `${k % 20},${k % 7},${cell(k)},0.14`)].join('\n') // prettier-ignore
      await choose(page, `${name}.csv`, events)
      await page.getByLabel('Column for reward').selectOption('event')
      await named(page, 'button', press).click()
      await named(page, 'button', 'Open the log').click()
      expect(await answerOf(page, 'impressions of')).toContain('40 % were clicked')
    }
  })

  it('leave what else was found in sight, in every view', async () => {
    const page = await studio.open()
    await choose(page, 'damaged.csv', damaged)
    await named(page, 'button', 'Use propensity = propensity / 100').click()
    await named(page, 'button', 'Leave out the copies').waitFor()
    await named(page, 'button', 'Open the log').click()
    await appears(page, /The doctor found \d+ (problems?|things? worth knowing) in this log/)
    await goTo(page, 'Evaluate')
    await appears(page, /The doctor found \d+ (problems?|things? worth knowing) in this log/)
  })
})
