import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { csvText, evaluate, popularityTargets, tastesWorld } from '../../src/index.js'
import { formatEstimate } from '../../src/words/estimate-text.js'
import {
  answerOf,
  appears,
  choose,
  commandOf,
  goTo,
  linkOf,
  named,
  saved,
  says,
  textOf,
} from './at-the-page.js'
import { useStudio } from './open-studio.js'
import { softmaxAt } from '../../src/policy/score-rule.js'

const studio = useStudio()
const shop = tastesWorld({ seed: 1, users: 200, items: 100, exposures: 30, popularityQuality: -0.5 })

const dropped = (page: Page, name: string, text: string): Promise<void> =>
  page.evaluate(
    ([name, text]) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([text!], name!))
      const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true })
      document.querySelector('main')!.dispatchEvent(event)
    },
    [name, text],
  )

describe('the first minute', () => {
  it('shows an answer that moves with its slider', async () => {
    const page = await studio.open()
    const slider = named(page, 'slider', 'Temperature of the policy')
    const log = shop.draw()
    for (const [key, temperature] of [
      ['Home', 8],
      ['End', 0.08],
    ] as const) {
      const target = { kind: 'policy', policy: popularityTargets(log).by(softmaxAt(temperature)) } as const
      const { evaluation } = await evaluate(log, { target, estimators: ['snips'] })
      const { value, interval } = evaluation.estimates[0]!
      await slider.press(key)
      await says(page, `would have earned ${formatEstimate(value!, interval).value} per impression`)
    }
  })

  it('loads little before there is data: a dozen files at most, and no worker', async () => {
    const page = await studio.open()
    const files = new Set<string>()
    page.on('request', (request) => files.add(request.url()))
    await page.reload({ waitUntil: 'networkidle' })
    await named(page, 'slider', 'Temperature of the policy').waitFor()
    expect(files.size).toBeLessThanOrEqual(12)
    expect([...files].filter((url) => url.includes('worker'))).toEqual([])
  })

  it('starts one worker for a file, which goes on to hold its log', async () => {
    const page = await studio.open('#evaluate?evaluate.target=uniform')
    let started = 0
    page.on('worker', () => started++)
    await choose(page, 'shop.csv', [...csvText(shop.draw())].join(''))
    await named(page, 'button', 'Open the log').click()
    await answerOf(page)
    expect(started).toBe(1)
  })

  it('leads through three views, and can be skipped', async () => {
    const page = await studio.open()
    await named(page, 'button', 'Open the shop world').click()
    await appears(page, '1 of 3. The log')
    expect(await linkOf(page)).toBe('#log?log.door=shop&log.seed=1')
    expect(await page.title()).toBe('Log: Shop world – Hindcast studio')
    expect(await commandOf(page)).toContain('hindcast simulate tastes --out shop.csv --seed 1 --users 200')
    await named(page, 'button', 'Next').click()
    await appears(page, '2 of 3. Evaluate')
    await answerOf(page)
    expect(await page.title()).toBe('Evaluate: Shop world – Hindcast studio')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(
      'What would another policy have earned?',
    )
    await named(page, 'button', 'Skip the tour').click()
    expect(await named(page, 'button', 'Next').count()).toBe(0)
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
    await goTo(page, 'Bias')
    await answerOf(page)
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
  })

  it('gives a sample to those without a log, which opens as a log of one’s own', async () => {
    const page = await studio.open()
    const { name, bytes } = await saved(page, 'Save a sample')
    expect(name).toBe('shop.csv')
    await dropped(page, name, bytes.toString())
    await page.getByRole('button', { name: 'Open the log', exact: true }).click()
    expect(await answerOf(page)).toContain('6,000')
  })

  it('catches a file that is dropped while a log is open, and loses neither', async () => {
    const page = await studio.open('#evaluate?evaluate.target=uniform&log.door=toy')
    const before = await answerOf(page)
    await dropped(page, 'other.csv', 'user_id,item_id,reward,propensity\n1,a,1,0.5\n2,b,0,0.5\n')
    await appears(page, 'First rows, as they are in the file')
    expect(await textOf(page.getByRole('heading', { level: 1 }))).toBe('other.csv')
    await named(page, 'button', 'Back to Toy world').click()
    expect(await answerOf(page)).toBe(before)
  })

  it.each(['1.5', '-3'])('offers commands that run for a link with the seed %s', async (seed) => {
    const page = await studio.open(`#log?log.door=toy&log.seed=${seed}`)
    await answerOf(page)
    expect(await commandOf(page)).toContain('simulate toy --out toy.csv --seed 7')
  })
})
