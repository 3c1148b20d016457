import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { csvText, toyWorld } from '../../src/index.js'
import { answerOf, appears, choose, isSettled, named, says } from './at-the-page.js'
import { useStudio } from './open-studio.js'
import { train } from './trained.js'

const studio = useStudio()

/** What axe finds wrong, a line for each rule that is broken, with the first place where it is. */
async function findings(page: Page, options: axe.RunOptions = {}): Promise<string[]> {
  // Not as an element of the page, which its policy would refuse.
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate(
    `axe.run(${JSON.stringify({ ...options, resultTypes: ['violations'] })})`,
  )) as axe.AxeResults
  return violations.map(
    ({ id, impact, nodes: [first, ...others] }) =>
      `${id} (${impact}): ${first!.target.join(' ')} and ${others.length} more: ${first!.failureSummary}`,
  )
}

/** Opens whatever is folded, so that it is looked at too; of the long tables of charts one, or all of them. */
async function unfold(page: Page, tables: 'one table' | 'all tables'): Promise<void> {
  await page.evaluate((tables) => {
    const open = (parts: Iterable<HTMLDetailsElement>): void =>
      [...parts].forEach((part) => (part.open = true))
    open(document.querySelectorAll('details:not(figure details)'))
    open(
      [...document.querySelectorAll<HTMLDetailsElement>('figure details')].slice(
        0,
        tables === 'one table' ? 1 : undefined,
      ),
    )
  }, tables)
  await isSettled(page)
}

const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)

/** The states of the page that are looked at, each with the way there. */
const STATES: Readonly<Record<string, () => Promise<Page>>> = {
  'the doors': async () => {
    const page = await studio.open()
    await appears(page, 'Choose a file')
    return page
  },
  'a file before it is opened': async () => {
    const page = await studio.open()
    const csv = [...csvText(toyWorld({ seed: 3, users: 60, items: 12 }).draw())].join('')
    // Ids so long that the rows are wider than a phone.
    await choose(
      page,
      'bare.csv',
      csv.replaceAll(/,[^,\n]*$/gm, '').replaceAll(/^(\d+),/gm, '$1-a-visitor-of-our-shop-without-a-name,'),
    )
    await appears(page, 'rows checked')
    return page
  },
  'a log': () => answered('#log?log.door=toy&log-view.item=150'),
  'an evaluation': () =>
    answered(
      '#evaluate?log.door=toy&evaluate.target=popularity&evaluate.rule=softmax=1&evaluate.with=uniform',
    ),
  'a training': async () => {
    const page = await answered('#train?log.door=toy&train.epochs=2&train.dim=8')
    await train(page)
    return page
  },
  'the question before work is ended': async () => {
    const page = await answered('#train?log.door=toy&train.epochs=100000&train.patience=100000')
    await named(page, 'button', 'Train').click()
    await answerOf(page, 'Training 1 run')
    await named(page, 'button', 'Another log').click()
    await page.getByRole('alertdialog').waitFor()
    return page
  },
  'the doors, with a session to continue': async () => {
    const page = await answered('#log?log.door=toy')
    await page.getByLabel('Your notes on this view').fill('Ask Ann.')
    await named(page, 'button', 'Another log').click()
    await appears(page, 'Continue where you left off')
    return page
  },
  'exposure bias': () => answered('#bias?log.door=toy&bias.seeds=1'),
}
async function answered(link: string): Promise<Page> {
  const page = await studio.open(link)
  await answerOf(page)
  await isSettled(page)
  return page
}

describe.each(Object.entries(STATES))('%s', (_, reach) => {
  it('has nothing that axe finds wrong, in light, in dark or on a phone, and never scrolls sideways', async () => {
    const page = await reach()
    await unfold(page, 'one table')
    expect(await findings(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await findings(page, { runOnly: 'color-contrast' })).toEqual([])
    // As wide as a window of 1,440 pixels at 200 %.
    await page.setViewportSize({ width: 720, height: 450 })
    // Figures follow in their next turn.
    await expect.poll(() => isTooWide(page)).toBe(false)
    await page.setViewportSize({ width: 390, height: 844 })
    await unfold(page, 'all tables')
    await expect.poll(() => isTooWide(page)).toBe(false)
    // Colours are the same there.
    expect(await findings(page, { rules: { 'color-contrast': { enabled: false } } })).toEqual([])
  })
})

it('an answer is told once, where a slider came to rest, and then taken back', async () => {
  const page = await answered('#evaluate?log.door=toy&evaluate.target=popularity&evaluate.rule=softmax=1')
  const status = page.locator('.answer + [role=status]')
  await expect.poll(() => status.textContent()).not.toBe('')
  await expect.poll(() => status.textContent(), { timeout: 10_000 }).toBe('')
  await page.evaluate(() => {
    const heard: string[] = []
    Object.assign(globalThis, { heard })
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const status = (target instanceof Element ? target : target.parentElement)?.closest(
          '[role=status], [role=alert], [aria-live], output',
        )
        const text = status?.textContent.trim() ?? ''
        if (text !== '' && text !== heard.at(-1)) heard.push(text)
      }
    }).observe(document.querySelector('main')!, { childList: true, characterData: true, subtree: true })
  })
  const slider = named(page, 'slider', 'Temperature')
  await slider.focus()
  for (let k = 0; k < 8; k++) await page.keyboard.press('ArrowRight')
  const policy = `popularity@softmax=${await slider.getAttribute('aria-valuetext')}`
  const answer = await answerOf(page, policy)
  await says(page, policy)
  const heard = await page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard)
  expect(heard.map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([answer])
})

it('a training fits on a phone from the start', async () => {
  const page = await studio.open('#train?log.door=toy', { viewport: { width: 390, height: 844 } })
  await answerOf(page)
  await isSettled(page)
  expect(await isTooWide(page)).toBe(false)
})
