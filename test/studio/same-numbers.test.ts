import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { exampleSegments } from '../../src/estimate/segments/example-segments.js'
import { drawPage } from '../../src/estimate/slate/example-pages.js'
import { csvText } from '../../src/index.js'
import { randomStream } from '../../src/random/stream.js'
import { hindcast } from '../hindcast.js'
import { typedWords } from '../typed-words.js'
import { answerOf, choose, commandOf, goTo, isSettled, named, saved } from './at-the-page.js'
import { drawSettings, type DrawnSettings } from './drawn-settings.js'
import { useStudio } from './open-studio.js'

/** All of them take a while: `HINDCAST_SETTINGS=20 npx vitest run test/studio/same-numbers.test.ts` tries twenty. */
const COUNT = Number(process.env.HINDCAST_SETTINGS ?? 5)

const studio = useStudio()

const drawn = exampleSegments({ users: 60, rowsEach: 20 })
const { labels, ...bareLog } = drawn
const label = (name: string, row: number): string => labels![name]!.ids[labels![name]!.index[row]!]!
const [header, ...rows] = [...csvText(bareLog)].join('').trimEnd().split('\n') as [string, ...string[]]
const columns = header.split(',')
const cell = (row: string, name: string): string => row.split(',')[columns.indexOf(name)]!
const withLabels = (line: string, row: number): string =>
  `${line},${label('device', row)},${label('genre', row)}`
const shown = rows.map(withLabels)
const without = (line: string, ...names: string[]): string =>
  line
    .split(',')
    .filter((_, k) => !names.includes(columns[k] ?? ''))
    .join()
const text = (head: string, lines: readonly string[]): string => `${[head, ...lines].join('\n')}\n`
const labelled = `${header},device,genre`
const FILES: Readonly<Record<string, string>> = {
  'shown.csv': text(labelled, shown),
  'bare.csv': text(
    without(labelled, 'propensity'),
    shown.map((line) => without(line, 'propensity')),
  ),
  'decisions.csv': text(
    `impression_id,${without(labelled, 'reward')}`,
    shown.map((line, k) => `i${k},${without(line, 'reward')}`),
  ),
  'clicks.csv': text(
    'impression_id',
    rows.flatMap((row, k) => (Number(cell(row, 'reward')) > 0 ? [`i${k}`] : [])),
  ),
  'table.csv': policy('probability', (_, item) => [0.4, 0.2, 0.1, 0.1, 0.1, 0.1][item]!),
  'scored.csv': policy('score', (user, item) => ((user * 7 + item * 5) % 11) / 4),
}

function policy(column: string, value: (user: number, item: number) => number): string {
  const lines = drawn.userIds.flatMap((user, u) =>
    drawn.itemIds.map((item, i) => `${user},${item},${value(u, i)}`),
  )
  return text(`user_id,item_id,${column}`, lines)
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(studio.folder, 'typed-'))
  for (const [name, bytes] of Object.entries(FILES)) await writeFile(join(folder, name), bytes)
})

const fileOf = (name: string): { name: string; mimeType: string; buffer: Buffer } => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(FILES[name]!),
})
const hashOf = (page: Page): Promise<URLSearchParams> =>
  page.evaluate(() => location.hash.split('?')[1] ?? '').then((query) => new URLSearchParams(query))

/** Opens each log once at the page; the settings by which a link leads back to it. */
async function openLogs(page: Page): Promise<Record<DrawnSettings['log'], URLSearchParams>> {
  const opened = async (): Promise<URLSearchParams> => {
    await named(page, 'button', 'Open the log').click()
    await answerOf(page)
    const link = await hashOf(page)
    await named(page, 'button', 'Another log').click()
    return link
  }
  await choose(page, 'decisions.csv', FILES['decisions.csv']!)
  await page.getByText('Clicks or orders are separate events').click()
  await page.getByLabel('File with the outcomes').setInputFiles(fileOf('clicks.csv'))
  await named(page, 'button', 'The reward is a column after all').waitFor()
  const joined = await opened()
  await choose(page, 'bare.csv', FILES['bare.csv']!)
  await page.getByRole('radio', { name: /^uniform:/ }).check()
  const bare = await opened()
  await choose(page, 'shown.csv', FILES['shown.csv']!)
  await named(page, 'button', 'Open the log').click()
  await answerOf(page)
  await goTo(page, 'Evaluate')
  await answerOf(page, 'A uniform policy')
  for (const name of ['table.csv', 'scored.csv']) {
    await page.getByLabel('Policy files').setInputFiles(fileOf(name))
    await expect.poll(async () => (await hashOf(page)).get('evaluate.own') ?? '').toContain(name)
  }
  return { shown: await hashOf(page), bare, joined }
}

const day = (number: number): string => new Date(Date.UTC(2024, 4, 1 + number)).toISOString().slice(0, 10)

