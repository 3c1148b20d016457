import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import axe from 'axe-core'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { exampleSegments } from '../../src/estimate/segments/example-segments.js'
import {
  bytesInput,
  csvText,
  evaluate,
  type Evaluation,
  evaluationAnswer,
  plan,
  readLog,
  takeRows,
} from '../../src/index.js'
import { planFinding } from '../../src/words/plan-text.js'
import { segmentsAnswer } from '../../src/words/segment-text.js'
import { sensitivityAt } from '../../src/words/sensitivity-text.js'
import { hindcast } from '../hindcast.js'
import { answerOf, appears, choose, commandOf, isKept, linkOf, named, saved, says } from './at-the-page.js'
import { useStudio } from './open-studio.js'
import { runTyped } from './run-typed.js'

const studio = useStudio()

/** A value that would be a picture, and run a script, where it was taken for HTML. */
const HOSTILE = '<img src=x onerror=alert(1)>'
/** Clicks on 21 days at three positions, with the device of the user and the genre of the item. */
const drawn = exampleSegments({ users: 120, rowsEach: 20 })
const labelOf = (name: string, row: number): string => {
  const { index, ids } = drawn.labels![name]!
  return ids[index[row]!]!
}
const { labels: _, ...bare } = drawn
const csv = [...csvText(bare)]
  .join('')
  .trimEnd()
  .split('\n')
  .map((line, k) =>
    k === 0
      ? `${line},device,genre,<b>visit</b>`
      : `${line},${labelOf('device', k - 1).replace('tablet', HOSTILE)},${labelOf('genre', k - 1)},v${k}`,
  )
  .join('\n')
const { log } = await readLog(bytesInput('shown.csv', new TextEncoder().encode(csv)))
const dayOf = (row: number): number => Math.floor(log.time![row]! / 86_400_000)
const partOf = (isIn: (row: number) => boolean): typeof log =>
  takeRows(log, Uint32Array.from({ length: log.rows }, (_, row) => row).filter(isIn))

async function open(link: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await studio.open(link, options)
  await choose(page, 'shown.csv', csv)
  await named(page, 'button', 'Open the log').click()
  await answerOf(page)
  return page
}
const answered = async (page: Page, words = ''): Promise<string> =>
  (await answerOf(page, words)).replace(/[✔▲✘] /, '')
const plain = (evaluation: Evaluation): string => evaluationAnswer(evaluation).replaceAll('*', '')
const uniformOn = async (rows: typeof log): Promise<Evaluation> =>
  (await evaluate(rows, { target: { kind: 'uniform' } })).evaluation

async function folderWithLog(): Promise<string> {
  const folder = await mkdtemp(join(studio.folder, 'typed-'))
  await writeFile(join(folder, 'shown.csv'), csv)
  return folder
}

async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate('axe.run()')) as axe.AxeResults
  return violations.map(
    ({ id, nodes: [first] }) => `${id}: ${first!.target.join(' ')} ${first!.failureSummary}`,
  )
}

