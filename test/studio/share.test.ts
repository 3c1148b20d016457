import { expect, it } from 'vitest'
import { answerOf, ask, choose, goTo, isSettled, saved } from './at-the-page.js'
import { useStudio } from './open-studio.js'

const studio = useStudio()
const hostile = '</script><img src=x onerror=alert(1)> & **bold**\nsecond line'

it('a note on a figure goes into the saved report as the text that was typed', async () => {
  const page = await studio.open('#evaluate?log.door=toy&evaluate.target=uniform')
  await answerOf(page)
  await page.getByText('Add a note').first().click()
  await page.getByLabel('Note on the figure estimates').fill(hostile)
  const { bytes } = await saved(page, 'Report (HTML)')
  const report = await page.context().newPage()
  await report.setContent(bytes.toString())
  const note = report.locator('#estimates .remark')
  expect(await note.innerText()).toBe(`Note. ${hostile}`)
  expect(await report.locator('.remark').count()).toBe(1)
  expect(await report.locator('main img').count()).toBe(0)

  // The report about the log does not have that figure: the note is not lost.
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Log' }).click()
  await answerOf(page)
  const other = await saved(page, 'Report (HTML)')
  const about = await page.context().newPage()
  await about.setContent(other.bytes.toString())
  expect(await about.locator('#section-notes').innerText()).toContain('On the figure estimates')
  expect(await about.locator('#section-notes .remark').innerText()).toBe(`Note. ${hostile}`)
})

it('the report of a comparison has the temperature slider, at the numbers of the page', async () => {
  const link =
    '#evaluate?log.door=toy&evaluate.target=popularity&evaluate.rule=softmax=2&evaluate.with=uniform'
  const page = await studio.open(link)
  const answer = await answerOf(page)
  await isSettled(page)
  const { bytes } = await saved(page, 'Report (HTML)')
  const report = await page.context().newPage()
  await report.setContent(bytes.toString())
  expect(await report.getByRole('heading', { level: 1 }).innerText()).toContain(
    'uniform, popularity@softmax=2',
  )
  const [, value] = /earned (\S+ per impression)/.exec(answer)!
  expect(await report.locator('#temperature-curves .stop').innerText()).toContain(
    `At temperature 2, popularity would have earned ${value}`,
  )
})

it('the saved report has the slider for Γ also where rewards are amounts', async () => {
  const page = await studio.open()
  const rows = Array.from({ length: 600 }, (_, k) => {
    const item = k % 3
    const bought = (k * 7919) % 11 < 2 + item
    return `u${k % 60},i${item},${[0.3333, 0.3333, 0.3334][item]},${bought ? 12.5 + (k % 500) : 0}`
  })
  await choose(page, 'sold.csv', ['user_id,item_id,propensity,reward', ...rows].join('\n'))
  await page.getByRole('button', { name: 'Open the log' }).click()
  await goTo(page, 'Evaluate')
  await ask(page, 'uniform')
  await answerOf(page, 'A uniform policy')
  const { bytes } = await saved(page, 'Report (HTML)')
  const report = await page.context().newPage()
  await report.setContent(bytes.toString())
  expect(await report.locator('#sensitivity input[type=range]').count()).toBe(1)
})

it('on a phone the slider and the chart it moves are both in view, and figures carry the verdict', async () => {
  const page = await studio.open(
    '#evaluate?log.door=toy&evaluate.target=popularity&evaluate.rule=softmax=0.1',
    {
      viewport: { width: 390, height: 844 },
    },
  )
  await answerOf(page)
  const slider = page.getByRole('slider', { name: 'Temperature', exact: true })
  const drawing = page.locator('figure svg').first()
  await drawing.evaluate((svg) => svg.scrollIntoView({ block: 'center' }))
  // Drawings are replaced while the slider moves: both are looked at in one frame.
  const seen = (): Promise<boolean[]> =>
    page.evaluate(() =>
      ['.slider-bar input', 'figure svg'].map((part) => {
        const { top, bottom } = document.querySelector(part)!.getBoundingClientRect()
        return top >= 0 && bottom <= innerHeight
      }),
    )
  expect(await seen()).toEqual([true, true])
  const before = await drawing.innerHTML()
  await slider.focus()
  for (let k = 0; k < 5; k++) await page.keyboard.press('ArrowRight')
  await page.waitForFunction((before) => document.querySelector('figure svg')!.innerHTML !== before, before)
  await answerOf(page)
  expect(await seen()).toEqual([true, true])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)

  const svg = (await saved(page, 'Save as SVG: estimates')).bytes.toString()
  expect(svg).toMatch(/class="stamp">.*(trust|caution|refuse)<\/text>/)
})

it.each([
  [360, 640],
  [667, 375],
])('on a phone of %i × %i, sliders and their charts are in one view', async (width, height) => {
  const page = await studio.open(
    '#evaluate?log.door=toy&evaluate.target=popularity&evaluate.rule=softmax=1',
    {
      viewport: { width, height },
      hasTouch: true,
    },
  )
  await answerOf(page)
  await page.locator('summary', { hasText: 'What would it take?' }).click()
  const gamma = page.getByRole('slider', { name: /^Γ/ })
  for (const [slider, figure] of [
    [page.getByRole('slider', { name: 'Temperature', exact: true }), page.locator('figure').first()],
    [gamma, page.locator('.part').filter({ has: gamma }).locator('figure')],
  ] as const) {
    const drawing = figure.locator('svg').first()
    await drawing.evaluate((svg) => svg.scrollIntoView({ block: 'end' }))
    const [above, below] = [(await slider.boundingBox())!, (await drawing.boundingBox())!]
    expect(above.y).toBeGreaterThanOrEqual(0)
    expect(below.y).toBeGreaterThanOrEqual(above.y + above.height)
    expect(below.y + below.height).toBeLessThanOrEqual(height + 1)
  }
})
