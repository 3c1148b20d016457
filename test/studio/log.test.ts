import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { tallyItems, toyWorld } from '../../src/index.js'
import { answerOf, appears, linkOf, named, textOf } from './at-the-page.js'
import { useStudio } from './open-studio.js'

const studio = useStudio()
const items = tallyItems(toyWorld({ seed: 7 }).draw())
/** Impressions of the items that were shown, most first. */
const falling = items.impressions
  .filter((count) => count > 0)
  .toSorted()
  .reverse()

let page: Page
beforeEach(async () => {
  page = await studio.open('#log?log.door=toy')
  await answerOf(page)
})
const rank = (end: 'From' | 'To'): Promise<string> =>
  page.getByLabel(`${end} rank`, { exact: true }).inputValue()
const part = (name: string) => page.getByRole('button', { name, exact: true })

describe('the view of a log', () => {
  it('finds an item and says where it stands', async () => {
    const place = items.ids.indexOf('150')
    await page.getByLabel('Find an item').fill('150')
    await page.keyboard.press('Enter')
    const line = await textOf(page.getByRole('status').filter({ hasText: 'Item 150' }))
    expect(line).toContain(`with ${items.impressions[place]} impressions and ${items.clicks[place]} clicks`)
    const standing = Number(/rank (\d+) of/.exec(line)![1])
    expect(falling[standing - 1]).toBe(items.impressions[place])
    expect(await linkOf(page)).toBe('#log?log-view.item=150&log.door=toy')
  })

  it('says so where no item has the id that was typed', async () => {
    await page.getByLabel('Find an item').fill('x19')
    await page.keyboard.press('Enter')
    expect(await textOf(page.getByRole('alert'))).toMatch(
      /No item is called “x19”\. No id contains that text/,
    )
  })

  it('zooms in on the tail, by a button and by ranks, and out again', async () => {
    expect([await rank('From'), await rank('To')]).toEqual(['1', String(falling.length)])
    await part('Tail').click()
    const from = Number(await rank('From'))
    const sum = (counts: Float64Array): number => counts.reduce((total, count) => total + count, 0)
    // The last third of the impressions.
    expect(3 * sum(falling.slice(0, from - 1))).toBeGreaterThanOrEqual(2 * sum(falling))
    expect(3 * sum(falling.slice(0, from - 2))).toBeLessThan(2 * sum(falling))
    await appears(page, `Ranks ${from} to ${falling.length}`)

    await page.getByLabel('To rank', { exact: true }).fill(String(from + 9))
    await page.keyboard.press('Enter')
    await page.getByText('Table', { exact: true }).click()
    const rows = page.getByRole('region', { name: /^Table/ }).getByRole('row')
    await expect.poll(() => rows.count()).toBe(11)
    const shown = await rows.nth(1).getByRole('cell').allInnerTexts()
    expect(shown).toContain(String(falling[from - 1]))

    await part('All').click()
    expect([await rank('From'), await rank('To')]).toEqual(['1', String(falling.length)])
  })

  it('gives the values of a chart to those who use keys', async () => {
    const values = page.getByLabel(/^Values in the chart/)
    await values.focus()
    const first = await values.getAttribute('aria-valuetext')
    await values.press('ArrowRight')
    const second = await values.getAttribute('aria-valuetext')
    expect(first).toMatch(/\d/)
    expect(second).not.toBe(first)
    await appears(page, second!.replaceAll(/\s+/g, ' '))
  })

  it('has charts of click rates, users and propensities', async () => {
    for (const [name, chart] of Object.entries({
      Clicks: 'click-rate-per-item',
      Users: 'interactions-per-user',
      Propensities: 'propensity-distribution',
    })) {
      await page.getByRole('group', { name: 'Chart' }).getByText(name).click()
      expect(await page.getByRole('radio', { name }).isChecked()).toBe(true)
      expect(await named(page, 'button', `Save as SVG: ${chart}`).isVisible()).toBe(true)
    }
  })
})
