import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleStudy } from '../study/src/example-study.js'
import { type StudyReport, writeStudyReport } from '../study/src/node/study-report.js'
import { executablePath } from './chromium.js'

let folder: string
let written: StudyReport
let browser: Browser
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-study-report-'))
  const results = exampleStudy()
  written = await writeStudyReport(folder, results)
  await writeFile(join(folder, 'results.json'), JSON.stringify(results))
  browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] })
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await rm(folder, { recursive: true })
})

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
  page.setDefaultTimeout(10_000)
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
      'Of the paper’s 5 claims put to the test',
      'simulated ratings of its size, not the real ones',
      '<nav class="contents"',
      '✔ holds',
      'id="toy-resamples-uniform"',
      'id="toy-logs-uniform"',
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

  it('has links that lead somewhere', async () => {
    const { page } = await open(1440, 'light')
    const broken = await page.evaluate(() =>
      Array.from(document.querySelectorAll('.contents a'), (link) => link.getAttribute('href')!).filter(
        (href) => !document.getElementById(href.slice(1)),
      ),
    )
    expect(broken).toEqual([])
    expect(await page.locator('.contents a').count()).toBeGreaterThan(20)
    await page.close()
  })

  it('sorts numbers by click, upwards and then downwards', async () => {
    const { page, problems } = await open(1440, 'light')
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

  it('sorts words by keyboard, and on a phone too', async () => {
    const { page, problems } = await open(390, 'light')
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

  it('prints its claims and figures on white paper', async () => {
    const { page } = await open(1440, 'dark')
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('figure svg:visible').count()).toBe(written.figures.length)
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

function tableOf(page: Page, section: string, column: string) {
  const title = page.getByRole('heading', { name: section, exact: true })
  const table = page.locator('section', { has: title }).last().locator('table').first()
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
