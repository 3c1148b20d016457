import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import axe from 'axe-core'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { evaluate } from '../src/estimate/evaluate.js'
import type { Evaluation, TemperatureCurve } from '../src/estimate/evaluation.js'
import { evaluateBy } from '../src/estimate/segments/memory-segments.js'
import { exampleSegments } from '../src/estimate/segments/example-segments.js'
import { temperatureCurves } from '../src/estimate/temperature-curve.js'
import type { Log } from '../src/log/log.js'
import { createDocument } from '../src/node/dom.js'
import { softmaxPolicy } from '../src/policy/ruled-policy.js'
import { evaluationPage, shownEvidence } from '../src/report/evaluation-page.js'
import { formatEstimate } from '../src/words/estimate-text.js'
import { openChromium } from './chromium.js'
import { exampleVerdict } from '../src/verdict/example-verdict.js'

const hostile = '</script><img src=x onerror=alert(1)>'
const drawn = exampleSegments({ users: 400, rowsEach: 30 })
const { device } = drawn.labels!
const log: Log = {
  ...drawn,
  labels: { ...drawn.labels, device: { ...device!, ids: ['desk', hostile, 'tablet'] } },
}
/** The same curves, with a sharpest temperature that the log cannot answer for. */
const refusedFirst = (curves: readonly TemperatureCurve[]): TemperatureCurve[] =>
  curves.map((curve) => {
    const [first, ...more] = curve.points
    return {
      ...curve,
      points: [{ ...first!, verdict: exampleVerdict('refuse', 'Too few rows count.') }, ...more],
    }
  })
const policy = softmaxPolicy('bpr', [5, 4, 3, 2, 1, 0], 2)

let folder: string
let address: string
let evaluation: Evaluation
let wide: Page
const opened: Page[] = []
const complaints: string[] = []

beforeAll(async () => {
  const target = { kind: 'policy', policy } as const
  const found = await evaluate(log, { target, sensitivity: true })
  evaluation = {
    ...found.evaluation,
    segments: await evaluateBy(log, { target, by: 'device', whole: found.evaluation }),
    temperatures: refusedFirst(await temperatureCurves(log, [policy], { temperatures: [0.5, 1, 2, 8] })),
  }
  const evidence = await shownEvidence(found.evidence, evaluation.cluster)
  const html = evaluationPage(
    { title: 'log.csv', evaluation, evidence, settings: {} },
    { document: createDocument(), generatedBy: 'hindcast' },
  )
  folder = await mkdtemp(join(tmpdir(), 'hindcast-living-report-'))
  await writeFile(join(folder, 'report.html'), html)
  address = pathToFileURL(join(folder, 'report.html')).href
  wide = await open()
  opened.splice(0)
}, 60_000)
afterAll(async () => {
  await wide?.close()
  await rm(folder, { recursive: true, force: true })
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((page) => page.close()))
  expect(complaints.splice(0)).toEqual([])
})

/** Opens the report; whatever it complains about, or asks for besides itself, fails the test. */
async function open(place = '', options: BrowserContextOptions = {}): Promise<Page> {
  const page = await (await openChromium()).newPage({ viewport: { width: 1024, height: 900 }, ...options })
  opened.push(page)
  page.setDefaultTimeout(20_000)
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('dialog', (dialog) => complaints.push(dialog.message()))
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on(
    'request',
    (request) => request.url().startsWith(pathToFileURL(folder).href) || complaints.push(request.url()),
  )
  await page.goto(address + place)
  return page
}

/** What the dial of a figure says now. */
const said = async (page: Page, figure: string): Promise<string> =>
  (await page.locator(`#${figure} .stop`).innerText()).replaceAll(/\s+/g, ' ')

/** How many strips a figure has, and which of them are lit in the drawing that is seen. */
const lit = (page: Page, figure: string): Promise<number[]> =>
  page
    .locator(`#${figure} .wide .strips rect`)
    .evaluateAll((strips) =>
      strips.flatMap((strip, k) => (getComputedStyle(strip).fillOpacity === '0.12' ? [k] : [])),
    )

/** Words and numbers of rows that a line crosses, in the drawings for a phone. */
function struckThrough(): string[] {
  const box = (element: Element): DOMRect => element.getBoundingClientRect()
  return ['estimates', 'segments'].flatMap((figure) => {
    const drawing = document.querySelector(`#${figure} .narrow svg`)!
    const lines = [...drawing.querySelectorAll('g[stroke-width="2"] line')].map(box)
    if (lines.length === 0) return [`${figure} has no lines`]
    return [...drawing.querySelectorAll('text')].flatMap((text) => {
      const { left, right, top, bottom } = box(text)
      const crossed = lines.some(
        (line) => line.left > left && line.right < right && line.top < bottom - 1 && line.bottom > top + 1,
      )
      return crossed ? [`${figure}: ${text.textContent}`] : []
    })
  })
}

