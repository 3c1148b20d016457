import { strToU8, zipSync } from 'fflate'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { csvText, toyWorld } from '../../src/index.js'
import { answerOf, appears, ask, choose, goTo, isKept, linkOf, named, saved } from './at-the-page.js'
import { useStudio } from './open-studio.js'

const studio = useStudio()
const drawn = [...csvText(toyWorld({ seed: 3, users: 200, items: 12, exposures: 20, skew: 1 }).draw())].join(
  '',
)
/** The log was appended to itself, which the doctor finds. */
const csv = drawn + drawn.slice(drawn.indexOf('\n') + 1)
/** The log as somebody may have it: other names, and probabilities in percent. */
const percent = csv
  .replaceAll(/[^,\n]+$/gm, (cell) => (cell === 'propensity' ? 'p' : String(100 * Number(cell))))
  .replace('user_id,item_id,reward', 'visitor,sku,clicked')

/** Opens the log with a mapping that has to be chosen, and evaluates a policy on it. */
async function evaluated(page: Page): Promise<string> {
  await choose(page, 'may.csv', percent)
  await named(page, 'button', 'Use propensity = p / 100').click()
  await named(page, 'button', 'Open the log').click()
  await answerOf(page, 'impressions of')
  await goTo(page, 'Evaluate')
  await answerOf(page, 'Choose the policy')
  await ask(page, 'popularity', 'softmax')
  return answerOf(page, 'The policy popularity@softmax=1 ')
}

async function drop(page: Page, name: string, bytes: Uint8Array): Promise<void> {
  const dropped = await page.evaluateHandle(
    ([name, bytes]) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([Uint8Array.from(bytes)], name))
      return transfer
    },
    [name, [...bytes]] as const,
  )
  await page.dispatchEvent('h1', 'drop', { dataTransfer: dropped })
}

describe('a link to a file', () => {
  it('holds the mapping and the mends, gives the same numbers elsewhere, and notices another file', async () => {
    const page = await studio.open()
    const answer = await evaluated(page)
    const link = await page.evaluate(() => location.hash)
    expect(decodeURIComponent(link)).toMatch(/log\.print=\w+-\w{14}.*"propensity":"p\+\/\+100"/)

    const elsewhere = await studio.open(link)
    await appears(elsewhere, 'This link was made with may.csv')
    await elsewhere
      .getByLabel('Log file')
      .setInputFiles({ name: 'may (1).csv', mimeType: 'text/csv', buffer: Buffer.from(percent) })
    expect(await answerOf(elsewhere, 'The policy popularity@softmax=1 ')).toBe(answer)

    const other = await studio.open(link)
    await choose(other, 'may.csv', percent.split('\n').slice(0, 1500).join('\n'))
    await appears(other, /This link was made with another file: may\.csv had [\d,]+ bytes, this one has/)
    await named(other, 'button', 'Open the log').click()
    expect(await answerOf(other, 'The policy popularity@softmax=1 ')).not.toBe(answer)
    await appears(other, 'This link was made with another file')
  }, 60_000)
})

describe('a link to two files', () => {
  it('asks for both, and joins them as before; a reload has them at hand', async () => {
    const [header, ...rows] = csv.trimEnd().split('\n')
    const cells = rows.map((row) => row.split(','))
    const shown = [`impression_id,${header!.replace(',reward', '')}`, ...cells.map(([user, item, , p], k) => `i${k},${user},${item},${p}`)].join('\n') // prettier-ignore
    const clicks = ['impression_id', ...cells.flatMap(([, , reward], k) => (reward === '1' ? [`i${k}`] : []))].join('\n') // prettier-ignore
    const outcomes = { name: 'clicks.csv', mimeType: 'text/csv', buffer: Buffer.from(clicks) }
    const page = await studio.open()
    await choose(page, 'shown.csv', shown)
    await page.getByText('Clicks or orders are separate events').click()
    await page.getByLabel('File with the outcomes').setInputFiles(outcomes)
    await named(page, 'button', 'The reward is a column after all').waitFor()
    await named(page, 'button', 'Open the log').click()
    const answer = await answerOf(page, 'impressions of')
    const link = await page.evaluate(() => location.hash)
    expect(decodeURIComponent(link)).toMatch(/log\.outcomes=clicks\.csv&log\.outcomesPrint=\w+-\w{14}/)
    await isKept(page, { files: 2 })
    await page.reload()
    expect(await answerOf(page, 'impressions of')).toBe(answer)

    const elsewhere = await studio.open(link)
    await appears(elsewhere, 'This link was made with shown.csv and clicks.csv')
    await choose(elsewhere, 'shown.csv', shown)
    await appears(elsewhere, 'Choose the file with the outcomes: clicks.csv.')
    await elsewhere.getByLabel('File with the outcomes').setInputFiles(outcomes)
    expect(await answerOf(elsewhere, 'impressions of')).toBe(answer)
    expect(await elsewhere.evaluate(() => location.hash)).toBe(link)
  }, 60_000)
})

