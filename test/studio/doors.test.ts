import { gzipSync } from 'node:zlib'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  csvText,
  describeLog,
  type Log,
  movielensWorld,
  ndjsonText,
  parquetBytes,
  simulatedRatings,
  summarise,
  toyWorld,
} from '../../src/index.js'
import { answerOf, appears, choose, linkOf, textOf } from './at-the-page.js'
import { useStudio } from './open-studio.js'

const log = toyWorld({ seed: 3, users: 60, items: 12 }).draw()
const csv = [...csvText(log)].join('')
/** Of a file: it does not tell which items were never shown. */
const summaryOf = (drawn: Log): string => summarise(describeLog({ ...drawn, catalogueKnown: false }))
const summary = summaryOf(log)

const studio = useStudio({ log: { name: 'clicks of may.csv', text: csv } })

const openLog = (page: Page): Locator => page.getByRole('button', { name: 'Open the log', exact: true })
const columnFor = (page: Page, column: string): Locator =>
  page.getByLabel(`Column for ${column}`, { exact: true })
const refusal = (page: Page): Locator => page.getByRole('alert')

describe('the doors of the studio', () => {
  it('open the toy world of a seed', async () => {
    const page = await studio.open()
    await page.getByLabel('Seed').fill('11')
    await page.getByRole('button', { name: 'Open the toy world' }).click()
    expect(await answerOf(page)).toBe(summarise(describeLog(toyWorld({ seed: 11 }).draw())))
    expect(await linkOf(page)).toBe('#?log.door=toy&log.seed=11')
  })

  it('open the MovieLens-like world at a temperature', async () => {
    const page = await studio.open()
    await page.getByLabel('Exposure temperature').fill('65')
    await page.getByRole('button', { name: 'Open the MovieLens-like world' }).click()
    const world = movielensWorld(simulatedRatings(), { seed: 7, temperature: 2 })
    expect(await answerOf(page)).toBe(summarise(describeLog(world.draw())))
    expect(await linkOf(page)).toBe('#?log.door=movielens&log.temperature=2')
  })

  it('open the log that the studio was started with, and another after it', async () => {
    const page = await studio.open()
    await page.getByRole('button', { name: 'Open clicks of may.csv' }).click()
    await openLog(page).click()
    expect(await answerOf(page)).toBe(summary)
    await page.getByRole('button', { name: 'Another log' }).click()
    await page.getByRole('button', { name: 'Open the toy world' }).click()
    expect(await answerOf(page)).toBe(summarise(describeLog(toyWorld({ seed: 7 }).draw())))
  })

  it.each<[name: string, bytes: () => string | Uint8Array | Promise<Uint8Array>]>([
    ['log.csv', () => csv],
    ['log.ndjson', () => [...ndjsonText(log)].join('')],
    ['log.parquet', () => parquetBytes(log)],
    ['log.csv.gz', () => gzipSync(csv)],
  ])('open a file of one’s own: %s', async (name, bytes) => {
    const page = await studio.open()
    await choose(page, name, await bytes())
    await openLog(page).click()
    expect(await answerOf(page)).toBe(summary)
    expect(await linkOf(page)).toContain(`#?log.door=file&log.file=${name}&log.print=`)
  })

  it('open a file that is dropped anywhere on the page', async () => {
    const page = await studio.open()
    const dropped = await page.evaluateHandle((text) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([text], 'dropped.csv'))
      return transfer
    }, csv)
    await page.dispatchEvent('h1', 'dragover', { dataTransfer: dropped })
    await page.dispatchEvent('h1', 'drop', { dataTransfer: dropped })
    await openLog(page).click()
    expect(await answerOf(page)).toBe(summary)
  })

  it('reject what is not a log, say what to open instead, and open that', async () => {
    const page = await studio.open()
    for (const [name, bytes, says] of [
      [
        'picture.png',
        Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
        /picture\.png is a picture\. Use the table/,
      ],
      ['empty.csv', '', /empty\.csv is empty/],
    ] as const) {
      await choose(page, name, bytes)
      expect(await textOf(refusal(page))).toMatch(says)
      await page.getByRole('button', { name: 'Choose another file' }).click()
    }
    await choose(page, 'log.csv', csv)
    await openLog(page).click()
    expect(await answerOf(page)).toBe(summary)
  })
})