describe('a report with sliders', () => {
  it('says by Γ what its record says, and where the conclusion is lost, by keyboard alone', async () => {
    const page = wide
    const { grid, flipsAt } = evaluation.sensitivity!
    expect(flipsAt).toBeGreaterThan(1)
    expect(flipsAt).toBeLessThan(grid.at(-1)!.gamma)
    const slider = page.getByLabel(/^Γ, the factor/)
    await slider.focus()
    // It ends where the chart does, some way behind the Γ at which the conclusion is lost.
    const stops = grid.slice(0, Number(await slider.getAttribute('max')) + 1)
    expect(stops.at(-1)!.gamma).toBeGreaterThan(flipsAt!)
    for (const [k, { gamma, low, high, interval }] of stops.entries()) {
      if (k > 0) await page.keyboard.press('ArrowRight')
      const text = await said(page, 'sensitivity')
      expect(text).toContain(`CI ${formatEstimate((low + high) / 2, interval).interval!})`)
      if (gamma > 1) expect(text).toContain(`a factor of up to ${gamma}`)
      expect(text.includes('no longer holds')).toBe(gamma >= flipsAt!)
      expect(text.startsWith('✘ does not hold')).toBe(gamma >= flipsAt!)
      if (k === 1) expect(await lit(page, 'sensitivity')).toEqual([1])
    }
  })

  it('says by temperature what each point of the curve says, and gives no number where that is refused', async () => {
    const page = wide
    const [{ points }] = evaluation.temperatures as [NonNullable<Evaluation['temperatures']>[0]]
    expect(points[0]!.verdict.level).toBe('refuse')
    const slider = page.getByLabel('Temperature of bpr')
    for (const [k, { temperature, value, interval, verdict }] of points.entries()) {
      await slider.fill(String(k))
      const text = await said(page, 'temperature-curves')
      expect(text).toContain(`At temperature ${temperature},`)
      expect(text).toContain(verdict.level)
      const written = formatEstimate(value!, interval)
      if (verdict.level === 'refuse') {
        expect(text).toContain('this log cannot say')
        expect(text).not.toContain(written.value)
        expect(await lit(page, 'temperature-curves')).toEqual([])
      } else {
        expect(text).toContain(`${written.value} per impression (95 % CI ${written.interval})`)
        expect(await lit(page, 'temperature-curves')).toHaveLength(1)
      }
    }
  })

  it('names one segment at a time, whatever its name', async () => {
    const page = wide
    await page.getByLabel('Segment by device').selectOption({ label: hostile })
    const place = evaluation.segments!.segments.findIndex(({ segment }) => segment === hostile)
    expect(await said(page, 'segments')).toContain(`${hostile}: `)
    expect(await lit(page, 'segments')).toEqual([place])
    expect(await page.locator('main img').count()).toBe(0)
  })

  it('shows the values of a mark beside the pointer, and keeps them in a saved figure', async () => {
    const page = wide
    const mark = page.locator('#estimates .wide svg rect:has(> title)').first()
    const title = (await mark.locator('title').textContent())!
    await mark.hover()
    expect(await page.locator('.tip').innerText()).toBe(title)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as SVG: estimates' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('estimates.svg')
    expect(await page.locator('.tip').isVisible()).toBe(false)
    expect(await mark.locator('title').textContent()).toBe(title)
  })

  it('has nothing that axe finds wrong', async () => {
    await wide.evaluate(axe.source)
    const { violations } = (await wide.evaluate('axe.run()')) as axe.AxeResults
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html}`)).toEqual([])
  })

  it('keeps slider and chart in sight on a phone, and nothing scrolls sideways', async () => {
    const page = await open('', { viewport: { width: 390, height: 844 } })
    for (const [figure, label] of [
      ['sensitivity', /^Γ, the factor/],
      ['temperature-curves', 'Temperature of bpr'],
    ] as const) {
      await page.locator(`#${figure} .narrow`).evaluate((drawing) => drawing.scrollIntoView({ block: 'end' }))
      for (const part of [page.getByLabel(label), page.locator(`#${figure} .narrow svg`)]) {
        const box = (await part.boundingBox())!
        expect(box.y).toBeGreaterThanOrEqual(0)
        expect(box.y + box.height).toBeLessThanOrEqual(845)
      }
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    expect(await page.evaluate(struckThrough)).toEqual([])
  })

  it.each([
    [844, 390],
    [568, 320],
  ])(
    'has slider, its words and the drawing in one view on a phone held sideways, %i × %i',
    async (width, height) => {
      const page = await open('', { viewport: { width, height } })
      for (const [figure, label] of [
        ['sensitivity', /^Γ, the factor/],
        ['temperature-curves', 'Temperature of bpr'],
        ['segments', 'Segment by device'],
      ] as const) {
        await page.locator(`#${figure} .dial`).evaluate((dial) => dial.scrollIntoView({ block: 'start' }))
        for (const part of [page.getByLabel(label), page.locator(`#${figure} .narrow svg`)]) {
          const box = (await part.boundingBox())!
          expect(box.y).toBeGreaterThanOrEqual(-1)
          expect(box.y + box.height).toBeLessThanOrEqual(height + 1)
        }
      }
      // Nothing that is beside the slider lies over the buttons below.
      await page.getByRole('button', { name: 'Save as SVG: temperature-curves' }).click({ trial: true })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    },
  )

  it('tells those who listen where a slider came to rest, once, and takes the words back', async () => {
    const page = wide
    const slider = page.getByLabel('Temperature of bpr')
    const told = page.locator('#temperature-curves [role=status]')
    await told.evaluate((status) => {
      const heard: string[] = []
      Object.assign(globalThis, { heard })
      new MutationObserver(() => status.textContent && heard.push(status.textContent)).observe(status, {
        childList: true,
      })
    })
    for (const stop of ['0', '1', '2', '3']) await slider.fill(stop)
    await expect.poll(() => told.textContent()).toContain('At temperature 8,')
    const words = (await page.locator('#temperature-curves .stop').textContent())!
    expect(await page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard)).toEqual([words])
    await expect.poll(() => told.textContent(), { timeout: 10_000 }).toBe('')
    const live = page.locator('#temperature-curves').locator('[role=status], [aria-live], output')
    expect(await live.count()).toBe(1)
  })

  it('keeps on paper what its sliders say, without the sliders', async () => {
    const page = wide
    await page.getByLabel(/^Γ, the factor/).fill('1')
    await page.getByLabel('Segment by device').selectOption({ index: 0 })
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('#sensitivity .stop').isVisible()).toBe(true)
    for (const hidden of ['input', 'select', '#segments .stop'])
      expect(await page.locator(hidden).first().isVisible()).toBe(false)
    await page.emulateMedia({ media: null })
  })

  it('says what a term means where it is touched', async () => {
    const page = await open('', { viewport: { width: 390, height: 844 }, hasTouch: true })
    const term = page.locator('.answer abbr').first()
    await term.tap()
    expect(await page.locator('.tip').innerText()).toBe(await term.getAttribute('title'))
    await page.locator('h1').tap()
    expect(await page.locator('.tip').isVisible()).toBe(false)
  })

  it('has no dials without a script, and all its numbers still', async () => {
    const page = await open('', { javaScriptEnabled: false })
    const dials = await page.locator('.dial').all()
    expect(dials).toHaveLength(3)
    for (const dial of dials) expect(await dial.isVisible()).toBe(false)
    expect(await page.locator('#sensitivity table').count()).toBe(1)
  })
})

