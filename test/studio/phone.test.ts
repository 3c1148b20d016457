import { expect, it } from 'vitest'
import { answerOf, appears, goTo, isSettled, named } from './at-the-page.js'
import { useStudio } from './open-studio.js'

const studio = useStudio()
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }

it('what is touched on a phone is 44 pixels high, and terms say what they mean', async () => {
  const page = await studio.open(
    '#evaluate?log.door=toy&evaluate.target=popularity&evaluate.rule=softmax=1',
    phone,
  )
  await answerOf(page)
  await isSettled(page)
  const low = await page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        'main :is(button, select, summary, input):not(.visually-hidden)',
      ),
    ]
      .map((part) => (part.matches('[type=checkbox], [type=radio]') ? part.closest('label')! : part))
      .filter(({ offsetHeight }) => offsetHeight > 0 && offsetHeight < 44)
      .map(({ outerHTML }) => outerHTML),
  )
  expect(low).toEqual([])
  await page.locator('.answer abbr', { hasText: 'CI' }).first().tap()
  await page.getByText('a range built to cover the true value').waitFor()
  await page.locator('h1').tap()
  expect(await page.getByText('a range built to cover the true value').count()).toBe(0)
})

it('Γ and the chart that it moves are both in view on a phone', async () => {
  const page = await studio.open(
    '#evaluate?log.door=toy&evaluate.target=popularity&evaluate.rule=softmax=1',
    phone,
  )
  await answerOf(page)
  await named(page, 'button', 'More on this').tap()
  const slider = named(page, 'slider', 'Γ, error of the propensities')
  await slider.waitFor()
  await isSettled(page)
  const drawing = page.locator('figure', { hasText: 'Inner band' }).locator('svg')
  await drawing.evaluate((svg) => svg.scrollIntoView({ block: 'end' }))
  const [control, chart] = [(await slider.boundingBox())!, (await drawing.boundingBox())!]
  expect(control.y).toBeGreaterThanOrEqual(0)
  expect(control.y + control.height).toBeLessThan(chart.y + chart.height / 4)
  expect(chart.y + chart.height).toBeLessThanOrEqual(741)
})

it('the tour speaks of the view that a visitor went to', async () => {
  const page = await studio.open('', phone)
  await named(page, 'button', 'Open the shop world').tap()
  await appears(page, '1 of 3. The log')
  await goTo(page, 'Train')
  await appears(page, '3 of 3. Train')
})