describe('segments in the studio', () => {
  it('are those of the command line, offered with the command that repeats them', async () => {
    const page = await open('#evaluate?evaluate.target=uniform&segments.by=device')
    const folder = await folderWithLog()
    const { stdout } = await hindcast(
      ['evaluate', '--target', 'uniform', 'shown.csv', '--by', 'device', '--json', '-'],
      {
        cwd: folder,
      },
    )
    const expected = JSON.parse(stdout) as Evaluation
    await appears(page, segmentsAnswer(expected.segments!))
    await appears(page, 'All 3 intervals hold together with 95 % confidence')
    await appears(page, 'Not offered: <b>visit</b> (more than 50 different values in the first rows).')
    const json: unknown = JSON.parse((await saved(page, 'Results (JSON)')).bytes.toString())
    expect(json).toEqual(expected)
    expect(expected.segments!.segments.map(({ segment }) => segment)).toContain(HOSTILE)
    const report = await saved(page, 'Report (HTML)')
    const lines = await commandOf(page)
    expect(lines).toContain('--by device')
    await runTyped(lines, folder)
    expect(report.bytes.equals(await readFile(join(folder, report.name)))).toBe(true)

    // What depends on the item is what its items contribute.
    await named(page, 'combobox', 'Divide rows by').selectOption('column genre')
    await appears(page, 'The policy chooses the genre along with the item')
    expect(await linkOf(page)).toContain('segments.by=genre')
    await named(page, 'combobox', 'Divide rows by').selectOption('week')
    await appears(page, 'segments by week')
    await appears(page, 'over 21 days')
    expect(await page.locator('img').count()).toBe(0)
  })

  it('are looked at one part at a time: all numbers follow, and it says how many were', async () => {
    const page = await open('#evaluate?evaluate.target=uniform')
    const whole = plain(await uniformOn(log))
    expect(await answered(page)).toBe(whole)
    await page.getByText('Look at a part of the log').click()
    await named(page, 'slider', 'First day').fill('3')
    const days = partOf((row) => dayOf(row) >= dayOf(0) + 3)
    const onDays = await uniformOn(days)
    expect(await answered(page, plain(onDays).slice(0, 40))).toBe(plain(onDays))
    await says(page, `about ${onDays.log.rows.toLocaleString('en')} of 2,400 rows`)
    await says(page, 'One part was looked at.')

    // Then some positions, with the mouse.
    const strip = page.getByRole('img', { name: 'Rows by position' })
    await strip.scrollIntoViewIfNeeded()
    const { x, y, width, height } = (await strip.boundingBox())!
    await page.mouse.move(x + width * 0.05, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + width * 0.5, y + height / 2, { steps: 3 })
    await page.mouse.up()
    const both = await uniformOn(partOf((row) => dayOf(row) >= dayOf(0) + 3 && log.position![row]! <= 1))
    await says(page, `about ${both.log.rows.toLocaleString('en')} of 2,400 rows`)
    expect(await answered(page)).toBe(plain(both))
    await says(page, '2 parts of this log were looked at.')
    await isKept(page, { files: 1 })
    await page.reload()
    await says(page, '2 parts of this log were looked at.')
    expect(await linkOf(page)).toContain('part.position=0..1')
    expect(await commandOf(page)).toContain('# These commands evaluate the whole file.')
    expect(await findings(page)).toEqual([])

    await page.getByRole('button', { name: /^Remove: positions/ }).click()
    await says(page, `about ${onDays.log.rows.toLocaleString('en')} of 2,400 rows`)
    await named(page, 'button', 'Use the whole log').click()
    await appears(page, 'What would it take?')
    await expect.poll(() => answered(page)).toBe(whole)
  })
})

describe('what it would take', () => {
  it('is the plan of the command line, and how wrong propensities may be', async () => {
    const page = await open('#evaluate?evaluate.target=uniform&plan.detect=0.004')
    const expected = await plan(log, { target: { kind: 'uniform' }, detect: 0.004 })
    await appears(page, `${planFinding(expected)}.`)
    await named(page, 'button', 'More on this').click()
    await appears(page, 'What would more exploration buy?')
    const folder = await folderWithLog()
    const lines = (await commandOf(page)).split('\n')
    const planned = lines.find((line) => line.startsWith('hindcast plan'))!
    expect(planned).toBe('hindcast plan shown.csv --target uniform --detect 0.004')
    expect(JSON.parse(await runTyped(`${planned} --json -`, folder))).toEqual(
      JSON.parse(JSON.stringify(expected)),
    )

    const evaluation = await uniformOn(log)
    const { sensitivity } = evaluation
    for (const [place, point] of sensitivity!.grid.entries()) {
      if (place % 4 !== 1) continue
      await page.getByRole('slider', { name: /^Γ/ }).fill(String(place))
      await says(page, sensitivityAt(evaluation, sensitivity!, point))
    }
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await findings(page)).toEqual([])
  })

  it('is not asked of the logging policy, which differs from nothing', async () => {
    const page = await open('#evaluate?evaluate.target=logging')
    await says(page, 'The logging policy earned')
    expect(await page.getByRole('button', { name: 'More on this' }).count()).toBe(0)
  })

  it('fits on a phone', async () => {
    const page = await open('#evaluate?evaluate.target=uniform&segments.by=device&part.rank=1..2', {
      viewport: { width: 390, height: 844 },
    })
    await says(page, 'Only rewards of these items count')
    await page.getByRole('button', { name: 'More on this' }).click()
    await appears(page, 'What would more exploration buy?')
    const isTooWide = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    )
    expect(isTooWide).toBe(false)
    expect(await findings(page)).toEqual([])
  })
})
