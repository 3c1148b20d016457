import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleStudy } from '../study/src/example-study.js'
import { type StudyReport, writeStudyReport } from '../study/src/node/study-report.js'
import { openChromium } from './chromium.js'

let folder: string
let written: StudyReport
let browser: Browser
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-study-report-'))
  const results = exampleStudy()
  written = await writeStudyReport(folder, results)
  await writeFile(join(folder, 'results.json'), JSON.stringify(results))
  browser = await openChromium()
}, 60_000)
afterAll(() => rm(folder, { recursive: true }))

/** Opens the report, and says what it complained about and whatever it asked for besides itself. */
async function open(
  width: number,
  colorScheme: 'light' | 'dark',
): Promise<{ page: Page; problems: string[] }> {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme })
  const address = pathToFileURL(written.report).href
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  page.on('request', (request) => request.url() === address || problems.push(request.url()))
  page.setDefaultTimeout(30_000)
  await page.goto(address)
  return { page, problems }
}

describe('the report of a study', () => {
  it('is a page and a file for each of its figures', async () => {
    const html = await readFile(written.report, 'utf8')
    const names = [...html.matchAll(/<figure id="([^"]+)"/g)].map(([, name]) => name!)
    expect(new Set(names).size).toBe(names.length)
    expect(written.figures).toEqual(names.map((name) => join(folder, 'figures', `${name}.svg`)))
    for (const path of written.figures) await access(path)
    const words = html.replace(/<(script|style)\b.*?<\/\1>/gs, '').replace(/<[^>]*>/g, ' ')
    expect(words.match(/\b(NaN|undefined|Infinity|null)\b/)).toBeNull()
  })

  it('says first what became of the claims and which data it was, then shows the paper’s figures in its order', async () => {
    const html = await readFile(written.report, 'utf8')
    const places = [
      'Of the 5 claims of the paper that were tested',
      'simulated ratings of its size, not the real ones',
      'The paper’s claims',
      '✔ holds',
      'What else was found',
      'id="toy-logs-uniform"',
      'id="toy-resamples-uniform"',
      'id="bias-movielens"',
      'id="method-curves"',
      'id="toy-click-rate-per-item"',
      'id="ratings-interactions-per-user"',
      'id="method-comparison"',
      'id="estimator-errors"',
      'id="regulariser-sweep"',
      'id="misspecification"',
      'id="target-ess"',
      'href="results.json"',
      'class="settings"',
    ].map((part) => html.indexOf(part))
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  })

  it.each([
    [390, 'light'],
    [390, 'dark'],
    [1440, 'light'],
    [1440, 'dark'],
  ] as const)('is whole and quiet at %d px, %s', async (width, scheme) => {
    const { page, problems } = await open(width, scheme)
    await unfold(page)
    const seen = await page.evaluate(() =>
      Array.from(document.querySelectorAll('figure'), (figure) => {
        const shown = Array.from(figure.querySelectorAll('svg')).filter((svg) => svg.checkVisibility())
        const box = shown[0]?.getBoundingClientRect()
        return {
          drawings: shown.length,
          fits: box !== undefined && box.width > 300 && box.height > 150 && box.right <= innerWidth,
        }
      }),
    )
    expect(seen).toEqual(written.figures.map(() => ({ drawings: 1, fits: true })))
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    expect(background).toBe(scheme === 'dark' ? 'rgb(21, 24, 28)' : 'rgb(255, 255, 255)')
    expect(problems).toEqual([])
    await page.close()
  })

  it('shows every claim with its verdict and its number before anything else', async () => {
    const { page } = await open(1440, 'light')
    const rows = page.locator('section', { has: page.getByRole('heading', { name: 'The paper’s claims' }) })
    const cells = await rows.locator('table').first().locator('tbody tr').allInnerTexts()
    expect(cells.map((row) => row.split('\t'))).toEqual(
      exampleStudy().claims.map(({ claim }) => [
        claim,
        expect.stringMatching(/^[✔✘◐?] /),
        expect.stringMatching(/\d/),
      ]),
    )
    expect(cells.find((row) => row.includes('depends'))).toContain(
      '1.10 (0.99–1.21), elsewhere 1.40 (1.30–1.50) temperature',
    )
    const bottom = await rows
      .locator('table')
      .first()
      .evaluate((table) => table.getBoundingClientRect().bottom)
    expect(bottom).toBeLessThan(900)
    await page.close()
  })

  it('opens the sections that answer a claim, and folds the others', async () => {
    const { page } = await open(1440, 'light')
    const folds = await page
      .locator('main > details.fold')
      .evaluateAll((all) =>
        all.map((fold) => [fold.querySelector('h2')!.innerText, (fold as HTMLDetailsElement).open] as const),
      )
    expect(Object.fromEntries(folds)).toEqual({
      'IPS and SNIPS: how estimates vary': true,
      'Exposure bias from strong to weak': true,
      'Learning curves': true,
      'The toy world': false,
      'Simulated ratings of MovieLens’ size': true,
      'Methods and estimators compared': true,
      'Beyond the paper': false,
    })
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    await unfold(page)
    expect(height).toBeLessThan(0.6 * (await page.evaluate(() => document.documentElement.scrollHeight)))
    await page.close()
  })

  it('sorts numbers by click, upwards and then downwards', async () => {
    const { page, problems } = await open(1440, 'light')
    await unfold(page)
    const { heading, cells, order } = tableOf(page, 'Estimators against the truth', 'RMSE')
    const before = (await cells()).map(Number)
    expect(before).not.toEqual(before.toSorted((a, b) => a - b))
    await heading.click()
    expect((await cells()).map(Number)).toEqual(before.toSorted((a, b) => a - b))
    expect(await order()).toBe('ascending')
    await heading.click()
    expect((await cells()).map(Number)).toEqual(before.toSorted((a, b) => b - a))
    expect(await order()).toBe('descending')
    expect(problems).toEqual([])
    await page.close()
  })

  it('sorts words by keyboard', async () => {
    const { page, problems } = await open(1024, 'light')
    const { heading, cells, order } = tableOf(page, 'The paper’s claims', 'Claim')
    const before = await cells()
    await heading.focus()
    await page.keyboard.press('Enter')
    expect(await cells()).toEqual(before.toSorted((a, b) => a.localeCompare(b, 'en')))
    expect(await order()).toBe('ascending')
    await page.keyboard.press('Space')
    expect(await order()).toBe('descending')
    expect(await cells()).toEqual(before.toSorted((a, b) => b.localeCompare(a, 'en')))
    expect(problems).toEqual([])
    await page.close()
  })

  it('sorts numbers with their intervals by the number, those without a value last', async () => {
    const { page } = await open(1440, 'light')
    await unfold(page)
    const figure = page.locator('#target-ess')
    await figure.locator('summary').click()
    const heading = figure.locator('thead button', { hasText: /^SNIPS$/ })
    for (const direction of ['ascending', 'descending']) {
      await heading.click()
      expect(await figure.locator('th', { hasText: /^SNIPS$/ }).getAttribute('aria-sort')).toBe(direction)
      expect((await figure.locator('tbody tr').last().innerText()).split('\t')).toContain('–')
    }
    await page.close()
  })

  it('prints its claims and all figures on white paper, whatever was folded', async () => {
    const { page } = await open(1440, 'dark')
    const opened = (): Promise<number> => page.locator('.fold[open]').count()
    const before = await opened()
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
    expect(await opened()).toBe(await page.locator('.fold').count())
    await page.evaluate(() => dispatchEvent(new Event('afterprint')))
    expect(await opened()).toBe(before)
    await page.emulateMedia({ media: 'print' })
    expect(
      await page.evaluate(
        () =>
          Array.from(document.querySelectorAll('figure .wide svg')).filter(
            (svg) => svg.getBoundingClientRect().height > 0,
          ).length,
      ),
    ).toBe(written.figures.length)
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
      'rgb(255, 255, 255)',
    )
    expect(await page.locator('.save:visible').count()).toBe(0)
    await page.close()
  })
})