describe('a file of one’s own', () => {
  const renamed = csv.replace('user_id,item_id,reward,propensity', 'visitor,sku,clicked,pscore')

  it('is understood by common names of columns, and each guess says why', async () => {
    const page = await studio.open()
    await choose(page, 'shop.csv', renamed)
    for (const [column, name] of Object.entries({
      user: 'visitor',
      item: 'sku',
      reward: 'clicked',
      propensity: 'pscore',
    })) {
      expect(await columnFor(page, column).inputValue()).toBe(name)
      expect(await textOf(page.getByRole('row').filter({ has: columnFor(page, column) }))).toContain(
        'by a common name',
      )
    }
    await openLog(page).click()
    expect(await answerOf(page)).toBe(summary)
  })

  it('keeps its button in place while the doctor reads: a press would miss one that moves', async () => {
    const page = await studio.open()
    await page.evaluate(() => {
      const tops = ((window as unknown as { tops: Set<number> }).tops = new Set())
      const look = (): void => {
        const button = document.querySelector('form button.primary')
        // From the top of the page: scrolling moves nothing.
        if (button) tops.add(button.getBoundingClientRect().top + scrollY)
        requestAnimationFrame(look)
      }
      look()
    })
    const [header, ...rows] = csv.trimEnd().split('\n')
    await choose(page, 'long.csv', [header, ...Array.from({ length: 100 }, () => rows).flat()].join('\n'))
    await appears(page, 'rows checked')
    expect(await page.evaluate(() => (window as unknown as { tops: Set<number> }).tops.size)).toBe(1)
  })

  it('is read by the columns that a person chooses', async () => {
    const page = await studio.open()
    const odd = csv.replace('user_id,item_id,reward,propensity', 'c1,c2,c3,c4')
    await choose(page, 'odd.csv', odd)
    for (const [column, name] of Object.entries({ user: 'c1', item: 'c2', reward: 'c3', propensity: 'c4' }))
      await columnFor(page, column).selectOption(name)
    await openLog(page).click()
    expect(await answerOf(page)).toBe(summary)
  })

  it('cannot be opened before its required columns are named', async () => {
    const page = await studio.open()
    await choose(page, 'shop.csv', renamed)
    await columnFor(page, 'item').selectOption('')
    expect(await openLog(page).isDisabled()).toBe(true)
    await appears(page, 'Choose the column that holds the item.')
    await columnFor(page, 'item').selectOption('sku')
    expect(await openLog(page).isDisabled()).toBe(false)
  })

  it('without propensities is opened only once the propensities to use are chosen', async () => {
    const page = await studio.open()
    const bare = csv.replaceAll(/,[^,\n]*$/gm, '')
    await choose(page, 'bare.csv', bare)
    await appears(page, 'Choose the propensities to use.')
    expect(await openLog(page).isDisabled()).toBe(true)
    expect(await page.getByRole('radio', { checked: true }).count()).toBe(0)
    await page.getByRole('radio', { name: /^constant/ }).check()
    await page.getByLabel('Propensity of every row').fill('0.25')
    await openLog(page).click()
    expect(await answerOf(page)).toBe(
      summaryOf({ ...log, propensity: log.propensity!.map(() => 0.25), propensitySource: 'assumed' }),
    )
  })

  it('with broken rows names their lines, and can be opened without them', async () => {
    const page = await studio.open()
    const lines = csv.trimEnd().split('\n')
    const broken = lines
      .with(3, lines[3]!.replace(/[^,]*$/, '1.5'))
      .with(8, lines[8]!.replace(/,[01],/, ',perhaps,'))
    await choose(page, 'broken.csv', broken.join('\n'))
    await openLog(page).click()
    const rows = refusal(page).getByRole('row')
    expect(await textOf(rows.nth(1))).toMatch(
      /^4 propensity 1\.5 must be a probability above 0 and at most 1/,
    )
    expect(await textOf(rows.nth(2))).toMatch(/^9 reward perhaps must be a finite number/)
    await page.getByRole('button', { name: 'Leave these rows out and open' }).click()
    expect(await answerOf(page)).toContain(`${log.rows - 2} impressions`)
    await appears(page, '2 rows left out: they break a rule')
  })

  it('is checked by the doctor before it is opened', async () => {
    const page = await studio.open()
    const percent = csv.replaceAll(/[^,\n]+$/gm, (cell) =>
      cell === 'propensity' ? cell : String(100 * Number(cell)),
    )
    await choose(page, 'percent.csv', percent)
    const doctor = page.getByRole('region', { name: 'What the doctor says' })
    await appears(page, 'look at this before you trust any number')
    expect(await textOf(doctor)).toMatch(/percent/i)
  })
})