describe('a report in a frame', () => {
  it('at #answer is the answer and its picture, and leads to the whole', async () => {
    const page = await open('#answer', { viewport: { width: 720, height: 560 } })
    const seen = async (): Promise<string[]> => {
      const parts = page.locator('main > *')
      const visible = await Promise.all((await parts.all()).map((part) => part.isVisible()))
      return (
        await parts.evaluateAll((all) =>
          all.map(({ localName, className, id }) => id || className || localName),
        )
      ).filter((_, k) => visible[k])
    }
    expect(await seen()).toEqual(['h1', 'answer', `badge ${evaluation.verdict.level}`, 'estimates'])
    await page.getByRole('link', { name: 'The whole report' }).click()
    expect(await seen()).toContain('sensitivity')
    expect(await page.getByRole('link', { name: 'The whole report' }).isVisible()).toBe(false)
  })

  it('with a sandbox, from a disk, leads to the whole too, and axe finds nothing wrong', async () => {
    const frame = '<iframe src="report.html#answer" sandbox="allow-scripts" title="Report"></iframe>'
    await writeFile(join(folder, 'frame.html'), `<!doctype html><title>Wiki</title>${frame}`)
    const page = await open('/../frame.html')
    const report = page.frames()[1]!
    await report.evaluate(axe.source)
    const { violations } = (await report.evaluate('axe.run()')) as axe.AxeResults
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html}`)).toEqual([])
    await report.getByRole('link', { name: 'The whole report' }).click()
    expect(await report.locator('#sensitivity').isVisible()).toBe(true)
  })
})