describe('the report of a part of a study', () => {
  it('leaves out what was not run, and calls real ratings by their name', async () => {
    const results = exampleStudy()
    const toy = await mkdtemp(join(folder, 'toy-'))
    const { report } = await writeStudyReport(toy, {
      ...results,
      parts: ['toy'],
      summary: [],
      ratings: null,
      description: null,
      bias: results.bias.filter(({ world }) => world === 'toy'),
      methods: null,
      curves: [],
      regulariser: null,
      misspecification: null,
      targets: null,
    })
    const html = await readFile(report, 'utf8')
    expect(html).toContain('id="bias-toy"')
    expect(html.match(/MovieLens|id="method-|Beyond the paper/)).toBeNull()
    const real = {
      name: 'MovieLens 1M',
      isReal: true,
      note: null,
      ratings: 1_000_209,
      users: 6040,
      items: 3706,
    }
    const whole = await writeStudyReport(toy, {
      ...results,
      summary: [],
      ratings: { world: real, description: real },
      bias: [],
      description: { ...results.description!, source: real },
    })
    const page = await readFile(whole.report, 'utf8')
    expect(page.match(/A world made from MovieLens 1M/)).not.toBeNull()
    expect(page.match(/not the real ones/)).toBeNull()
  })
})

/** Opens all that is folded. */
const unfold = (page: Page): Promise<void> =>
  page.locator('.fold').evaluateAll((all) => {
    for (const fold of all) (fold as HTMLDetailsElement).open = true
  })

function tableOf(page: Page, section: string, column: string) {
  const title = page.getByRole('heading', { name: section, exact: true })
  const table = page.locator('section, .fold', { has: title }).last().locator('table').first()
  const heading = table.locator('thead button', { hasText: new RegExp(`^${column}$`) })
  const at = table.locator('th', { hasText: new RegExp(`^${column}$`) })
  return {
    heading,
    order: () => at.getAttribute('aria-sort'),
    async cells(): Promise<string[]> {
      const place = await at.evaluate((head) => (head as HTMLTableCellElement).cellIndex)
      return table.locator(`tbody tr > td:nth-child(${place + 1})`).allTextContents()
    },
  }
}
