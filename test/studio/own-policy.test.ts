import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import axe from 'axe-core'
import { gzipSync } from 'fflate'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Comparison } from '../../src/estimate/comparison.js'
import type { Evaluation } from '../../src/estimate/evaluation.js'
import { csvText, toyWorld } from '../../src/index.js'
import { comparisonSchema } from '../../src/schemas/index.js'
import { hindcast } from '../hindcast.js'
import {
  answerOf,
  appears,
  choose,
  commandOf,
  isKept,
  linkOf,
  isSettled,
  named,
  saved,
  textOf,
} from './at-the-page.js'
import { useStudio } from './open-studio.js'
import { runTyped } from './run-typed.js'

const studio = useStudio()

// Two halves of one world: a model is trained on the first, and asked about on the second.
const whole = toyWorld({ seed: 5, users: 80, items: 12, exposures: 30 }).draw()
const [header, ...rows] = [...csvText(whole)].join('').trimEnd().split('\n') as [string, ...string[]]
const half = (rest: number): string => `${[header, ...rows.filter((_, k) => k % 2 === rest)].join('\n')}\n`
const [early, late] = [half(0), half(1)]

/** A probability or a score of each item for each user, from a formula. */
const table = (names: string, value: (user: number, item: number) => number): string =>
  `${names}\n${whole.userIds
    .flatMap((user, u) => whole.itemIds.map((item, i) => `${user},${item},${value(u, i)}`))
    .join('\n')}\n`
const items = whole.itemIds.length
const FILES = {
  'mine.csv': table('user_id,item_id,probability', (_, item) => (item < 4 ? 0.13 : 0.48 / (items - 4))),
  'scored.csv': table('user_id,item_id,score', (user, item) => ((user * 7 + item * 5) % 11) / 4),
  'loud.csv': table('user_id,item_id,score', (user, item) => ((user * 3 + item * 7) % 13) * 2),
  'newest.csv': `item_id,score\n${[...whole.itemIds, 'new'].map((item, i) => `${item},${i}`).join('\n')}\n`,
  'odd.csv': table('uid,sku,chance', (user, item) =>
    (user + item) % items === 0 ? 0.34 : 0.66 / (items - 1),
  ),
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(studio.folder, 'typed-'))
  await writeFile(join(folder, 'late.csv'), late)
  await writeFile(join(folder, 'early.csv'), early)
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, name), text)
  const train = 'train early.csv --out model --epochs 1 --dim 8'
  expect((await hindcast(train.split(' '), { cwd: folder })).code).toBe(0)
}, 60_000)

/** What a command of the command line writes as JSON. */
async function typed<Result>(...words: string[]): Promise<Result> {
  const { stdout, stderr, code } = await hindcast([...words, '--json', '-'], { cwd: folder })
  expect(code, stderr).toBeLessThanOrEqual(1)
  return JSON.parse(stdout) as Result
}

async function open(): Promise<Page> {
  const page = await studio.open('#evaluate?evaluate.target=uniform')
  await choose(page, 'late.csv', late)
  await named(page, 'button', 'Open the log').click()
  await answerOf(page)
  return page
}

interface Upload {
  readonly name: string
  readonly bytes: string | Uint8Array
}
const add = (page: Page, ...files: Upload[]): Promise<void> =>
  page
    .getByLabel('Policy files')
    .setInputFiles(files.map(({ name, bytes }) => ({ name, mimeType: '', buffer: Buffer.from(bytes) })))
/** Drops a file onto the place for policies. */
async function drop(page: Page, { name, bytes }: Upload): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([name, text]) => {
      const data = new DataTransfer()
      data.items.add(new File([text], name))
      return data
    },
    [name, String(bytes)] as const,
  )
  await page.getByRole('region', { name: 'Policies from files' }).dispatchEvent('drop', { dataTransfer })
}
const mine = (name: keyof typeof FILES): Upload => ({ name, bytes: FILES[name] })

const resultsOf = async <Result>(page: Page): Promise<Result> =>
  JSON.parse((await saved(page, 'Results (JSON)')).bytes.toString()) as Result