describe('a link of somebody hostile', () => {
  it.each([
    '#file?log.door=file&log.file=<img src=x onerror=alert(1)>&log.print=<b>&log.reading={"columns":{"user":"<b>","item":"__proto__"},"header":["x"],"propensity":"magic"}&log.outcomes=<b>',
    '#__proto__?log.door=file&log.file=may.csv&log.print=1-1&log.reading={"format":"no such","join":{"wait":1e999}}',
    '#log?log.door=movielens&log.temperature=-1&log.seed=1e99',
    '#?log.door=__proto__&log.file=&log.print=',
  ])('runs nothing and breaks nothing: %s', async (link) => {
    const page = await studio.open(link)
    await page.getByLabel('Log file').waitFor({ state: 'attached' })
    await choose(page, 'may.csv', csv)
    expect(await page.locator('main').innerText()).not.toMatch(/NaN|undefined|is not a function/)
  })
})

describe('a session', () => {
  it('is there again after a reload, with its model and notes, and in a fresh browser from its file', async () => {
    const page = await studio.open()
    await evaluated(page)
    await page.getByLabel('Your notes on this view').fill('<img src=x onerror=alert(1)> ask Ann')
    await page.getByText('Add a note').first().click()
    await page.getByLabel('Note on the figure estimates').fill('Before the sale.')
    await goTo(page, 'Train')
    await answerOf(page, 'No model is trained yet.')
    await named(page, 'spinbutton', 'Maximum epochs').fill('1')
    await named(page, 'button', 'Train').click()
    const trained = await answerOf(page, '#1:')
    await page.getByRole('button', { name: /^Evaluate / }).click()
    await answerOf(page, 'Choose how items are shown')
    await named(page, 'combobox', 'How items are shown').selectOption('softmax')
    const answer = await answerOf(page, '#1')
    expect(await linkOf(page)).toContain('evaluate.target=model:1')
    await isKept(page, { files: 1, models: 1 })

    await page.reload()
    expect(await answerOf(page, '#1')).toBe(answer)
    expect(await page.getByLabel('Your notes on this view').inputValue()).toContain('ask Ann')
    expect(await page.getByLabel('Note on the figure estimates').inputValue()).toBe('Before the sale.')
    await appears(page, 'The doctor found')
    await goTo(page, 'Train')
    expect(await answerOf(page, '#1:')).toBe(trained)

    const light = await saved(page, 'Save the session')
    expect(light.name).toBe('may.hindcast')
    await page.getByLabel('with the rows of the log').check()
    const whole = await saved(page, 'Save the session')
    expect(whole.bytes.length).toBeGreaterThan(light.bytes.length + 1000)

    const fresh = await studio.open()
    await drop(fresh, whole.name, whole.bytes)
    expect(await answerOf(fresh, '#1:')).toBe(trained)
    await goTo(fresh, 'Evaluate')
    expect(await answerOf(fresh, '#1')).toBe(answer)
    expect(await fresh.getByLabel('Your notes on this view').inputValue()).toContain('ask Ann')
    expect(await fresh.getByLabel('Note on the figure estimates').inputValue()).toBe('Before the sale.')

    const asking = await studio.open()
    await drop(asking, light.name, light.bytes)
    await appears(asking, 'This session was made with may.csv')
    await asking
      .getByLabel('Log file')
      .setInputFiles({ name: 'may.csv', mimeType: 'text/csv', buffer: Buffer.from(percent) })
    expect(await answerOf(asking, '#1:')).toBe(trained)
    await goTo(asking, 'Evaluate')
    expect(await answerOf(asking, '#1')).toBe(answer)

    const other = await studio.open()
    await drop(other, light.name, light.bytes)
    await appears(other, 'This session was made with may.csv')
    await choose(other, 'may.csv', percent.replace(/\n[^\n]*\n$/, '\n'))
    await named(other, 'button', 'Open the log').click()
    await appears(
      other,
      /This session was made with another file: .*1 model of the session learned from the other file/,
    )
  }, 120_000)

  it('is refused in a sentence where it is something else, or older, or hostile', async () => {
    const page = await studio.open()
    const record = {
      schema: 'hindcast.session/1',
      link: '#evaluate?evaluate.target=uniform&log.door=toy',
      notes: {},
      models: [],
      policies: [],
      log: [],
    }
    const zipped = (json: unknown, more: Record<string, Uint8Array> = {}): Uint8Array =>
      zipSync({ 'session.json': strToU8(typeof json === 'string' ? json : JSON.stringify(json)), ...more })
    const model = {
      id: 1,
      number: 1,
      split: { by: 'row', validation: 0.1, test: 0.1 },
      machine: { backend: 'wasm', threads: 1 },
    }
    for (const [bytes, says] of [
      [strToU8('user_id,item_id\n'), 'it cannot be unpacked'],
      [zipSync({ 'model.json': strToU8('{}') }), 'it has no session.json'],
      [zipped('{'), 'is not a session that this page can open'],
      [zipped({ ...record, schema: 'hindcast.session/0' }), 'another version of Hindcast wrote it'],
      [zipped({ ...record, schema: '<img src=x onerror=alert(1)>' }), 'session.json, schema'],
      [zipped({ ...record, link: 'javascript:alert(1)' }), 'session.json, link'],
      [zipped({ ...record, models: [model] }), 'it has no models/1/training.json'],
      [
        zipped({ ...record, models: [model] }, { 'models/1/training.json': strToU8('{"schema":1}') }),
        'the training of model 1 is not valid',
      ],
      [zipped({ ...record, models: [{ ...model, id: -1 }] }), 'session.json, models, 0, id'],
      [zipped({ ...record, log: ['a', 'b', 'c'] }), 'session.json, log'],
    ] as const) {
      await drop(page, '<b>x</b>.hindcast', bytes)
      await appears(page, says)
    }
    const link =
      '#<svg onload=alert(1)>?log.door=file&log.file=<img src=x onerror=alert(1)>&log.print=zz&log.reading={"columns":3}&evaluate.target=model:1'
    await drop(page, 'odd.hindcast', zipped({ ...record, link, notes: { log: '<script>alert(1)</script>' } }))
    await appears(page, 'This session was made with <img src=x onerror=alert(1)>')
    await drop(page, 'toy.hindcast', zipped(record))
    await answerOf(page, 'A uniform policy')
  }, 60_000)
})

