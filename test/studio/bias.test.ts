import { mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { csvText, type Evaluation, toyWorld } from '../../src/index.js'
import { answerOf, appears, choose, commandOf, linkOf, named, saved, textOf } from './at-the-page.js'
import { useStudio } from './open-studio.js'
import { runTyped } from './run-typed.js'

const studio = useStudio()

/** The curve of one seed, which is soon filled in. */
const LINK = '#bias?log.door=toy&bias.seeds=1'
const slider = (page: Page): Locator => named(page, 'slider', 'Exposure temperature')
const factNamed = (page: Page, name: string): Locator =>
  page
    .locator('dl > div')
    .filter({ has: page.getByRole('term').getByText(name, { exact: true }) })
    .getByRole('definition')

/** The answer once the page has reached a temperature. */
const answerAt = (page: Page, temperature: string): Promise<string> =>
  answerOf(page, `t temperature ${temperature},`)
const effective = (answer: string): number =>
  Number(/sample size is ([\d,]+) of/.exec(answer)![1]!.replaceAll(',', ''))

describe('exposure bias', () => {
  it('is set with a slider, and the stronger it is the smaller the effective sample size', async () => {
    const page = await studio.open(LINK)
    const usual = await answerAt(page, '1')
    await slider(page).fill('16')
    const strong = await answerAt(page, '0.21')
    await slider(page).fill('84')
    const mild = await answerAt(page, '4.8')
    expect(effective(strong)).toBeLessThan(effective(usual))
    expect(effective(usual)).toBeLessThan(effective(mild))
    expect(await linkOf(page)).toBe('#bias?bias.seeds=1&bias.temperature=4.8&log.door=toy')
    await appears(page, 'The curve rests on')
  })

  it('shows what the commands beside it give', async () => {
    const page = await studio.open(`${LINK}&bias.temperature=0.5`)
    await answerAt(page, '0.5')
    const folder = await mkdtemp(join(studio.folder, 'bias-'))
    const lines = (await commandOf(page)).split('\n').filter((line) => !line.startsWith('hindcast study'))
    await runTyped(lines.join('\n').replace(/^(hindcast evaluate.*)$/m, '$1 --json snips.json'), folder)
    const { estimates } = JSON.parse(await readFile(join(folder, 'snips.json'), 'utf8')) as Evaluation
    const { value } = estimates.find(({ estimator }) => estimator === 'snips')!
    const shown = await textOf(factNamed(page, 'SNIPS'))
    const [, text] = /^(0\.(\d+))/.exec(shown)!
    expect(Number(text)).toBe(Number(value!.toFixed(text!.length - 2)))
  })

  it('is drawn over as many seeds as are asked for, and its curves can be saved', async () => {
    const page = await studio.open(LINK)
    await appears(page, /The curve rests on \d+ logs, 1 seed at each temperature/)
    await named(page, 'spinbutton', 'Seeds for the curve').fill('2')
    await page.keyboard.press('Enter')
    await appears(page, /The curve rests on \d+ logs, 2 seeds at each temperature/)
    const { seeds, temperatures, targets } = JSON.parse(
      (await saved(page, 'Results (JSON)')).bytes.toString(),
    ) as {
      seeds: number[]
      temperatures: number[]
      targets: { target: string; points: { truth: { mean: number } }[] }[]
    }
    expect(seeds).toEqual([7, 8])
    expect(targets.map(({ target }) => target)).toEqual(['uniform', 'popularity', 'taste'])
    for (const { points } of targets) expect(points).toHaveLength(temperatures.length)
    // What a user truly likes is clicked more often than anything.
    const [uniform, , taste] = targets.map(({ points }) => points[0]!.truth.mean)
    expect(taste).toBeGreaterThan(uniform!)
  })

  it('of a log of one’s own is explored in a world modelled on it', async () => {
    const page = await studio.open('#bias?bias.seeds=1')
    await choose(page, 'own.csv', [...csvText(toyWorld({ seed: 3, users: 60, items: 12 }).draw())].join(''))
    await named(page, 'button', 'Open the log').click()
    expect(await answerAt(page, '1')).toContain('300 rows')
    await appears(page, /So this is a world modelled on yours: its \d+ items/)
    await named(page, 'combobox', 'World').selectOption('toy')
    await answerOf(page, '5,000 rows')
  })
})
