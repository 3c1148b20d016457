import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { csvText, toyWorld } from '../../src/index.js'
import { answerOf, appears, named, says } from './at-the-page.js'
import { useStudio } from './open-studio.js'

const studio = useStudio()

/** Goes on from control to control until it stands at this one, where one can see that. */
async function tabTo(page: Page, control: Locator, most = 60): Promise<void> {
  for (let presses = 0; presses < most; presses++) {
    await page.keyboard.press('Tab')
    if ((await control.count()) === 0) continue
    const look = await control.evaluate((element) => {
      if (element !== document.activeElement) return undefined
      // A part that is hidden lets the part around it show the focus.
      const shown = [element, element.parentElement!, element.parentElement!.parentElement!]
      return shown.map((part) => getComputedStyle(part).outlineStyle)
    })
    if (!look) continue
    expect(
      look.some((style) => style !== 'none'),
      'the focus is seen',
    ).toBe(true)
    return
  }
  throw new Error(`${control.toString()} is not reached by the Tab key.`)
}

describe('without a mouse', () => {
  it('one comes from the doors to an evaluation, and moves its slider', async () => {
    const page = await studio.open()
    await appears(page, 'Choose a file')
    await tabTo(page, named(page, 'button', 'Open the toy world'))
    await page.keyboard.press('Enter')
    await answerOf(page)
    await tabTo(page, named(page, 'link', 'Evaluate'))
    await page.keyboard.press('Enter')
    await answerOf(page, 'Choose the policy')
    await tabTo(page, named(page, 'combobox', 'Target policy'))
    await page.keyboard.press('p')
    await answerOf(page, 'Choose how items are shown')
    await tabTo(page, named(page, 'combobox', 'How items are shown'))
    await page.keyboard.press('s')
    await answerOf(page, 'The policy popularity@softmax=1 ')
    await tabTo(page, named(page, 'slider', 'Temperature'))
    for (let presses = 0; presses < 4; presses++) await page.keyboard.press('ArrowRight')
    await answerOf(page, 'The policy popularity@softmax=1.2 ')
  })

  it('one opens a file of one’s own', async () => {
    const page = await studio.open()
    const chooser = page.waitForEvent('filechooser')
    await appears(page, 'Choose a file')
    await tabTo(page, named(page, 'button', 'Choose a file'))
    await page.keyboard.press('Enter')
    const buffer = Buffer.from([...csvText(toyWorld({ seed: 3, users: 60, items: 12 }).draw())].join(''))
    await (await chooser).setFiles({ name: 'own.csv', mimeType: 'text/csv', buffer })
    await appears(page, 'Which column holds what?')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('own.csv')
    await tabTo(page, named(page, 'button', 'Open the log'))
    await page.keyboard.press('Enter')
    expect(await answerOf(page)).toContain('300 impressions')
  })

  it('one trains a model and reads its curves', async () => {
    const page = await studio.open('#train?log.door=toy&train.epochs=3&train.dim=8')
    await answerOf(page)
    await tabTo(page, named(page, 'button', 'Train'))
    await page.keyboard.press('Enter')
    await says(page, 'is done.')
    await tabTo(page, page.getByLabel(/^Values in the chart/).first())
    await page.keyboard.press('ArrowRight')
    expect(
      await page
        .getByLabel(/^Values in the chart/)
        .first()
        .getAttribute('aria-valuetext'),
    ).toMatch(/\d/)
  })

  it('one skips the navigation', async () => {
    const page = await studio.open('#log?log.door=toy')
    await answerOf(page)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
  })
})