describe('work in progress', () => {
  it('is in the header and the title of every view, and closing the log asks first', async () => {
    const page = await studio.open('#?train.epochs=100000&train.patience=100000')
    await page.getByRole('button', { name: 'Open the toy world' }).click()
    await answerOf(page, '5,000 impressions')
    await goTo(page, 'Train')
    await answerOf(page, 'No model is trained yet.')
    await named(page, 'button', 'Train').click()
    await answerOf(page, 'Training 1 run')
    await goTo(page, 'Log')
    await answerOf(page, '5,000 impressions')
    expect(await page.locator('header').innerText()).toMatch(/Training IPS-softmax .*#1, epoch \d+/)
    expect(await page.title()).toMatch(/^Training .* – Log: Toy world – Hindcast studio$/)
    await named(page, 'button', 'Another log').click()
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Stay')
    await page.keyboard.press('Enter')
    await answerOf(page, '5,000 impressions')
    for (let k = 0; k < 3; k++) await page.goBack()
    await page.getByRole('alertdialog').waitFor()
    expect(await linkOf(page)).toContain('log.door=toy')
    await page.keyboard.press('Enter')
    const asked = page.waitForEvent('dialog')
    void page.close({ runBeforeUnload: true })
    const dialog = await asked
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    // Whoever looks at another file meanwhile is no longer asked about the first.
    await drop(page, 'may.csv', strToU8(csv))
    await named(page, 'button', 'Open the log').click()
    await page.getByRole('alertdialog').waitFor()
    await drop(page, 'june.csv', strToU8('x'))
    await appears(page, 'june.csv')
    expect(await page.getByRole('alertdialog').count()).toBe(0)
    await page.goBack()
    await answerOf(page, '5,000 impressions')
    await named(page, 'button', 'Another log').click()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('alertdialog').count()).toBe(0)
    await named(page, 'button', 'Another log').click()
    await named(page, 'button', 'End it and leave').click()
    await appears(page, 'Would another policy have done better')
    expect(await page.title()).toBe('Hindcast studio')
  }, 60_000)
})