/** What axe finds wrong with the page, a line per rule. */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  await isSettled(page)
  const { violations } = (await page.evaluate('axe.run()')) as axe.AxeResults
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.failureSummary}`)
}

describe('a policy of one’s own', () => {
  it('is a table of probabilities: the numbers of the command line, and the command', async () => {
    const page = await open()
    await drop(page, mine('mine.csv'))
    await answerOf(page, 'table:mine.csv')
    await appears(page, 'mine.csv also has 1 item that the log does not have.')
    const expected = await typed<Evaluation>('evaluate', 'late.csv', '--target', 'table:mine.csv')
    expect(await resultsOf<Evaluation>(page)).toEqual(expected)
    const [lines, report] = [await commandOf(page), await saved(page, 'Report (HTML)')]
    await runTyped(lines, folder)
    expect(report.bytes.equals(await readFile(join(folder, report.name)))).toBe(true)
    expect(await findings(page)).toEqual([])
  })

  it('is a table of scores with a rule, gzipped or not, or at an equal effective sample size', async () => {
    const page = await open()
    await add(page, { name: 'scored.csv.gz', bytes: gzipSync(Buffer.from(FILES['scored.csv'])) })
    await answerOf(page, 'Choose how items are shown')
    await appears(page, 'Choose how items are shown by these scores')
    await named(page, 'combobox', 'How scores become probabilities').selectOption('softmax')
    await answerOf(page, 'scores:scored.csv.gz@softmax=1')
    await named(page, 'slider', 'Temperature of the scores').fill('85')
    await answerOf(page, 'scores:scored.csv.gz@softmax=5')
    await expect.poll(() => linkOf(page)).toContain('"rule":"softmax=5"')
    await writeFile(join(folder, 'scored.csv.gz'), gzipSync(Buffer.from(FILES['scored.csv'])))
    for (const [kind, number, rule] of [
      ['best', '', 'best'],
      ['top', '3', 'top=3'],
      ['epsilon', '0.2', 'epsilon=0.2'],
      ['ess', '0.1', 'ess=0.1'],
      ['softmax', '0.37', 'softmax=0.37'],
      ['rank', '', 'rank'],
    ] as const) {
      await named(page, 'combobox', 'How scores become probabilities').selectOption(kind)
      if (number !== '') {
        const field = page.getByRole('spinbutton', { name: /^(k|ε|The same, exactly|Share of the rows)$/ })
        await field.fill(number)
        await field.blur()
      }
      await answerOf(page, `scores:scored.csv.gz@${rule}`)
      const expected = await typed<Evaluation>(
        'evaluate',
        'late.csv',
        '--target',
        `scores:scored.csv.gz@${rule}`,
      )
      expect(await resultsOf<Evaluation>(page), rule).toEqual(expected)
    }
    expect(await linkOf(page)).toContain('"rule":"rank"')
  })

  it('has the nearest question that the log can answer, where it does not cover the rule', async () => {
    const page = await open()
    await add(page, mine('newest.csv'))
    await named(page, 'combobox', 'How scores become probabilities').selectOption('softmax')
    await answerOf(page, 'scores:newest.csv@softmax=1')
    await appears(
      page,
      'The nearest question that this log can answer: the policy scores:newest.csv@softmax=',
    )
    const expected = await typed<Evaluation>(
      'evaluate',
      'late.csv',
      '--target',
      'scores:newest.csv@softmax=1',
    )
    expect(expected.nearest?.target).toContain('softmax=')
    expect(await resultsOf<Evaluation>(page)).toEqual(expected)
  })

  it('is kept by the browser when it comes, not again with every step of its slider, and is there after a reload', async () => {
    const page = await open()
    await add(page, mine('scored.csv'))
    await named(page, 'combobox', 'How scores become probabilities').selectOption('softmax')
    await answerOf(page, 'scores:scored.csv@softmax=1')
    const slider = named(page, 'slider', 'Temperature of the scores')
    await slider.fill('80')
    await isKept(page, { policies: 1 })
    await page.evaluate(() => {
      const { put } = IDBObjectStore.prototype
      const written: string[] = []
      IDBObjectStore.prototype.put = function (...given) {
        written.push(this.name)
        return put.apply(this, given)
      }
      Object.assign(window, { written })
    })
    for (const place of ['82', '84', '86']) await slider.fill(place)
    const answer = await answerOf(
      page,
      `scores:scored.csv@softmax=${await slider.getAttribute('aria-valuetext')}`,
    )
    const written = (): Promise<string[]> =>
      page.evaluate(() => (window as unknown as { written: string[] }).written)
    await expect.poll(written).toContain('sessions')
    expect(await written()).not.toContain('bulk')
    await page.reload()
    expect(await answerOf(page, 'scores:scored.csv@')).toBe(answer)
  })

  it('has columns to choose, and an error with its row and remedy; nothing is lost', async () => {
    const page = await open()
    await add(page, mine('odd.csv'))
    await answerOf(page, 'No answer')
    await appears(page, /odd\.csv has no column probability.*“Column for probability”/)
    for (const [column, name] of Object.entries({ user: 'uid', item: 'sku', probability: 'chance' }))
      await named(page, 'combobox', `Column for ${column}`).selectOption(name)
    await answerOf(page, 'table:odd.csv')
    const mapping = 'user=uid,item=sku,probability=chance'
    const expected = await typed<Evaluation>(
      'evaluate',
      'late.csv',
      '--target',
      'table:odd.csv',
      '--policy-columns',
      mapping,
    )
    expect(await resultsOf<Evaluation>(page)).toEqual(expected)
    await runTyped(await commandOf(page), folder)
    const lines = FILES['mine.csv'].split('\n')
    await add(page, {
      name: 'broken.csv',
      bytes: lines.with(7, lines[7]!.replace(/[^,]*$/, '1.5')).join('\n'),
    })
    await appears(page, /broken\.csv, line 8: the probability of user .* is 1\.5/)
    await appears(page, '“The file holds: scores”')
    expect(await page.getByText('odd.csv', { exact: true }).count()).toBeGreaterThan(0)
  })

  it('may be several at once, whose columns are called as those of the log', async () => {
    const page = await studio.open('#evaluate?evaluate.target=uniform')
    const renamed = late.replace('user_id,item_id', 'Kunde,Ding')
    await writeFile(join(folder, 'neu.csv'), renamed)
    await choose(page, 'neu.csv', renamed)
    for (const [column, name] of Object.entries({ user: 'Kunde', item: 'Ding' }))
      await named(page, 'combobox', `Column for ${column}`).selectOption(name)
    await named(page, 'button', 'Open the log').click()
    await answerOf(page)
    const percent = table('Kunde,Ding,probability', (_, item) => (item < 4 ? 13 : 48 / (items - 4)))
    const wide = ['Kunde', ...whole.itemIds].join()
    const rows = whole.userIds.map((user) => [user, ...whole.itemIds.map((_, k) => (k === 0 ? 1 : 0))].join())
    const files = { 'neu-a.csv': percent, 'neu-b.csv': `${[wide, ...rows].join('\n')}\n` }
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
    await add(page, ...Object.entries(files).map(([name, bytes]) => ({ name, bytes })))
    await appears(page, 'neu-a.csv: the numbers of every user sum to 100, and are read as percentages.')
    await page.getByRole('radio', { name: 'Baseline: table:neu-b.csv' }).waitFor()
    const targets = ['logging', 'table:neu-a.csv', 'table:neu-b.csv']
    const asked = ['compare', 'neu.csv', '--columns', 'user=Kunde,item=Ding', '--targets', ...targets]
    expect(await resultsOf<Comparison>(page)).toEqual(await typed<Comparison>(...asked))
    await runTyped(await commandOf(page), folder)
  })

  it('may lack users, who are then shown what is said', async () => {
    const page = await open()
    const some = FILES['mine.csv'].split('\n').filter((line) => !line.startsWith(`${whole.userIds[0]!},`))
    await writeFile(join(folder, 'some.csv'), some.join('\n'))
    await add(page, { name: 'some.csv', bytes: some.join('\n') })
    await appears(
      page,
      /some\.csv does not have 1 of the log’s 80 users.*“Users missing from a file: logging”/,
    )
    await named(page, 'combobox', 'Users missing from a file').selectOption('logging')
    await answerOf(page, 'table:some.csv')
    const words = ['evaluate', 'late.csv', '--target', 'table:some.csv', '--missing-user', 'logging']
    expect(await resultsOf<Evaluation>(page)).toEqual(await typed<Evaluation>(...words))
    expect(await commandOf(page)).toContain('--missing-user logging')
  })
})

/** Chooses how items are shown by the scores that were added last. */
const byRule = (page: Page, kind: string): Promise<unknown> =>
  named(page, 'combobox', 'How scores become probabilities').last().selectOption(kind)

/** The files of the saved model. */
const modelFilesOf = async (): Promise<Upload[]> =>
  Promise.all(
    ['model.json', 'embeddings.safetensors'].map(async (name) => ({
      name,
      bytes: await readFile(join(folder, 'model', name)),
    })),
  )

describe('a saved model', () => {
  it('is its files together, or its folder: the numbers of the command line', async () => {
    const page = await open()
    await add(page, ...(await modelFilesOf()))
    await byRule(page, 'rank')
    await answerOf(page, 'model:model@rank')
    await named(page, 'button', 'Remove model @ rank').click()
    await answerOf(page, 'Choose the policy')
    await page.getByLabel('Policy folder').setInputFiles(join(folder, 'model'))
    await byRule(page, 'rank')
    await answerOf(page, 'model:model@rank')
    const expected = await typed<Evaluation>('evaluate', 'late.csv', '--target', 'model:model@rank')
    expect(await resultsOf<Evaluation>(page)).toEqual(expected)
    await runTyped(await commandOf(page), folder)
    // A folder that is dropped beside the place for policies is one all the same.
    await named(page, 'button', 'Remove model @ rank').click()
    await answerOf(page, 'Choose the policy')
    const browser = await page.context().newCDPSession(page)
    const data = { items: [], files: [join(folder, 'model')], dragOperationsMask: 1 }
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await browser.send('Input.dispatchDragEvent', { type, x: 900, y: 500, data })
    await byRule(page, 'best')
    await answerOf(page, 'model:model@best')
  })

  it('is refused on the log that it was trained on, zipped too', async () => {
    const page = await studio.open('#evaluate?evaluate.target=uniform')
    await choose(page, 'early.csv', early)
    await named(page, 'button', 'Open the log').click()
    await answerOf(page)
    const { zipSync } = await import('fflate')
    const bytes = zipSync(
      Object.fromEntries((await modelFilesOf()).map(({ name, bytes }) => [name, bytes as Uint8Array])),
    )
    await writeFile(join(folder, 'model.zip'), bytes)
    await add(page, { name: 'model.zip', bytes })
    await byRule(page, 'rank')
    expect(await answerOf(page, 'model:model.zip@rank')).toMatch(/cannot tell|do not believe|no answer/i)
    await appears(page, /was made from .* rows, and shows again what was clicked by chance/)
    const expected = await typed<Evaluation>('evaluate', 'early.csv', '--target', 'model:model.zip@rank')
    expect(expected.verdict.level).toBe('refuse')
    expect(await resultsOf<Evaluation>(page)).toEqual(expected)
  })
})

describe('many policies', () => {
  it('are compared on one plot; the baseline is picked by a click, or by keyboard', async () => {
    const page = await open()
    await add(page, mine('mine.csv'))
    await answerOf(page, 'table:mine.csv')
    await add(page, mine('scored.csv'))
    await page.getByText('scored.csv', { exact: true }).last().waitFor()
    await byRule(page, 'softmax')
    await page.getByText('scored.csv @ softmax=1', { exact: true }).last().waitFor()
    await add(page, mine('loud.csv'))
    await page.getByText('loud.csv', { exact: true }).last().waitFor()
    await byRule(page, 'softmax')
    const compared = async (...targets: string[]): Promise<void> => {
      const policies = page.getByRole('region', { name: 'Policies compared' }).getByRole('radio')
      await expect
        .poll(() => policies.evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel)))
        .toEqual(targets.map((name) => `Baseline: ${name}`))
      expect(await policies.first().isChecked()).toBe(true)
      const json = await resultsOf<Comparison>(page)
      expect(comparisonSchema.parse(json)).toEqual(json)
      expect(json).toEqual(await typed<Comparison>('compare', 'late.csv', '--targets', ...targets))
    }
    await compared('logging', 'table:mine.csv', 'scores:scored.csv@softmax=1', 'scores:loud.csv@softmax=1')
    expect(await textOf(page.getByRole('region', { name: 'Policies compared' }))).toContain('all at once')
    expect(await findings(page)).toEqual([])
    const [lines, report] = [await commandOf(page), await saved(page, 'Report (HTML)')]
    await runTyped(lines, folder)
    expect(report.bytes.equals(await readFile(join(folder, report.name)))).toBe(true)

    // The third policy is the second row of the plot.
    const plot = page
      .locator('figure', { hasText: 'Mean reward minus that of logging' })
      .locator('.drawing svg')
    await plot.scrollIntoViewIfNeeded()
    const box = (await plot.boundingBox())!
    await plot.hover({ position: { x: box.width / 2, y: 34 + 36 * 1.5 } })
    await plot.click({ position: { x: box.width / 2, y: 34 + 36 * 1.5 } })
    await compared('scores:scored.csv@softmax=1', 'table:mine.csv', 'logging', 'scores:loud.csv@softmax=1')

    await page.getByRole('radio', { name: 'Baseline: scores:scored.csv@softmax=1' }).focus()
    await page.keyboard.press('ArrowDown')
    await compared('table:mine.csv', 'scores:scored.csv@softmax=1', 'logging', 'scores:loud.csv@softmax=1')

    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.evaluate(() => document.querySelector('.bench details')!.setAttribute('open', ''))
    expect(await findings(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    // Verdicts are in sight without scrolling the table.
    const table = page.getByRole('region', { name: 'Policies compared' })
    expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  })

  it('are kept by a link, which asks for their files and notices others', async () => {
    const page = await open()
    await add(page, mine('mine.csv'))
    await answerOf(page, 'table:mine.csv')
    await named(page, 'combobox', 'Compare with').selectOption('logging')
    await named(page, 'button', 'Compare one more policy').click()
    await page.getByRole('radio', { name: 'Baseline: uniform' }).waitFor()
    const [link, answer] = [await linkOf(page), await answerOf(page)]
    const other = await studio.open(encodeURI(link))
    // The link holds how the log is read: the same file opens at once.
    const buffer = Buffer.from(late)
    await other.getByLabel('Log file').setInputFiles({ name: 'late.csv', mimeType: 'text/csv', buffer })
    await appears(other, 'This link was made with mine.csv')
    await add(other, { name: 'mine.csv', bytes: FILES['mine.csv'].replaceAll('0.13', '0.130') })
    await appears(other, 'This mine.csv is not the file that the link was made with.')
    await add(other, mine('mine.csv'))
    expect(await answerOf(other, 'table:mine.csv')).toBe(answer)
    await other.getByRole('radio', { name: 'Baseline: uniform' }).waitFor()
  })
})

describe('hostile names', () => {
  const HOSTILE = `<img src=x onerror="document.title='owned'">'$(touch owned)`

  it('are text everywhere', async () => {
    const page = await open()
    const name = `${HOSTILE.replaceAll('/', '')}.csv`
    const header = `user_id,item_id,"${HOSTILE.replaceAll('"', '""')}"`
    const beyond = `"${HOSTILE.replaceAll('"', '""')}"`
    const lines = FILES['mine.csv'].trimEnd().split('\n').slice(1)
    await add(page, { name, bytes: `${[header, ...lines, `${whole.userIds[0]!},${beyond},0`].join('\n')}\n` })
    await named(page, 'combobox', 'Column for probability').selectOption(HOSTILE)
    await answerOf(page, 'table:<img')
    await appears(page, /also has 2 items that the log does not have/)
    await named(page, 'combobox', 'Compare with').selectOption('logging')
    await answerOf(page)
    await page.getByRole('radio', { name: 'Baseline: logging' }).waitFor()
    expect(await page.title()).not.toContain('owned')
    expect(await page.locator('main img').count()).toBe(0)
    await writeFile(join(folder, name), 'x')
    const line = (await commandOf(page)).split('\n').find((one) => one.includes('evaluate'))!
    expect(line).toContain(`'\\''$(touch owned)`)
    const evil = `#evaluate?log.door=toy&evaluate.target=own:x&evaluate.more=own:y,${encodeURIComponent(HOSTILE)}&evaluate.with=logging&evaluate.own=${encodeURIComponent(`[{"id":"aa","fingerprint":"bb","file":"${HOSTILE.replaceAll('"', '\\"')}","form":"scores","rule":"<b>"},7]`)}`
    const linked = await studio.open(evil)
    await appears(linked, 'This page does not have that policy.')
    await appears(linked, 'This link was made with <img')
    expect([await linked.title(), await linked.locator('main img').count()]).not.toContain('owned')
  })

  it('of any length and direction, and those of objects, break neither the page nor its width', async () => {
    const page = await open()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.evaluate(() => document.querySelector('.bench details')!.setAttribute('open', ''))
    const long = 'x'.repeat(10_000)
    const beyond = ['__proto__', 'constructor', long, '\u202Eevil', '\u0007bell']
    const lines = beyond.map((item) => `${whole.userIds[0]!},${item},0\n`).join('')
    for (const name of ['__proto__.csv', `${long}.csv`, '\u202Evsc.csv']) {
      await add(page, { name, bytes: FILES['mine.csv'] + lines })
      await appears(page, /also has 6 items that the log does not have/)
      await answerOf(page, 'table:')
      await page.getByRole('button', { name: /^Remove / }).click()
    }
    const { zipSync } = await import('fflate')
    const within = `${HOSTILE.replaceAll('/', '')}${long}`
    const zipped = Object.fromEntries(
      (await modelFilesOf()).map(({ name, bytes }) => [`${within}/${name}`, bytes as Uint8Array]),
    )
    await add(page, { name: '__proto__.zip', bytes: zipSync(zipped) })
    await byRule(page, 'best')
    await answerOf(page, 'model:__proto__.zip@best')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    expect([await page.title(), await page.locator('main img').count()]).not.toContain('owned')
    expect(await page.locator('main').innerText()).not.toMatch(/NaN|undefined|is not a function/)
  }, 120_000)
})