/** The link to settings. */
function linkTo(settings: DrawnSettings, log: URLSearchParams): string {
  const own = JSON.parse(log.get('evaluate.own') ?? '[]') as { id: string; form: string }[]
  const idOf = (name: string): string => {
    const found = own.find(({ form }) => form === name)
    return found ? `own:${found.id}` : name
  }
  const { part, linked, standIn, rule } = settings
  const reading = log.get('log.reading')!
  const all = {
    ...Object.fromEntries([...log].filter(([key]) => key.startsWith('log.'))),
    'log.reading': standIn === undefined ? reading : reading.replace('"uniform"', `"${standIn}"`),
    'evaluate.own': JSON.stringify(own.map((one) => (one.form === 'scores' ? { ...one, rule } : one))),
    'evaluate.target': idOf(settings.target),
    'evaluate.with': idOf(settings.baseline),
    'evaluate.more': settings.others.map(idOf).join(),
    'part.day': part.day ? part.day.map(day).join('..') : '',
    'part.position': part.position ? part.position.join('..') : '',
    ...linked,
  }
  return `#evaluate?${new URLSearchParams(all).toString()}`
}

/** The command under these settings, once everything that they ask for is in it. */
async function commandFor(page: Page, { linked, baseline }: DrawnSettings): Promise<string> {
  const seed = `--seed ${linked['evaluate.seed']!} `
  const by = linked['segments.by'] === '' ? '' : ' --by '
  const wanted = baseline === '' ? ['hindcast evaluate'] : ['hindcast evaluate', 'hindcast compare']
  let command = ''
  await expect
    .poll(
      async () => {
        command = await commandOf(page).catch(() => '')
        const lines = command.split('\n').filter((line) => line.includes(seed) && line.includes(by))
        return lines.map((line) => line.split(' ', 2).join(' '))
      },
      { timeout: 60_000, interval: 50 },
    )
    .toEqual(wanted)
  await isSettled(page)
  return command
}

/** What the last of the copied lines gives on the command line, on the rows that are looked at. */
async function typed(command: string, { part }: DrawnSettings): Promise<Record<string, unknown>> {
  const line = command
    .split('\n')
    .filter((one) => one.startsWith('hindcast '))
    .at(-1)!
  const [words] = await typedWords([line])
  const kept = rows.flatMap((row, k) => {
    const time = cell(row, 'timestamp')
    const at = ((Number(time) || Date.parse(time)) - Date.UTC(2024, 4, 1)) / 86_400_000
    const position = Number(cell(row, 'position'))
    const isIn =
      (!part.day || (at >= part.day[0] && at < part.day[1] + 1)) &&
      (!part.position || (position >= part.position[0] && position <= part.position[1]))
    return isIn ? [shown[k]!] : []
  })
  if (part.day || part.position) await writeFile(join(folder, 'part.csv'), text(labelled, kept))
  const asked = words!.map((word) =>
    word === 'shown.csv' && (part.day || part.position) ? 'part.csv' : word,
  )
  const { stdout, stderr, code } = await hindcast([...asked, '--json', '-'], { cwd: folder })
  expect(code, stderr).toBeLessThanOrEqual(1)
  // Curves over temperatures are for the report alone.
  const { temperatures: _, ...result } = JSON.parse(stdout) as Record<string, unknown>
  return result
}

describe('whatever is set', () => {
  it(
    `the page gives the numbers of its own command, over ${COUNT} settings drawn at random`,
    async () => {
      const page = await studio.open('#evaluate?evaluate.target=uniform')
      const logs = await openLogs(page)
      for (const settings of drawSettings(17, COUNT)) {
        const link = linkTo(settings, logs[settings.log])
        await page.evaluate((hash) => void (location.hash = hash), link)
        const command = await commandFor(page, settings)
        const json: unknown = JSON.parse((await saved(page, 'Results (JSON)')).bytes.toString())
        expect(json, command).toEqual(await typed(command, settings))
      }
    },
    20_000 + COUNT * 15_000,
  )

  it('the page weighs whole pages of a log where the command line does', async () => {
    const random = randomStream(3, 'pages')
    const strength = [5, 4, 3, 2, 1, 1]
    const lines = Array.from({ length: 1200 }, (_, shown) => {
      const { items, conditional } = drawPage(strength, 3, random)
      return items.map((item, k) => {
        const clicked = random.uniform() < (0.1 + 0.05 * item) / (k + 1)
        return `p${shown},u${shown % 200},${item},${k + 1},${clicked ? 1 : 0},${conditional[k]}`
      })
    })
    const pages = text('slate_id,user_id,item_id,position,reward,propensity', lines.flat())
    await writeFile(join(folder, 'pages.csv'), pages)
    const page = await studio.open('#evaluate?evaluate.target=uniform')
    await choose(page, 'pages.csv', pages)
    await named(page, 'button', 'Open the log').click()
    await answerOf(page, 'A uniform policy')
    const results = async (): Promise<Record<string, unknown>> => {
      await isSettled(page)
      return JSON.parse((await saved(page, 'Results (JSON)')).bytes.toString()) as Record<string, unknown>
    }
    const found = await results()
    expect(found['answer']).toBe('snrips')
    const whole = { part: {} } as DrawnSettings
    expect(found).toEqual(await typed(await commandOf(page), whole))
    await named(page, 'combobox', 'Compare with').selectOption('logging')
    await expect.poll(() => commandOf(page)).toContain('hindcast compare')
    const byPages = await results()
    expect(byPages['estimator']).toBe('snrips')
    expect(byPages).toEqual(await typed(await commandOf(page), whole))
    await named(page, 'combobox', 'Estimator of the difference').selectOption('snips')
    await expect.poll(() => commandOf(page)).toContain('--estimator snips')
    expect(await results()).toEqual(await typed(await commandOf(page), whole))
  })
})