describe('the back button', () => {
  it('goes through logs and views, and never leaves the page; its address is that of what is shown', async () => {
    const page = await studio.open()
    await page.getByRole('button', { name: 'Open the toy world' }).click()
    const toy = await answerOf(page, '5,000 impressions')
    await goTo(page, 'Evaluate')
    await answerOf(page, 'Choose the policy')
    await named(page, 'button', 'Another log').click()
    await appears(page, 'Would another policy have done better')
    await choose(page, 'may.csv', csv)
    expect(await linkOf(page)).toMatch(/^#file/)
    await page.goBack()
    await appears(page, 'Would another policy have done better')
    expect(await linkOf(page)).toBe('')
    await choose(page, 'may.csv', csv)
    await named(page, 'button', 'Open the log').click()
    const may = await answerOf(page, 'impressions of')
    await goTo(page, 'Train')
    await answerOf(page, 'No model is trained yet.')

    await page.goBack()
    expect(await answerOf(page, 'impressions of')).toBe(may)
    expect(await linkOf(page)).toContain('log.file=may.csv')
    await page.goBack()
    await appears(page, 'Would another policy have done better')
    await page.goBack()
    await answerOf(page, 'Choose the policy')
    expect(await linkOf(page)).toBe('#evaluate?log.door=toy')
    await page.goBack()
    expect(await answerOf(page, '5,000 impressions')).toBe(toy)
    await page.goBack()
    await appears(page, 'Would another policy have done better')
    for (let k = 0; k < 4; k++) await page.goForward()
    expect(await answerOf(page, 'impressions of')).toBe(may)
  }, 60_000)

  it('returns to what was said of a log, and of another log nothing of it is taken for said', async () => {
    const said =
      'evaluate.rewardLeast=0&evaluate.rewardMost=5&evaluate.target=popularity&evaluate.rule=softmax=1'
    const page = await studio.open(`#evaluate?${said}&part.rank=1..3`)
    await choose(page, 'may.csv', csv)
    await named(page, 'button', 'Open the log').click()
    const may = await answerOf(page, 'The policy popularity@softmax=1 ')
    await drop(page, 'june.csv', strToU8(csv.split('\n').slice(0, 1500).join('\n')))
    await named(page, 'button', 'Open the log').click()
    await page.locator('header').getByText('june.csv').waitFor()
    await answerOf(page, 'The policy popularity@softmax=1 ')
    expect(await linkOf(page)).not.toMatch(/part\.|evaluate\.reward/)
    await page.goBack()
    await page.locator('header').getByText('may.csv').waitFor()
    expect(await answerOf(page, 'The policy popularity@softmax=1 ')).toBe(may)
    expect(await linkOf(page)).toContain('part.rank=1..3')
  }, 60_000)
})
